"""What a host's settings are told of Compass: the hook's command line, and entries among other people's. Pure, but for
`read_settings`.

Entries stand in lists under `{"hooks": {EVENT: [...]}}`, where an element is a handler, or a group `{"matcher",
"hooks": [handler]}`. `is_own` tells handlers of ours.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import cast

from evaluator.settings.places import FLAG, WORDS
from hooks.json_lines import mapping

OWN_PROGRAM = os.path.join("compass", "__main__.py")
BYTES_MAX = 4 * 1024 * 1024
"""Of a settings file."""
IsOwn = Callable[[object], bool]

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
    said: tuple[str, ...] = ()


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


def closing_command(command: str) -> str:
    """A hook's command line, for sh, that ends with the code 2 and a word on stderr however the hook dies.

    For hosts to which that denies and another failure does not. What is left open: no shell, and the host's time-out.
    """
    return command + CLOSING


_ANSWERING = re.compile(r"""out=\$\((.*?)\)(?: \|\| .*?)?; \[ -n "\$out" \] \|\| out=.*""", re.DOTALL)


def answering_command(command: str, otherwise: str, *, closes: bool) -> str:
    """A hook's command line that prints `otherwise` where the hook prints nothing: for hosts to which that refuses.

    A program for sh in one word, so it means the same whether or not the host runs it by a shell. `closes`: a hook that
    dies ends with the code 2; else it has printed nothing.
    """
    failed = CLOSING if closes else ""
    shown = f"""[ -n "$out" ] || out={shlex.quote(otherwise)}; printf '%s\\n' "$out\""""
    return shlex.join(("sh", "-c", f"out=$({command}){failed}; {shown}"))


def _bare_hook_command(command: str) -> str:
    """The command line of the hook alone. Raises ValueError."""
    if command.startswith("sh -c ") and len(words := shlex.split(command)) == 3:
        found = _ANSWERING.fullmatch(words[2])
        return found[1] if found else command
    return command.removesuffix(CLOSING)


def command_saying(command: str, word: str) -> str:
    """A hook's command line, in whatever form, that says one more word of itself: the last one holds. Raises ValueError
    for one that cannot be read."""
    bare = _bare_hook_command(command)
    longer = f"{bare} {shlex.quote(word)}"
    if command.startswith(bare):
        return longer + command[len(bare) :]
    *shell, program = shlex.split(command)
    return shlex.join((*shell, program.replace(bare, longer, 1)))


def invocation_of(command: str) -> Invocation | None:
    """A command line taken apart, None for one that calls another program or cannot be read."""
    try:
        words = shlex.split(_bare_hook_command(command))
    except ValueError:
        return None
    at = next((place for place, word in enumerate(words) if word == "hook" and place >= 2), 0)
    if not at or at + 1 >= len(words) or words[at + 1] not in EVENTS:
        return None
    said = tuple(words[at + 2 :])
    known = len(said) > 1 and said[0] == FLAG and said[1] in WORDS and all("=" in one for one in said[2:])
    if PurePath(words[at - 1]).parts[-2:] != ("compass", "__main__.py") or (said and not known):
        return None
    return Invocation(words[0], tuple(words[1 : at - 1]), words[at - 1], words[at + 1], said)


def read_settings(path: str) -> dict[str, object] | str | None:
    """The file's object as a host parses it, None if there is no file, or in words why it does not load."""
    try:
        with open(path, "rb") as file:
            raw = file.read(BYTES_MAX + 1)
        if len(raw) > BYTES_MAX:
            return f"larger than {BYTES_MAX} bytes"
        value: object = json.loads(raw.decode("utf-8-sig")) if raw.strip() else {}
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {str(error)[:100]}"
    return cast(dict[str, object], value) if isinstance(value, dict) else "not a JSON object"


def without_own_entries(hooks: Mapping[str, object], is_own: IsOwn, keep: Sequence[str]) -> dict[str, object]:
    """`hooks` without own entries; an event that is empty for it goes too, unless `keep` names it."""
    left: dict[str, object] = {}
    for event, listed in hooks.items():
        rest = _foreign_entries(cast(list[object], listed), is_own) if isinstance(listed, list) else listed
        if rest or rest == listed or f"hooks.{event}" in keep:
            left[event] = rest
    return left


def _foreign_entries(listed: Sequence[object], is_own: IsOwn) -> list[object]:
    """Without what is ours; a group that holds nothing else goes as a whole."""
    rest: list[object] = []
    for element in listed:
        handlers = handlers_of_entry(element)
        foreign = [handler for handler in handlers if not is_own(handler)]
        if len(foreign) == len(handlers):
            rest.append(element)
        elif foreign:
            rest.append({**mapping(element), "hooks": foreign})
    return rest


def with_own_entry(listed: Sequence[object], wanted: dict[str, object], is_own: IsOwn) -> list[object]:
    """With exactly one handler of ours: in the first element that can hold it, else at the end."""
    placed: list[object] = []
    done = False
    for element in listed:
        handlers, held = handlers_of_entry(element), mapping(element)
        rest = _foreign_entries([element], is_own)
        if rest == [element]:
            placed.append(element)
        elif not done and not rest:
            placed.append(wanted)
            done = True
        elif not done and held.get("matcher") == wanted.get("matcher"):
            at = next(index for index, item in enumerate(handlers) if is_own(item))
            after = [item for item in handlers[at:] if not is_own(item)]
            placed.append({**held, "hooks": [*handlers[:at], handlers_of_entry(wanted)[0], *after]})
            done = True
        else:
            placed += rest
    return placed if done else [*placed, wanted]


def handlers_of_entry(element: object) -> Sequence[object]:
    """The handlers of a group; a handler that stands alone is its own."""
    held = mapping(element).get("hooks")
    return cast(list[object], held) if isinstance(held, list) else [element]
