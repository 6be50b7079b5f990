"""Settings files are read as the host reads them; what it might read and Compass cannot is opaque."""

import os

import pytest
from corpora import corpus

from evaluator.settings.files import MAX_SETTINGS_BYTES, read_settings

BLOCK = b'{"env": {"A": "1"}, "x": '


@corpus(
    "raw",
    [
        BLOCK + b"0}",
        b"\xef\xbb\xbf" + BLOCK + b"0}",
        '\ufeff{"env": {"A": "1"}}'.encode("utf-16-le"),
        BLOCK + b'"\xff\xfe"}',
        BLOCK + b"9" * 5000 + b"}",
        b'{"env": {"B": "2"}, "env": {"A": "1"}}',
    ],
    ids=["plain", "utf-8 mark", "utf-16", "wrong bytes", "a number of 5000 digits", "a key twice"],
)
def test_what_the_host_reads_is_read(tmp_path, raw):
    """Each of these was tried with the real client, which sets A to 1."""
    (tmp_path / "settings.json").write_bytes(raw)
    found = read_settings(str(tmp_path / "settings.json"))
    assert (found.section("env"), found.problem, found.opaque) == ({"A": "1"}, "", False)


@pytest.mark.parametrize(
    "raw", [BLOCK + b"[" * 90_000 + b"]" * 90_000 + b"}", BLOCK + b'"' + b"y" * MAX_SETTINGS_BYTES + b'"}']
)
def test_what_the_host_may_read_and_compass_cannot_is_opaque(tmp_path, raw):
    (tmp_path / "settings.json").write_bytes(raw)
    found = read_settings(str(tmp_path / "settings.json"))
    assert found.opaque and found.problem and not found.value


@corpus("raw", [b"// c\n{}", b'{"a": 1,}', b"{", b"[]", b'{"env": {"A": "\t"}}', b"\x00"])
def test_what_the_host_drops_is_a_problem_and_no_more(tmp_path, raw):
    (tmp_path / "settings.json").write_bytes(raw)
    found = read_settings(str(tmp_path / "settings.json"))
    assert found.problem and not found.opaque and not found.value


@pytest.mark.timeout(10)
def test_a_pipe_does_not_block_and_a_folder_or_a_device_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "endless"):
        assert read_settings(str(path)).opaque
    assert "IsADirectoryError" in read_settings(str(tmp_path)).problem
    assert read_settings("a\x00b").problem
