"""Whose hook may stay out as our own reader's: the token's, and only below the process that issued it."""

import os
import subprocess
import time

import pytest
from running.hookrun import Place, denial

from evaluator.processes import process_of
from evaluator.state.store import open_store

NOW_AND_LATER = 3600.0


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, forked=False)


def issued(place, pid):
    """A token that the process `pid` holds, as the state has it."""
    found = process_of(str(pid))
    assert found is not None
    opened = open_store(str(place.state / "compass"), now=time.time())
    try:
        return opened.store.issue_token(time.time(), NOW_AND_LATER, found.name)
    finally:
        opened.store.close()


def hook(place, token):
    place.env["COMPASS_NESTED"] = token
    place.say("What does this do?")
    return place.hook("pre-tool-use", place.payload(tool="Bash", given={"command": "rm -rf src"}))


def test_a_hook_below_the_issuer_stays_out(place):
    done = hook(place, issued(place, os.getpid()))
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_token_of_another_process_opens_nothing(place):
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            assert denial(hook(place, issued(place, other.pid)))
        finally:
            other.kill()


def test_who_presents_what_a_kept_reader_holds_is_denied(place):
    assert "the token of a reader's process" in (denial(hook(place, "warm")) or "")
