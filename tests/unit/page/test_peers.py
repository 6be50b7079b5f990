"""Whose process asks, by the tables of the kernel."""

import os
import socket
from contextlib import closing

import pytest

from evaluator.service.http_access import TABLES, is_strange

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
OWN, CLIENT = 8477, 51000


def table(tmp_path, *rows):
    """Rows are (local port, remote port, state, user)."""
    lines = [
        f"   {number}: 0100007F:{local:04X} 0100007F:{remote:04X} {state} 00000000:00000000 00:00000000 00000000 "
        f"{user:>5}        0 12345 1\n"
        for number, (local, remote, state, user) in enumerate(rows)
    ]
    path = tmp_path / "tcp"
    path.write_text(HEAD + "".join(lines))
    return (str(path),)


LISTENS = (OWN, 0, "0A", os.getuid())
SERVED = (OWN, CLIENT, "01", os.getuid())


def test_another_users_process_is_strange(tmp_path):
    other = (CLIENT, OWN, "01", os.getuid() + 4242)
    assert is_strange(CLIENT, OWN, table(tmp_path, LISTENS, SERVED, other))


def test_the_same_port_of_another_loopback_address_does_not_hide_a_stranger(tmp_path):
    own, other = (CLIENT, OWN, "01", os.getuid()), (CLIENT, OWN, "01", os.getuid() + 4242)
    assert is_strange(CLIENT, OWN, table(tmp_path, LISTENS, SERVED, own, other))


@pytest.mark.parametrize("user", [os.getuid(), 0])
def test_this_user_and_root_are_not(tmp_path, user):
    assert not is_strange(CLIENT, OWN, table(tmp_path, LISTENS, SERVED, (CLIENT, OWN, "01", user)))


@pytest.mark.parametrize("rows", [(LISTENS, SERVED), (LISTENS, (CLIENT, OWN, "05", os.getuid()))])
def test_an_end_that_is_closed_or_missing_is_strange_where_the_table_tells(tmp_path, rows):
    assert is_strange(CLIENT, OWN, table(tmp_path, *rows))


@pytest.mark.parametrize("text", ["", HEAD, HEAD + "garbage\n 1: x:zz y:1 0A\n"])
def test_where_nothing_is_told_nobody_is_strange(tmp_path, text):
    (tmp_path / "tcp").write_text(text)
    assert not is_strange(CLIENT, OWN, (str(tmp_path / "tcp"), str(tmp_path / "none")))


@pytest.mark.skipif(not os.path.exists(TABLES[0]), reason="this system has no tables of its sockets in /proc")
def test_a_connection_of_this_process_is_our_own():
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        with closing(socket.create_connection(("127.0.0.1", port))) as client:
            taken, address = server.accept()
            with closing(taken):
                assert not is_strange(address[1], port)
                assert client.getsockname()[1] == address[1]
                assert is_strange(1, port)
