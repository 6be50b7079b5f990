"""The hook's own process: bytes in, at most one JSON object out, exit 0; or a refusal on stderr, exit 2.

Imports built-ins and the frames alone. Asks the service; without one, or where it refuses, the judge that is passed
in decides here, which is the expensive path. What `os` would add to `posix` costs half as much as the whole client,
and `__future__` a hundredth of the call; so annotations are quoted where they are not built-ins.
"""

import posix
from sys import getfilesystemencodeerrors, getfilesystemencoding
from time import monotonic

from evaluator import wire

MAX_PAYLOAD_BYTES = 64 * 1024 * 1024
PIPE_BYTES = 64 * 1024
"""What a pipe holds: a larger read would get no more, from memory that has to be mapped first."""
CONNECT_SECONDS = 0.5
ACCEPT_SECONDS = 2.0
"""A service that has not even taken the call by then hangs: the call is judged here, with the time that is left."""
GRACE_SECONDS = 0.5
"""Past the deadline that the service named."""
_STDIN, _STDOUT, _STDERR = 0, 1, 2
_OFF = (b"0", b"false", b"no", b"off")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable, Mapping, Sequence

    Judge = Callable[..., bytes]
    """`compass.hook.entry.judge`, or what stands for it."""


class Late(Exception):  # noqa: N818 - not a fault of this program
    """The service took the call and gave no answer in time."""


class NotJudged(Exception):  # noqa: N818
    """Nobody else judges this call. `absent`: because no service is there, or it is on its way out."""

    def __init__(self, absent: bool) -> None:
        self.absent = absent
        super().__init__(absent)


def run(event: str, load: "Callable[[], Judge]", install: bytes = b"") -> int:
    """Read the payload, have it judged, print the answer. `install` names this installation and its version.

    `load` gives the judge that decides here, and is called only where the service does not.

    A judge that must answer before it can return calls `answer` and ends the process itself. Stray prints
    go to stderr: any byte before the answer would make the host ignore it.
    """
    try:
        posix.fstat(_STDERR)
    except OSError:
        # A closed stderr would lend its number to the next file that is opened: the answer's own.
        posix.dup2(posix.open("/dev/null", posix.O_WRONLY), _STDERR)
    out = posix.dup(_STDOUT)
    posix.dup2(_STDERR, _STDOUT)

    def answer(text: bytes) -> None:
        refuses = text[:1] == wire.REFUSAL
        if refuses:
            text = text[1:].rstrip(b"\n") + b"\n"
        while text:
            text = text[posix.write(_STDERR if refuses else out, text) :]
        if refuses:
            posix._exit(2)  # pyright: ignore[reportPrivateUsage]

    began = monotonic()
    payload = read_stdin(MAX_PAYLOAD_BYTES)
    try:
        found = ask_service(install, event, payload, began)
    except NotJudged as refused:
        found = load()(event, payload, answer, wake=refused.absent, spent=monotonic() - began)
    except Late as late:
        found = load()(event, payload, answer, late=str(late))
    answer(found)
    return 0


def apply_entry(entry: "Sequence[str]") -> None:
    """What the wired entry says goes before the environment, which a project's settings may have changed.

    `entry`: `closed`, `open` or `recorded` (`settings.places`), then HOST=name of another host than the
    default one, and NAME=value of the folders that held at `compass init`; empty for an entry that says nothing.
    Folders of another user, as under sudo, do not count.
    """
    _unset_hook_env_variable(wire.WIRED)
    if not entry:
        return
    # The plugin's own run has no entry, and stays silent where an entry calls.
    _unset_hook_env_variable(b"COMPASS_VIA_PLUGIN")
    word, *rest = [word.encode(getfilesystemencoding(), getfilesystemencodeerrors()) for word in entry]
    said = {name: value for name, _, value in (pair.partition(b"=") for pair in rest)}
    home = said.get(b"HOME", b"")
    try:
        placed = home[:1] == b"/" and posix.stat(home).st_uid == posix.getuid()
    except (OSError, ValueError):
        placed = False
    host = said.get(wire.HOST[:-1], b"")
    _set_hook_env_variable(
        wire.WIRED,
        word + (b" " + wire.PLACED if placed else b"") + (b" " + wire.HOST + host if host else b""),
    )
    if not placed:
        return
    runtime = b"/run/user/%d" % posix.getuid()
    for name in wire.FOLDERS:
        if name in said:
            _set_hook_env_variable(name, said[name])
        elif name != b"XDG_RUNTIME_DIR" or posix.environ.get(name) != runtime:
            _unset_hook_env_variable(name)


def _set_hook_env_variable(name: bytes, value: bytes) -> None:
    """As `os.environb` does it, whose values are those of `posix.environ`."""
    posix.putenv(name, value)
    posix.environ[name] = value


