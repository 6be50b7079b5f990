"""The branch of a work tree, read from `.git` without a git process; see gitrepository-layout(5)."""

from __future__ import annotations

import os

from evaluator.configuration.project import common_git_dir, read_bounded

_HEADS, _REMOTE = "ref: refs/heads/", "ref: refs/remotes/origin/"
USUAL = ("main", "master", "trunk")


def branch_of(root: str) -> tuple[str, bool]:
    """(the branch that is checked out at `root`, empty where there is none; whether HEAD is detached)."""
    head = read_bounded(os.path.join(_git_dir(root), "HEAD")).strip()
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


def _git_dir(root: str) -> str:
    """That of the work tree itself, which a file may point to."""
    dot_git = os.path.join(root, ".git")
    if os.path.isdir(dot_git):
        return dot_git
    pointer = read_bounded(dot_git).strip()
    return (
        os.path.join(root, pointer.removeprefix("gitdir:").strip())
        if pointer.startswith("gitdir:")
        else dot_git
    )
