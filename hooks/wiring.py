"""What a host's settings are told of Compass, whatever their form: the hook's command line and its policy. Pure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from evaluator.settings.places import FLAG, WORDS

EVENTS = (
    "session-start",
    "user-prompt-submit",
    "pre-tool-use",
    "post-tool-use",
    "post-tool-use-failure",
    "session-end",
)
"""Compass's words for the events of a host."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What the entries are made from. `interpreter` and `script` are absolute paths.

    `blocks`: a hook that fails stops the tool (the policy is closed). `mcp_tools`: names of further tools
    that write; those of MCP servers are matched whether or not they are named. `said` are the words of
    `evaluator.settings.places`.
    """

    interpreter: str
    script: str
    blocks: bool
    mcp_tools: tuple[str, ...] = ()
    http: HttpWiring | None = None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HttpWiring:
    """The port on this machine that http hooks ask, and the absolute folder of the project that they are for."""

    port: int
    project_dir: str


@dataclass(frozen=True, slots=True)
class Invocation:
    """A hook's command line: interpreter, its flags, script, event, and what the entry says of itself."""

    interpreter: str
    flags: tuple[str, ...]
    script: str
    event: str
    said: tuple[str, ...]


def closed_policy(mode: str, error_policy: str) -> bool:
    """Whether a failing hook must stop the write: only while enforcing, and only if told so."""
    return mode == "enforce" and error_policy == "closed"


def hook_command(interpreter: str, script: str, event: str, said: Sequence[str] = ()) -> str:
    """A command line for sh, bash and zsh.

    -I keeps the project's own modules out of the hook; -S leaves site-packages to those calls that need them.
    """
    return shlex.join((interpreter, "-I", "-S", script, "hook", event, *said))


CLOSING = " || { [ $? -eq 2 ] || echo 'Compass did not answer, so nothing ran; try `compass doctor`.' >&2; exit 2; }"


def closing(command: str) -> str:
    """A hook's command line, for sh, that ends with the code 2 and a word on stderr however the hook dies.

    For hosts to which that denies and another failure does not. What is left open: no shell, and the host's time-out.
    """
    return command + CLOSING


_ANSWERING = re.compile(r"""out=\$\((.*?)\)(?: \|\| .*?)?; \[ -n "\$out" \] \|\| out=.*""", re.DOTALL)


def answering(command: str, otherwise: str, *, closes: bool) -> str:
    """A hook's command line that prints `otherwise` where the hook prints nothing: for hosts to which that refuses.

    A program for sh in one word, so it means the same whether or not the host runs it by a shell. `closes`: a hook that
    dies ends with the code 2; else it has printed nothing.
    """
    failed = CLOSING if closes else ""
    shown = f"""[ -n "$out" ] || out={shlex.quote(otherwise)}; printf '%s\\n' "$out\""""
    return shlex.join(("sh", "-c", f"out=$({command}){failed}; {shown}"))


def _bare(command: str) -> str:
    """The command line of the hook alone. Raises ValueError."""
    if command.startswith("sh -c ") and len(words := shlex.split(command)) == 3:
        found = _ANSWERING.fullmatch(words[2])
        return found[1] if found else command
    return command.removesuffix(CLOSING)


def saying(command: str, word: str) -> str:
    """A hook's command line, in whatever form, that says one more word of itself: the last one holds. Raises ValueError
    for one that cannot be read."""
    bare = _bare(command)
    longer = f"{bare} {shlex.quote(word)}"
    if command.startswith(bare):
        return longer + command[len(bare) :]
    *shell, program = shlex.split(command)
    return shlex.join((*shell, program.replace(bare, longer, 1)))


def program_of(command: str) -> Invocation | None:
    """A command line taken apart, None for one that calls another program or cannot be read."""
    try:
        words = shlex.split(_bare(command))
    except ValueError:
        return None
    at = next((place for place, word in enumerate(words) if word == "hook" and place >= 2), 0)
    if not at or at + 1 >= len(words) or words[at + 1] not in EVENTS:
        return None
    said = tuple(words[at + 2 :])
    if PurePath(words[at - 1]).parts[-2:] != ("compass", "__main__.py"):
        return None
    if said and (
        said[0] != FLAG or said[1:2] == () or said[1] not in WORDS or not all("=" in one for one in said[2:])
    ):
        return None
    return Invocation(words[0], tuple(words[1 : at - 1]), words[at - 1], words[at + 1], said)
