"""`compass init --statusline`: our line where none stands, and the way back to exactly what stood there."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from corpora import corpus
from running import ownhome
from running.ownhome import Initialized, read

from evaluator.errors import ConfigError
from hooks.entries import Wiring
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import KEY

home, project, here = ownhome.home, ownhome.repository, ownhome.here

SETUP = HOST.setup()
WIRING = Wiring("/py", "/lib/compass/__main__.py", blocks=True, said=("--wired", "closed", "HOME=/h"))
NEWER = Wiring("/py3", "/new/compass/__main__.py", blocks=True)
OURS = "/py -I -S /lib/compass/__main__.py statusline --wired closed HOME=/h"
THEIRS = '~/.claude/line.sh | cut -c 1-40; echo "it\'s $HOME"'
ODD: tuple[Any, ...] = (
    3,
    "line.sh",
    {"type": "text", "command": "x"},
    {"type": "command", "command": THEIRS},
)


def put(
    settings: dict[str, Any], hidden: tuple[dict[str, Any], ...] = (), wiring: Wiring = WIRING
) -> dict[str, Any]:
    return SETUP.with_status_line(settings, wiring, hidden)


def test_where_none_stood_ours_is_put_and_taken_out() -> None:
    settings = {"model": "x"}
    after = put(settings)
    assert after == {"model": "x", KEY: {"type": "command", "command": OURS}}
    assert put(after) == after and SETUP.has_status_line(after) and not SETUP.has_status_line(settings)
    assert SETUP.without_status_line(after) == settings
    assert put(after, wiring=NEWER)[KEY]["command"] == "/py3 -I -S /new/compass/__main__.py statusline"


@corpus("found", ODD, ids=str)
def test_a_line_of_the_users_own_is_neither_replaced_nor_hidden_nor_taken_out(found: Any) -> None:
    for settings, hidden in (({KEY: found}, ()), ({"z": 1}, ({}, {KEY: found}))):
        with pytest.raises(ConfigError, match="your own statusLine"):
            put(settings, hidden)
        assert SETUP.without_status_line(settings) == settings
    ours = put({})
    assert put(ours, ({KEY: found},)) == ours, "one that stands is kept up to date"


@corpus("command", ["compass statusline", "/lib/compass/__main__.py hook pre-tool-use", "echo 'unclosed"])
def test_other_commands_are_not_ours(command: str) -> None:
    assert not SETUP.has_status_line({KEY: {"type": "command", "command": command}})


def test_init_wires_a_line_that_runs_and_keeps_it_until_it_is_taken_out(here: Initialized) -> None:
    here.init()
    assert KEY not in read(here.local)
    here.init("--statusline")
    command = read(here.local)[KEY]["command"]
    done = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().startswith("compass · no hook")
    before = here.local.read_text()
    here.init()
    assert here.local.read_text() == before
    here.init("--uninstall")
    assert not here.local.exists()


def test_it_is_refused_where_it_cannot_be(here: Initialized) -> None:
    here.put('{"statusLine": "line.sh"}')
    for words, said in (
        (["--statusline"], "your own statusLine"),
        (["--statusline", "--plugin"], "--project or --user"),
        (["--statusline", "--uninstall"], "leave out --statusline"),
    ):
        assert said in here.said("init", "--yes", *words, code=1)[1]
    assert here.local.read_text() == '{"statusLine": "line.sh"}'
