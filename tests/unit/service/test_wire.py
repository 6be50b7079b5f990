"""Frames are read back as they were written, and nothing else is taken for one."""

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from evaluator import wire


@given(st.integers(0, 255), st.binary(max_size=200))
def test_a_frame_is_read_back(kind, body):
    whole = wire.frame(kind, body)
    assert wire.header(whole[: wire.HEADER_BYTES]) == (kind, len(body))
    assert whole[wire.HEADER_BYTES :] == body


@given(st.lists(st.binary(max_size=50), max_size=6))
def test_fields_are_read_back(fields):
    assert wire.unpack(wire.pack(*fields), len(fields)) == fields


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=6), st.data())
def test_a_body_that_was_cut_or_grew_is_refused(fields, data):
    body = wire.pack(*fields)
    cut = data.draw(st.integers(0, len(body) - 1))
    for wrong in (body[:cut], body + b"x"):
        with pytest.raises(ValueError, match="frame"):
            wire.unpack(wrong, len(fields))


@given(st.binary(min_size=wire.HEADER_BYTES, max_size=wire.HEADER_BYTES))
def test_another_protocol_or_version_is_not_understood(head):
    if head.startswith(wire.MAGIC):
        head = b"x" + head[1:]
    with pytest.raises(ValueError, match="not a frame"):
        wire.header(head)


def test_a_body_beyond_the_bound_is_refused():
    head = wire.MAGIC + bytes((wire.REQUEST,)) + (wire.MAX_BODY_BYTES + 1).to_bytes(4, "big")
    with pytest.raises(ValueError, match="larger"):
        wire.header(head)


@corpus(
    ("env", "folder"),
    [
        ({b"XDG_RUNTIME_DIR": b"/run/user/7", b"HOME": b"/home/me"}, b"/run/user/7/compass"),
        ({b"XDG_RUNTIME_DIR": b"relative", b"HOME": b"/home/me"}, b"/home/me/.onlooker/compass/run"),
        ({b"ONLOOKER_DIR": b"/state", b"HOME": b"/home/me"}, b"/state/compass/run"),
        ({b"HOME": b""}, b""),
        ({}, b""),
    ],
)
def test_the_folder_of_the_socket(env, folder):
    assert wire.run_dir(env) == folder


def test_a_folder_too_deep_for_a_sockets_address_has_none():
    assert wire.socket_path({b"HOME": b"/" + b"x" * 90}) == b""