def _unset_hook_env_variable(name: bytes) -> None:
    if name in posix.environ:
        posix.unsetenv(name)
        del posix.environ[name]


def ask_service(install: bytes, event: str, payload: bytes, began: float) -> bytes:
    """The service's answer to a call of that moment, its complaints passed on. Raises NotJudged and Late."""
    env = posix.environ
    if not install or env.get(b"COMPASS_SERVICE__ENABLED", b"").lower() in _OFF or b"COMPASS_NESTED" in env:
        raise NotJudged(absent=False)
    try:
        cwd = posix.getcwdb()
    except OSError:
        cwd = b"/"
    variables = b"\0".join([name + b"=" + value for name, value in env.items()])
    body = wire.pack(install, event.encode("utf-8", "replace"), cwd, variables, payload)
    kind, found = call_service(env, wire.REQUEST, body, began)
    if kind != wire.ANSWER:
        raise NotJudged(absent=found in (wire.CLOSING, wire.OLDER))
    try:
        text, complaint = wire.unpack(found, 2)
    except ValueError:
        raise NotJudged(absent=False) from None
    if complaint:
        complain_on_stderr(complaint.decode("utf-8", "replace").rstrip("\n"))
    return text


def call_service(
    env: "Mapping[bytes, bytes]", kind: int, body: bytes = b"", began: "float | None" = None
) -> "tuple[int, bytes]":
    """Sends one frame to Compass's service; the kind and body of its last word. Raises NotJudged and Late.

    It ends LONGEST_SECONDS after `began` (now, if None), however often the service says that it takes longer.
    """
    path = wire.socket_path(env)
    if not path or not is_private_folder(path[: path.rindex(b"/")]):
        raise NotJudged(absent=True)
    import _socket

    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    latest = (monotonic() if began is None else began) + wire.LONGEST_SECONDS
    accepted = 0.0
    try:
        line.settimeout(CONNECT_SECONDS)
        line.connect(path)
        if wire.peer_uid(line) != posix.getuid():
            raise NotJudged(absent=False)
        line.settimeout(ACCEPT_SECONDS)
        line.sendall(wire.frame(kind, body))
        answered, found = _receive_hook_frame(line, monotonic() + ACCEPT_SECONDS)
        while answered == wire.ACCEPTED:
            accepted = int(found) / 1000
            answered, found = _receive_hook_frame(line, min(monotonic() + accepted + GRACE_SECONDS, latest))
    except FileNotFoundError:
        raise NotJudged(absent=True) from None
    except (OSError, ValueError, OverflowError) as fault:
        if accepted and isinstance(fault, TimeoutError):
            raise Late(
                f"the service gave no verdict within {min(accepted, wire.LONGEST_SECONDS):g} s"
            ) from None
        # Nothing listens behind a socket that a killed service left; one that hangs or breaks is not replaced.
        raise NotJudged(absent=isinstance(fault, (ConnectionError, EOFError))) from None
    finally:
        line.close()
    return answered, found


def is_private_folder(folder: bytes) -> bool:
    """Whether only this user can have put a socket there."""
    try:
        found = posix.lstat(folder)
    except OSError:
        return False
    return found.st_uid == posix.getuid() and found.st_mode & 0o170077 == 0o040000


def complain_on_stderr(text: str) -> None:
    """One line on stderr, unbuffered; a stderr that cannot be written costs nobody the answer."""
    try:  # noqa: SIM105 - contextlib is an import that the hook's first step does not make
        posix.write(_STDERR, text.encode("utf-8", "replace") + b"\n")
    except OSError:
        pass


def _receive_hook_frame(line: "socket", end: float) -> "tuple[int, bytes]":
    """A frame that is whole at that moment. Raises TimeoutError, ConnectionResetError and ValueError."""
    kind, size = wire.header(_receive_hook_bytes(line, wire.HEADER_BYTES, end))
    return kind, _receive_hook_bytes(line, size, end)


def _receive_hook_bytes(line: "socket", size: int, end: float) -> bytes:
    parts: list[bytes] = []
    while size:
        left = end - monotonic()
        if left <= 0:
            raise TimeoutError("the service was too slow")
        line.settimeout(left)
        part = line.recv(min(size, 1 << 20))
        if not part:
            raise ConnectionResetError("the service closed the connection")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_stdin(most: int) -> bytes:
    """Everything on stdin. Of more than that many bytes none: the rest is read and dropped, so that the writer is not
    cut off."""
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            part = posix.read(_STDIN, PIPE_BYTES)
        except OSError:
            break
        if not part:
            break
        size += len(part)
        if size <= most:
            parts.append(part)
    return b"".join(parts) if size <= most else b""
