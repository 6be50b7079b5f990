"""What is promised on each host: the same words in the table, at `init` and in the doctor."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running import forked
from running.hookrun import MAIN, command
from sessions_data.playing.hosts import payload_of

from hooks import registry
from hooks.setup import FAILURES, Promises

DOCS = Path(__file__).parents[3] / "docs"
ROWS = {host.TITLE: host.setup().PROMISES for host in registry.every_host()}


def listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def row_of(title: str, row: Promises) -> str:
    failing = f"by {listed(row.closed_on)}" + (f"; not by {listed(row.open_on)}" if row.open_on else "")
    cells = (
        title, row.tried or "documentation only", "writes, shell" + (f"; not {row.ungated}" if row.ungated else ""),
        failing, row.shows_person, "request, prior turn", "yes" if row.answers_count else "no",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


@corpus("title", ROWS)
def test_the_documents_hold_the_row(title: str) -> None:
    row = ROWS[title]
    assert row_of(title, row) in (DOCS / "hosts.md").read_text(encoding="utf-8").splitlines()


def test_each_host_has_its_page() -> None:
    pages = {path.stem for path in (DOCS / "hosts").glob("*.md")}
    assert pages == set(registry.HOSTS)
    told = (DOCS / "hosts.md").read_text(encoding="utf-8")
    assert [name for name in pages if f"hosts/{name}.md" not in told] == []


def test_what_fails_open_is_said_and_what_holds_is_not() -> None:
    assert Promises("1", FAILURES, "whole", True).warnings("X") == []
    told = Promises("", ("crash",), "whole", False, "input", ("It is loud",)).warnings("X")
    assert "has not been tested" in told[0]
    failing = "exit code, missing program, timeout or bad"
    assert told[1].startswith(f"X runs the tool even if the hook fails ({failing}")
    assert told[2:] == [
        "X calls no hook for input",
        "X cannot prove who typed a prompt, so numbered answers and `compass:` words release nothing",
        "It is loud",
    ]


@pytest.mark.spread(1)
@pytest.mark.parametrize("name", [name for name in registry.HOSTS if name != registry.DEFAULT])
def test_init_says_it_and_doctor_repeats_it(name: str, tmp_path: Path) -> None:
    """In a home of its own, by the command as users run it."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    env = {"HOME": str(home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}

    def run(what: str, *words: str) -> Any:
        return json.loads(command((what, "--host", name, "--json", *words), env=env, cwd=project).stdout)

    host = registry.host_of(name)
    told = host.setup().PROMISES.warnings(host.TITLE)
    notes = run("init", "--backend", "embedded", "--yes")["notes"]
    assert [line for line in told if line not in notes] == []
    rows = {row["name"]: row for row in run("doctor")}
    for what in ("hooks wired", "hook runs", "hook fails by policy"):
        assert rows[what]["ok"], rows[what]
    assert rows["promises"]["warns"] is bool(told)
    assert run("init", "--yes")["changed"] == []
    assert run("init", "--uninstall", "--yes")["changed"]
    assert [path for path in home.rglob("*") if path.is_file() and ".onlooker" not in path.parts] == []


# Several agents on one project, and projects of one user on one host.


HOSTS = sorted(registry.HOSTS)


class Project:
    """A home in which every agent is wired, and calls of each as its entry makes them."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        for folder in (self.home, self.project):
            folder.mkdir()
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}
        self.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
        subprocess.run(["git", "init", "-q"], cwd=self.project, env=self.env, check=True)
        for name in ("a.py", "b.py"):
            (self.project / name).write_text("x = 1\n")
        self.compass("init", "--enforce", "--backend", "embedded", "--yes")

    def compass(self, *words: str) -> str:
        done = command(words, env=self.env, cwd=self.project)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def holds(self, name: str, session: str) -> bool:
        """Whether a delete is held that no request asks for."""
        setup = registry.host_of(name).setup()
        payload = payload_of(name, "Bash", {"command": "rm a.py"}, str(self.project), session)
        words = () if name == registry.DEFAULT else ("--wired", "recorded", f"HOST={name}")
        called = ("hook", "pre-tool-use", *words)
        done = forked.run(MAIN, called, payload, env=self.env, cwd=self.project, timeout=60, site=False)
        assert b"Traceback" not in done.stderr
        return setup.refuses(done.returncode, done.stdout, done.stderr)

    def checks(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.compass("log", "--json", "-n", "50").splitlines()]

    def events(self) -> list[dict[str, Any]]:
        log = self.home / ".onlooker" / "logs" / "onlooker-events.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_denial_of_one_agent_is_remembered_in_no_other_and_each_event_names_its_agent(
    tmp_path: Path,
) -> None:
    """The very same call, made in each in turn, is judged anew each time."""
    project = Project(tmp_path)
    for name in HOSTS:
        assert project.holds(name, f"session-of-{name}"), name
    judged = [check["reason"] for check in project.checks()]
    assert len(judged) == len(HOSTS) and "denied_before" not in judged
    assert project.holds("codex", "session-of-codex")
    assert project.checks()[-1]["reason"] == "denied_before"
    named = {(event["runtime"], event["adapter_id"]) for event in project.events()}
    known = {"claude-code", "cursor", "copilot", "gemini"}
    assert named == {(name if name in known else "custom", name) for name in HOSTS}


# Two projects of one user on one host: neither breaks the other, and one may leave alone.


class Home:
    def __init__(self, root: Path) -> None:
        self.home, self.one, self.two = root / "home", root / "one", root / "two"
        for folder in (self.home, self.one, self.two):
            folder.mkdir()
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}
        for project in (self.one, self.two):
            subprocess.run(["git", "init", "-q"], cwd=project, env=self.env, check=True)

    def run(self, at: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return command(words, env=self.env, cwd=at)

    def init(self, at: Path, *words: str) -> dict[str, Any]:
        done = self.run(at, "init", "--host", "codex", "--backend", "embedded", "--yes", "--json", *words)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    def doctor(self, at: Path, *words: str) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in json.loads(self.run(at, "doctor", *words, "--json").stdout)}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.full
def test_a_project_leaves_and_the_hooks_of_the_other_stay(home: Home) -> None:
    home.init(home.two, "--enforce")
    home.init(home.one, "--observe")
    file = home.home / ".codex" / "hooks.json"
    gone = home.run(home.one, "init", "--host", "codex", "--uninstall", "--yes", "--json")
    assert str(home.two) in "".join(json.loads(gone.stdout)["notes"])
    assert "compass/__main__.py" in file.read_text()
    assert json.loads(home.run(home.one, "status", "--json").stdout)["mode"] == "off"
    assert home.doctor(home.two, "--host", "codex")["hooks wired"]["ok"]
    home.run(home.two, "init", "--host", "codex", "--uninstall", "--yes")
    assert not file.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_what_cannot_be_written_changes_nothing(home: Home) -> None:
    folder = home.home / ".codex"
    folder.mkdir(mode=0o500)
    done = home.run(home.one, "init", "--host", "codex", "--backend", "embedded", "--yes")
    assert done.returncode == 1 and "Nothing was changed" in done.stderr
    assert json.loads(home.run(home.one, "status", "--json").stdout)["mode"] == "off"
