"""Frames between the hook's client and the service, and where they meet. Built-ins only: the client starts with it.

A frame is MAGIC, one byte of kind, four bytes of body length (big-endian), and the body. A body of several fields
has four bytes of length before each. One side sends REQUEST, STATUS, STOP or PAGE; the other answers with ACCEPTED
(only to what takes a while, with its deadline in milliseconds), and then exactly one of ANSWER and REFUSED.
"""

MAGIC = b"CPS\x01"
"""The protocol and its version, in one: a peer of another version is not understood, and so not believed."""

LONGEST_SECONDS = 29.0
"""From the start of a call to its answer, whatever deadline anybody names: inside the time-out of the host's entry."""

HEADER_BYTES = 9
MAX_BODY_BYTES = 72 * 1024 * 1024
"""A payload of the largest size that the hook reads, and its environment."""

REQUEST, ACCEPTED, ANSWER, REFUSED, STATUS, STOP, PAGE = range(1, 8)

BUSY, CLOSING, OLDER, NEWER, OTHER = b"busy", b"closing", b"older", b"newer", b"other"
"""Why a call is refused: too many at once; on its way out; the service is not of the version that the client is, and
goes; it is newer, of another installation, and stays; it is another installation. Whoever is refused judges by
itself."""

FOLDERS = (b"XDG_RUNTIME_DIR", b"ONLOOKER_DIR", b"HOME")
"""The variables that tell where the socket is."""

WIRED = b"COMPASS_WIRED"
"""What the wired entry says, for whoever judges: only its own words set it (`hooks.client.apply_entry`)."""
PLACED = b"placed"
"""Beside the entry's word: the folders of FOLDERS are the entry's."""
HOST = b"HOST="
"""Beside it too: which host calls, as the entry names it; the default one where none is named."""

REFUSAL = b"\x02"
"""An answer that begins so is no output: the rest is said on stderr, and the hook ends with the code 2. For hosts to
which that is the one denial that holds whatever they make of an output."""

SOCKET_NAME = "service.sock"

PAGE_SECRET = "cpsp_"  # noqa: S105 - what it begins with
"""How each link's secret and each token of the page begins: so an agent's call that holds one is known."""
MAX_PATH_BYTES = 100
"""What fits into a socket's address on every system, with room for the end of the string."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Mapping


def peer_uid(line: "socket") -> int:
    """Who runs the other end of a Unix socket: SO_PEERCRED on Linux (pid, uid, gid), LOCAL_PEERCRED elsewhere."""
    import sys

    if sys.platform == "linux":
        from _socket import SO_PEERCRED, SOL_SOCKET

        found = line.getsockopt(SOL_SOCKET, SO_PEERCRED, 12)
    else:
        # struct xucred: version, then the uid; level SOL_LOCAL and option LOCAL_PEERCRED of <sys/un.h>.
        found = line.getsockopt(0, 1, 76)
    return int.from_bytes(found[4:8], sys.byteorder)


def wired_in(variables: bytes) -> bytes:
    """The value of WIRED among NAME=value with a NUL between."""
    name = WIRED + b"="
    return next((one[len(name) :] for one in variables.split(b"\0") if one.startswith(name)), b"")


def folder_variables(env: "Mapping[str, str]") -> "dict[bytes, bytes]":
    """Of an environment, what tells where the socket is."""
    return {name: env.get(name.decode(), "").encode("utf-8", "surrogateescape") for name in FOLDERS}


def frame(kind: int, body: bytes = b"") -> bytes:
    return MAGIC + bytes((kind,)) + len(body).to_bytes(4, "big") + body


def header(head: bytes) -> "tuple[int, int]":
    """Kind and body length of HEADER_BYTES bytes. Raises ValueError for anything that is not ours."""
    if len(head) != HEADER_BYTES or head[:4] != MAGIC:
        raise ValueError("not a frame of this protocol")
    size = int.from_bytes(head[5:9], "big")
    if size > MAX_BODY_BYTES:
        raise ValueError("a frame larger than this protocol allows")
    return head[4], size


def pack(*fields: bytes) -> bytes:
    return b"".join([part for field in fields for part in (len(field).to_bytes(4, "big"), field)])


def unpack(body: bytes, count: int) -> "list[bytes]":
    """Exactly `count` fields. Raises ValueError for another number of them, or a body that ends too soon."""
    fields: list[bytes] = []
    place = 0
    for _ in range(count):
        start = place + 4
        place = start + int.from_bytes(body[start - 4 : start], "big")
        if start > len(body) or place > len(body):
            raise ValueError("a frame that ends before its fields do")
        fields.append(body[start:place])
    if place != len(body):
        raise ValueError("a frame with data after its last field")
    return fields


def run_dir(env: "Mapping[bytes, bytes]") -> bytes:
    """The folder of the socket: `$XDG_RUNTIME_DIR/compass`, else `run` under the state folder; empty for none.

    What an untrusted project sets here can lead only to a folder of the same user with mode 0700, where its
    processes alone could listen; see `docs/threat-model.md`.
    """
    folder = env.get(b"XDG_RUNTIME_DIR", b"")
    if folder[:1] == b"/":
        return folder + b"/compass"
    folder = env.get(b"ONLOOKER_DIR", b"")
    if folder[:1] == b"/":
        return folder + b"/compass/run"
    home = env.get(b"HOME", b"")
    return home + b"/.onlooker/compass/run" if home[:1] == b"/" else b""


def socket_path(env: "Mapping[bytes, bytes]") -> bytes:
    """The service's socket; empty where there can be none: no folder, or a name too long for an address."""
    folder = run_dir(env)
    path = folder + b"/" + SOCKET_NAME.encode()
    return path if folder and len(path) <= MAX_PATH_BYTES else b""
