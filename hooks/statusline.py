"""The host's status line: its JSON on stdin, one line on stdout. Built-ins and the glance alone, as in `hooks.client`.

The line may stand behind that of another command, which the user had before: it gets the same input and is shown
first. Whatever goes wrong, something is printed and the exit code is 0: a client blanks the line of one that fails.
"""

import posix
from sys import getfilesystemencodeerrors, getfilesystemencoding
from time import localtime, strftime, time

from hooks.client import heed

KEEPS, SHOWS = "--keeps", "--shows"
"""Before a command that goes first: one that stood where ours was put, or one of another settings file."""
WIRED = "--wired"
MAX_BYTES = 4 * 1024 * 1024
SIGPIPE = 13
"""Python ignores it, and a child would inherit that."""
RESET = b"\x1b[0m"
SEPARATOR = " · "
_STDIN, _STDOUT = 0, 1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluator.state.session_summary import Glance


def run(words: "Sequence[str]") -> int:
    """Print the line. `words`: what goes first, and what the entry says of itself (`settings.places`)."""
    first, said = _taken_apart(words)
    payload = _read(_STDIN)
    beside = _start(first, payload) if first else None
    heed(said)
    own = line(looked(payload, posix.environ, time()))
    if beside is None:
        _write(_STDOUT, (own + "\n").encode())
        return 0
    _write(_STDOUT, joined(_end(*beside), own))
    return 0


def line(found: "Glance | None") -> str:
    """The status line's text: what a person is to know at a glance."""
    if found is None:
        return "compass" + SEPARATOR + "no hook has run in this session"
    parts = [f"compass {found.mode}"]
    if found.held:
        parts.append(f"held {found.held}")
    if found.observed:
        parts.append(f"would have held {found.observed}")
    parts.append(
        f"{found.checks} check" + ("" if found.checks == 1 else "s") if found.checks else "no checks yet"
    )
    if found.down_until is not None:
        parts.append("readers down until " + strftime("%H:%M", localtime(found.down_until)))
    elif found.down_since is not None:
        parts.append("readers down since " + strftime("%H:%M", localtime(found.down_since)))
    if found.week:
        parts.append(found.week)
    return SEPARATOR.join(parts)


def joined(theirs: bytes, own: str) -> bytes:
    """Ours at the end of their first line; their further lines stay."""
    first, broken, rest = theirs.partition(b"\n")
    if not first.strip():
        return own.encode() + b"\n" + rest
    reset = RESET if b"\x1b" in first else b""
    return first.rstrip() + reset + (SEPARATOR + own).encode() + b"\n" + (rest if broken else b"")


def _taken_apart(words: "Sequence[str]") -> "tuple[str, Sequence[str]]":
    first = words[1] if words[:1] in ([KEEPS], [SHOWS]) and len(words) > 1 else ""
    rest = words[2:] if first else words
    return first, rest[1:] if rest[:1] == [WIRED] else ()


def looked(payload: bytes, env: "Mapping[bytes, bytes]", now: float) -> "Glance | None":
    """What is known of the session that the host's JSON names."""
    folder = _state_dir(env)
    if not folder:
        return None
    try:
        from evaluator.state.session_summary import glance
    except ImportError:
        return None
    return glance(folder + "/compass.db", payload, now)


def _state_dir(env: "Mapping[bytes, bytes]") -> str:
    """As `settings.places`; empty where the environment names no folder."""
    folder, home = env.get(b"ONLOOKER_DIR", b""), env.get(b"HOME", b"")
    if folder[:1] != b"/":
        if folder or home[:1] != b"/":
            return ""
        folder = home + b"/.onlooker"
    return folder.decode(getfilesystemencoding(), getfilesystemencodeerrors()) + "/compass"


def _start(command: str, payload: bytes) -> "tuple[int, int]":
    """(process, the pipe that it prints to)."""
    given, taken = posix.pipe()
    out, printed = posix.pipe()
    actions = [
        (posix.POSIX_SPAWN_DUP2, given, _STDIN),
        (posix.POSIX_SPAWN_DUP2, printed, _STDOUT),
    ]
    process = posix.posix_spawn(
        "/bin/sh", ["sh", "-c", command], posix.environ, file_actions=actions, setsigdef=[SIGPIPE]
    )
    posix.close(given)
    posix.close(printed)
    _write(taken, payload)
    posix.close(taken)
    return process, out


def _end(process: int, out: int) -> bytes:
    text = _read(out)
    posix.waitpid(process, 0)
    return text


def _read(descriptor: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while size < MAX_BYTES:
        try:
            part = posix.read(descriptor, 65536)
        except OSError:
            break
        if not part:
            break
        size += len(part)
        parts.append(part)
    return b"".join(parts)


def _write(descriptor: int, text: bytes) -> None:
    """A reader that left early is its own matter."""
    try:
        while text:
            text = text[posix.write(descriptor, text) :]
    except OSError:
        return
