"""The host's status line: its JSON on stdin, one line on stdout. Built-ins and the glance alone, as in `hooks.client`.

Whatever goes wrong, something is printed and the exit code is 0: a client blanks the line of one that fails.
"""

import posix
from sys import getfilesystemencodeerrors, getfilesystemencoding
from time import localtime, strftime, time

from hooks.client import apply_entry, read_stdin

WIRED = "--wired"
MAX_BYTES = 4 * 1024 * 1024
SEPARATOR = " · "
_STDOUT = 1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluator.state.session_summary import Glance


def run(words: "Sequence[str]") -> int:
    """Print the line. `words`: what the entry says of itself (`settings.places`)."""
    payload = read_stdin(MAX_BYTES)
    apply_entry(words[1:] if words[:1] == [WIRED] else ())
    text = (line(looked(payload, posix.environ, time())) + "\n").encode()
    try:
        while text:
            text = text[posix.write(_STDOUT, text) :]
    except OSError:
        # A reader that left early is its own matter.
        pass
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
    if found.down_since is not None:
        parts.append("readers down since " + strftime("%H:%M", localtime(found.down_since)))
    if found.week:
        parts.append(found.week)
    return SEPARATOR.join(parts)


def looked(payload: bytes, env: "Mapping[bytes, bytes]", now: float) -> "Glance | None":
    """What is known of the session that the host's JSON names."""
    folder = _statusline_state_dir(env)
    if not folder:
        return None
    try:
        from evaluator.state.session_summary import glance
    except ImportError:
        return None
    return glance(folder + "/compass.db", payload, now)


def _statusline_state_dir(env: "Mapping[bytes, bytes]") -> str:
    """As `settings.places`; empty where the environment names no folder."""
    folder, home = env.get(b"ONLOOKER_DIR", b""), env.get(b"HOME", b"")
    if folder[:1] != b"/":
        if folder or home[:1] != b"/":
            return ""
        folder = home + b"/.onlooker"
    return folder.decode(getfilesystemencoding(), getfilesystemencodeerrors()) + "/compass"
