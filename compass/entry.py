"""The console entry. A hook returns before anything that a command needs is imported."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> int:
    if len(sys.argv) == 3 and sys.argv[1] == "hook" and not sys.argv[2].startswith("-"):
        from compass import __version__
        from hooks.client import run

        return run(sys.argv[2], _judge, f"{__version__}\0{_root()}".encode("utf-8", "surrogateescape"))
    from compass.cli import main as command_line

    return command_line(sys.argv[1:])


def _root() -> str:
    """Where this installation lies: client and service of two installations do not mix."""
    return __file__.rpartition("/")[0].rpartition("/")[0]


def _judge(
    event: str,
    payload: bytes,
    answer: Callable[[bytes], None],
    *,
    late: str = "",
    wake: bool = False,
    spent: float = 0.0,
) -> bytes:
    from compass.inprocess import judge

    return judge(event, payload, answer, late=late, wake=wake, spent=spent)
