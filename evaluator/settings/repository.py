"""The git repository that a folder lies in: root, key, branch and work trees, read without a git process.

A git process would cost more than the rest of a skipped check. See gitrepository-layout(5).
"""

from __future__ import annotations

import os
import re
import stat

from evaluator.errors import raise_want

_MAX_CONFIG_BYTES = 256 * 1024
_SECTION = r'^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]'
_URL = r"(?i)^\s*url\s*=\s*(.*?)\s*$"
_HEADS, _REMOTE = "ref: refs/heads/", "ref: refs/remotes/origin/"
USUAL = ("main", "master", "trunk")
TREES_MAX = 256
_PATH_BYTES = 16 * 1024


def project_dir(named: str | None, cwd: str) -> str:
    """The resolved folder that the host named, else the working directory."""
    return resolved(named or cwd or os.curdir)


def resolved(path: str) -> str:
    """As `os.path.realpath`, and faster where no link stands in the way. Raises OSError, ValueError."""
    if path[:1] == os.sep != path[1:2] and "\0" not in path and os.path.normpath(path) == path:
        end = 0
        try:
            while end >= 0:
                end = path.find(os.sep, end + 1)
                part = path if end < 0 else path[:end]
                if stat.S_ISLNK(os.lstat(part).st_mode):
                    return os.path.realpath(path)
        except FileNotFoundError:
            return path  # nor can there be links below what is not there
        except OSError:
            return os.path.realpath(path)
        return path
    return os.path.realpath(path)


def project_root(directory: str) -> str:
    """The git work tree's root above `directory`, or `directory` itself without one."""
    start = resolved(directory)
    at = start
    while True:
        if os.path.lexists(os.path.join(at, ".git")):
            return at
        above = os.path.dirname(at)
        if above == at:
            return start
        at = above


def project_key(directory: str) -> str:
    """First 12 hex digits of SHA-256 of `remote:<origin-url>`, or `root:<root>` without a remote.

    A work tree that `git worktree` made has the root of its main one.
    """
    import hashlib

    root = project_root(directory)
    origin = _origin_url(root)
    name = f"remote:{origin}" if origin else f"root:{main_root(root) or root}"
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def main_root(directory: str) -> str:
    """The main work tree of the one that `directory` lies in; empty where it lies in no other, or in a bare one's."""
    dot_git = os.path.join(project_root(directory), ".git")
    if not os.path.isfile(dot_git):
        return ""
    common = os.path.realpath(common_git_dir(dot_git))
    folder, name = os.path.split(common)
    # A submodule's leads into `modules`, and has no work trees of its own there.
    return folder if name == ".git" else ""


def _origin_url(root: str) -> str | None:
    text = read_bounded(os.path.join(common_git_dir(os.path.join(root, ".git")), "config"))
    in_origin = False
    for line in text.splitlines():
        section = re.match(_SECTION, line)
        if section:
            in_origin = section[1].lower() == "remote" and section[2] == "origin"
        elif in_origin and (url := re.match(_URL, line)):
            return url[1].strip('"') or None
    return None


def common_git_dir(dot_git: str) -> str:
    """What the work trees of a repository share."""
    own = git_dir(dot_git)
    common = "" if own == dot_git else read_bounded(os.path.join(own, "commondir")).strip()
    return os.path.join(own, common) if common else own


def git_dir(dot_git: str) -> str:
    """A worktree's or submodule's `.git` is a file that points elsewhere."""
    if os.path.isdir(dot_git):
        return dot_git
    pointer = read_bounded(dot_git).strip()
    if not pointer.startswith("gitdir:"):
        return dot_git
    return os.path.join(os.path.dirname(dot_git), pointer.removeprefix("gitdir:").strip())


def read_bounded(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_CONFIG_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise_want(error)
        return ""


def branch_of(root: str) -> tuple[str, bool]:
    """(the branch that is checked out at `root`, empty where there is none; whether HEAD is detached)."""
    head = read_bounded(os.path.join(git_dir(os.path.join(root, ".git")), "HEAD")).strip()
    if head.startswith(_HEADS):
        return head.removeprefix(_HEADS), False
    return "", bool(head)


def default_branch(root: str, branch: str) -> str:
    """The branch that the remote names, else the usual one that stands; empty where it cannot be told."""
    common = common_git_dir(os.path.join(root, ".git"))
    named = read_bounded(os.path.join(common, "refs", "remotes", "origin", "HEAD")).strip()
    if named.startswith(_REMOTE):
        return named.removeprefix(_REMOTE)
    if branch in USUAL:
        return branch
    packed = read_bounded(os.path.join(common, "packed-refs"))
    for name in USUAL:
        if os.path.exists(os.path.join(common, "refs", "heads", name)) or f" refs/heads/{name}\n" in packed:
            return name
    return ""


def work_trees(directory: str) -> tuple[str, ...]:
    """The root of every work tree that stands, the main one first; empty without a repository of git.

    `worktrees/NAME/gitdir` names the `.git` file of one.
    """
    main = main_root(directory) or project_root(directory)
    folder = os.path.join(main, ".git", "worktrees")
    if not os.path.isdir(os.path.dirname(folder)):
        return ()
    try:
        names = sorted(os.listdir(folder))[:TREES_MAX]
    except OSError as error:
        raise_want(error)
        names = []
    named = (_named(os.path.join(folder, name, "gitdir")) for name in names)
    found = (os.path.realpath(os.path.dirname(path)) for path in named if os.path.isabs(path))
    return tuple(dict.fromkeys((main, *(path for path in found if os.path.isdir(path)))))


def _named(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_PATH_BYTES).strip())
    except OSError as error:
        raise_want(error)
        return ""
