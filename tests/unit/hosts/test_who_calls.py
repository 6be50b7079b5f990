"""An entry names its host, and a refusal leaves by stderr and the code 2: through real processes."""

import json
import os
import subprocess
import sys

import pytest
from corpora import corpus
from repository import ROOT
from running import forked
from running.hookrun import MAIN

from compass.hook.policy import ErrorPolicy
from evaluator import wire
from evaluator.settings.places import entry_words
from hooks import registry
from hooks.entries import (
    CLOSING,
    answering_command,
    closing_command,
    command_saying,
    hook_command,
    invocation_of,
)

COMMAND = hook_command("/p", "/x/compass/__main__.py", "pre-tool-use", ("--wired", "closed", "HOME=/h"))


def run(words, env=None, stdin=b"{}"):
    env = {"HOME": "/nowhere", "PATH": os.defpath, **(env or {})}
    called = ("hook", "pre-tool-use", *words)
    return forked.run(MAIN, called, stdin, env=env, cwd=ROOT, timeout=60, site=False)


def test_the_entry_of_another_host_names_it():
    words = entry_words({}, "/home/u", of_project=False, blocks=True, host="other")
    assert words == ("--wired", "recorded", "HOST=other", "HOME=/home/u")
    assert entry_words({}, "/home/u", of_project=True, blocks=True)[2] == "HOME=/home/u"
    called = invocation_of(hook_command("/p", "/x/compass/__main__.py", "pre-tool-use", words))
    assert called is not None and called.said == words


WIRED = [
    (b"closed placed HOST=other", b"other"),
    (b"open HOST=a-b", b"a-b"),
    (b"HOST=x", b""),
    (b"recorded", b""),
]


@corpus(("wired", "found"), [*WIRED, (b"", b"")])
def test_who_calls_is_read_from_what_the_entry_says(wired, found):
    assert registry.host_name_in(wired) == found
    assert wire.wired_in(b"A=1\0COMPASS_WIRED=" + wired + b"\0B=2") == wired


def test_without_a_name_the_default_host_calls():
    assert registry.calling_host(b"").NAME == registry.calling_host(b"closed placed").NAME == registry.DEFAULT
    with pytest.raises(KeyError):
        registry.calling_host(b"closed HOST=nobody")
    with pytest.raises(KeyError):
        ErrorPolicy("pre-tool-use", {"COMPASS_WIRED": "open HOST=nobody"}, "/", print)


def test_an_entry_of_a_host_that_nobody_knows_fails_with_a_word():
    done = run(["--wired", "closed", "HOST=nobody"])
    assert done.returncode == 1 and done.stdout == b""
    assert b"nobody" in done.stderr and b"Traceback" not in done.stderr


def test_no_variable_of_the_environment_names_the_host():
    done = run([], {"COMPASS_WIRED": "closed HOST=nobody"})
    assert done.returncode == 0


SAY = """
import sys
sys.path.insert(0, {root!r})
from hooks.client import run
from evaluator import wire
def judge(event, payload, answer, **_):
    return {answer}
raise SystemExit(run("pre-tool-use", lambda: judge))
"""


def said(answer):
    code = SAY.format(root=str(ROOT), answer=answer)
    return subprocess.run([sys.executable, "-c", code], input=b"{}", capture_output=True, check=False)


def test_a_refusal_is_said_on_stderr_and_ends_with_2_and_any_other_answer_is_output():
    done = said("wire.REFUSAL + b'Compass held this.\\nShow it.'")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"Compass held this.\nShow it.\n")
    done = said("b'{\"a\": 1}'")
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, {"a": 1}, b"")


@corpus("command", ["exit 1", "kill -9 $$", "/no/such/program", "echo {}; exit 3"])
def test_a_hook_that_dies_ends_with_2_and_a_word(command):
    closed = closing_command(f"sh -c '{command}'")
    done = subprocess.run(["sh", "-c", closed], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "Compass did not answer" in done.stderr


def test_a_closed_command_is_still_known_as_ours():
    assert closing_command(COMMAND) == COMMAND + CLOSING
    assert invocation_of(closing_command(COMMAND)) == invocation_of(COMMAND) is not None
    for other in ("out=$(cat); echo hook pre-tool-use", 'out=$(x hook pre-tool-use); [ -n "$out" ] || out=1'):
        assert invocation_of(f"sh -c '{other}'") is None


def test_an_entry_that_says_one_more_word_is_what_it_was_beside():
    answering = (answering_command(COMMAND, "{}", closes=closes) for closes in (True, False))
    for line in (COMMAND, closing_command(COMMAND), *answering):
        said = command_saying(line, "ONLOOKER_DIR=/a b")
        before, found = invocation_of(line), invocation_of(said)
        assert before is not None and found is not None
        assert found.said == (*before.said, "ONLOOKER_DIR=/a b")
        assert said.endswith(CLOSING) == line.endswith(CLOSING)
