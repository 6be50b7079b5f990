"""git: its own options, then the subcommand's row, or a function where rows cannot tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluator.shell.acts.git.choices import CHOICES, REMOTE_NAME
from evaluator.shell.acts.git.targets import AIMED, safe_setting
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import Options, names, read_options
from evaluator.shell.outcome import Outcome, dynamic, joined, reads, unlisted
from evaluator.shell.programs import git as looking
from evaluator.shell.programs import git_branches, git_store, git_work
from evaluator.shell.rows.row import HELP, before_dashes, is_foreign
from evaluator.shell.words import Word

VALUED = names(looking.VALUED)
LOADS = names(looking.LOADS)
TELLS = names(looking.TELLS)
KNOWN = names(looking.FLAGS) | VALUED | LOADS | TELLS
HEAD_IF_LAST = names(looking.HEAD_IF_LAST)
HEAD_COMMANDS = names("branch tag for-each-ref")
HELPED_BY = re.compile(r"(?:-[-\w]+=|-\w)?[A-Za-z0-9][\w+.-]*::")
"""A repository that another program reaches (`ext::sh -c ...`)."""
ASKS_REMOTES = names("ls-remote push fetch pull remote")
COMMANDS: dict[str, Handler] = {
    **looking.LOOKS,
    **git_work.WORK,
    **git_branches.BRANCHES,
    **git_store.STORE,
    **CHOICES,
    **AIMED,
}


def _git(call: Call) -> list[Outcome]:
    if any(word.decoded for word in call.args):
        return [dynamic("git")]
    options = read_options(call.args, VALUED, stop=True)
    rest = options.rest
    if rest and len(rest) == len(call.args):
        return _subcommand(call, rest[0], rest[1:])
    settings = options.values(names("-c"))
    if any(name in LOADS and (value or name != "--exec-path") for name, value in options.flags):
        return [dynamic("git")]
    if any(one.dynamic or not safe_setting(one.text) for one in settings):
        return [dynamic("git")]
    found = _unknown(options, call.args[: len(call.args) - len(rest)], call.shell.cwd)
    if found:
        return found
    if options.has(TELLS) or not rest:
        return [reads("git")] if not rest or options.has(names("--help")) else [unlisted("git")]
    return [one.within(_folder(options)) for one in _subcommand(call, rest[0], rest[1:])]


def _unknown(options: Options, before: Sequence[Word], cwd: str) -> list[Outcome]:
    """The settings of a repository name programs, so it must not be one that anybody may have put there."""
    known = all(name in KNOWN and (value or name not in VALUED) for name, value in options.flags)
    split = any((word.made and word.bare) or word.glob for word in before)
    foreign = any(is_foreign(place, cwd) for place in _places(options))
    return [] if known and not split and not foreign else [unlisted("git")]


def _folder(options: Options) -> str:
    return next(iter(_places(options, "--work-tree")), "")


def _places(options: Options, named: str = "--git-dir --work-tree") -> list[str]:
    """The folders that its options name, each as `-C` leads there; the last is that of `-C` itself."""
    folder = ""
    for value in options.values(names("-C")):
        folder = joined(folder, value.text)
    return [*(joined(folder, value.text) for value in options.values(names(named))), folder]


def _subcommand(call: Call, command: Word, args: tuple[Word, ...]) -> list[Outcome]:
    name = command.text
    if not command.plain:
        return [dynamic("git")]
    texts = [word.text for word in args]
    if texts[:1] == ["--help"] or (texts[1:] == ["--help"] and not texts[0].startswith("-")):
        return [reads("git")]
    handler = COMMANDS.get(name)
    if handler is None:
        return [unlisted("git")]
    if texts == ["-h"]:
        return [reads("git")]
    if not HELP.isdisjoint(word.text for word in before_dashes(args)):
        # Anywhere else it may be the value of an option, or come after one has acted.
        return [dynamic("git")]
    if name in looking.REMOTE_HELPERS and any(HELPED_BY.match(word.text) for word in args):
        return [dynamic("git")]
    if name in HEAD_COMMANDS and args and args[-1].text in HEAD_IF_LAST:
        args = (*args, Word("HEAD"))
    found = handler(Call("git", tuple(_apart(name, args)), call.stdin, call.shell))
    rehearses = "--dry-run" in texts or all(one.verdict == "read_only" for one in found)
    return [dynamic("git")] if name in ASKS_REMOTES and rehearses and not _literal(name, args) else found


def _apart(name: str, args: Sequence[Word]) -> list[Word]:
    """Without the values that only some short options have, in the same word."""
    glued = names(looking.GLUED.get(name, ""))
    if not glued:
        return list(args)
    cut = next((at for at, word in enumerate(args) if word.text == "--"), len(args))
    return [
        replace(word, text=word.text[:2]) if at < cut and word.text[:2] in glued else word
        for at, word in enumerate(args)
    ]


def _literal(name: str, args: Sequence[Word]) -> bool:
    """Whether it is known what a request tells whom. A remote that has a name may be asked for any branch."""
    if not any(word.dynamic for word in args):
        return True
    if name == "remote":
        return args[0].text == "get-url"
    valued = names("-o --push-option --server-option --repo --sort --depth --filter -j --jobs")
    options = read_options(args, valued)
    if any(value is not None and value.dynamic for _, value in options.flags) or not options.operands:
        return False
    return REMOTE_NAME.match(options.operands[0].text) is not None


PROGRAMS: dict[str, Handler] = {"git": _git, "git-lfs": CHOICES["lfs"]}
