"""Whose process is at the other end of a loopback connection, where the kernel tells.

A link is handed to the browser on its command line, which other users of the machine can read. So it counts only
from a process of this user.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
LISTENING = "0A"
ESTABLISHED = "01"
ROOT = 0
"""May read this process anyway, and relays ports into some virtual machines."""


def is_strange(client_port: int, own_port: int, tables: Sequence[str] = TABLES) -> bool:
    """Whether another user's process holds the client's end. False where the system does not tell at all."""
    rows = _rows(tables)
    # Another user may hold the same port of another loopback address: one stranger among them is enough.
    held = [
        owner
        for state, local, remote, owner in rows
        if state == ESTABLISHED and (local, remote) == (client_port, own_port)
    ]
    if held:
        return any(owner not in (os.getuid(), ROOT) for owner in held)
    return any(state == LISTENING and local == own_port for state, local, _, _ in rows)


def _rows(tables: Sequence[str]) -> list[tuple[str, int, int, int]]:
    """(state, local port, remote port, user) of every TCP socket of this network; none where nothing is told."""
    found: list[tuple[str, int, int, int]] = []
    for path in tables:
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                lines = file.readlines()[1:]
        except OSError:
            continue
        for line in lines:
            cells = line.split()
            try:
                local, remote = (int(cells[at].rpartition(":")[2], 16) for at in (1, 2))
                found.append((cells[3], local, remote, int(cells[7])))
            except (IndexError, ValueError):
                continue
    return found
