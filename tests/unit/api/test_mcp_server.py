"""`compass mcp` over real stdio: what its tools answer, and that asking changes nothing that gates."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, get_default_environment
from running import forked
from running.hookrun import MAIN

from compass import Gate

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
DELETE = {"user": "Just delete it.", "prior": FOUND, "command": "rm src/old_auth.py"}


@dataclass
class Stage:
    """`ask` runs one client against one server process."""

    project: Path
    env: dict[str, str]

    def ask(self, asking):
        program, *words = forked.command(MAIN, {**get_default_environment(), **self.env}, "mcp")
        server = StdioServerParameters(command=program, args=words, env=self.env, cwd=str(self.project))

        async def main():
            with anyio.fail_after(60.0):
                async with Client(server) as client:
                    return await asking(client)

        return anyio.run(main)

    def call(self, **arguments):
        """One call of a fresh server."""
        return self.ask(lambda client: called(client, **arguments))

    def rows(self):
        """All that the database holds, by table."""
        with closing(sqlite3.connect(self.project.parent / "state/compass/compass.db")) as database:
            tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            return {name: database.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}

    def files(self):
        return {str(path) for path in self.project.parent.rglob("*") if path.is_file()}


@pytest.fixture
def stage(project):
    return Stage(project, {name: os.environ[name] for name in ("HOME", "ONLOOKER_DIR", "PATH")})


async def called(client, **arguments):
    found = await client.call_tool("check_write", arguments)
    assert not found.is_error, found.content
    return found.structured_content


def test_what_is_unclear_comes_back_as_a_question_without_scores(stage):
    found = stage.call(**DELETE)
    assert (found["verdict"], found["reason"]) == ("failed", "low_confidence")
    assert set(found["readings"]) == {"delete src/old_auth.py", "delete src/legacy_auth.py"}
    for number, reading in enumerate(found["readings"], 1):
        assert f"  {number}. {reading}" in found["question"]
    # What only answers a held write would be typed for nothing.
    assert "compass:" not in found["question"]
    assert "Advice only, based on your own account" in found["note"]
    assert not [value for value in found.values() if isinstance(value, float)]


def test_a_clear_write_passes_and_every_form_of_a_call_is_taken(stage):
    (stage.project / "src/sum.py").write_text("x = 0\n")

    async def asking(client):
        forms = (
            {"user": "Create a.txt that says hi", "tool": "write_file", "path": "a.txt", "content": "hi\n"},
            {"user": "Rename the variable x to total in src/sum.py", "path": "src/sum.py",
             "old": "x = 0\n", "new": "total = 0\n"},
            {"user": "Look around", "tool": "look", "input": {"at": "src"}},
        )  # fmt: skip
        return [await called(client, **given) for given in forms]

    created, edited, looked = stage.ask(asking)
    assert [one["verdict"] for one in (created, edited, looked)] == ["skipped", "skipped", "skipped"]
    assert created["question"] == "" and looked["reason"] == "not_write_class"


def test_the_server_says_what_it_is_and_every_tool_has_an_output_schema(stage):
    async def asking(client):
        return client.instructions or "", (await client.list_tools()).tools

    instructions, tools = stage.ask(asking)
    assert "advice" in instructions and "releases nothing" in instructions
    assert [tool.name for tool in tools] == ["check_write"]
    for tool in tools:
        assert tool.output_schema and "note" in tool.output_schema["properties"]
        assert tool.annotations and tool.annotations.read_only_hint


def test_what_cannot_be_judged_is_an_error_in_words(stage):
    found = stage.ask(lambda client: client.call_tool("check_write", {"user": "Do it"}))
    assert found.is_error and "a command, a path or an input" in found.content[0].text


def test_a_verdict_enters_nothing_that_the_gate_keeps(stage):
    with Gate(record=True) as gate:
        session = gate.session("one")
        session.user("Find unused files")
        session.agent(FOUND)
        session.user("Just delete it.")
        call = {"command": "rm src/old_auth.py"}
        assert not session.before("Bash", call, call_id="c1").allowed
        before, files = stage.rows(), stage.files()
        assert before["checks"] and before["interventions"]

        async def asking(client):
            # A yes, told by the agent alone.
            sure = {"user": "Delete src/old_auth.py", "command": "rm src/old_auth.py"}
            found = await called(client, **sure)
            # Ordered outright: no rule holds it, and no model is there to find it clear.
            told = found["verdict"], found["reason"], found["question"]
            assert told == ("skipped", "insufficient_context", "")
            await called(client, **DELETE)

        stage.ask(asking)
        assert (stage.rows(), stage.files()) == (before, files)
        again = session.before("Bash", call, call_id="c2")
    assert (again.allowed, again.reason) == (False, "denied_before")


def test_past_three_calls_nobody_is_asked_however_it_is_worded(stage):
    async def asking(client):
        said = "Just delete it.", "Please delete it.", "Delete the old one", "Delete src/old_auth.py", "rm it"
        return [await called(client, **{**DELETE, "user": words}) for words in said]

    found = stage.ask(asking)
    assert [one["reason"] == "turn_budget_exhausted" for one in found] == [False, False, False, True, True]
    assert "no reader was asked" in found[-1]["why"] and found[-1]["verdict"] == "skipped"


def test_without_the_extra_one_line_says_how_to_get_it(stage):
    script = "import sys; sys.modules['mcp'] = None; from compass.cli import main; sys.exit(main(['mcp']))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True, text=True, env=stage.env, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("compass mcp: the extra `mcp` is not installed; install ")


def test_a_folder_that_is_none_is_an_error(stage):
    done = subprocess.run(
        forked.command(MAIN, stage.env, "mcp", "--project", "none"),
        capture_output=True, text=True, env=stage.env, cwd=stage.project, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and "no such folder" in done.stderr and not done.stdout
