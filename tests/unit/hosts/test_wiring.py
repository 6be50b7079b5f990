"""What an entry says and does, through real processes, and what is promised on each host."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from repository import ROOT
from running import forked
from running.hookrun import MAIN, command
from sessions_data.playing.recorded_hosts import payload_of

from compass.hook.dispatch import ErrorPolicy
from evaluator import wire
from evaluator.settings.places import entry_words
from hooks import entries, registry
from hooks.entries import CLOSING, closing_command, hook_command, invocation_of
from hooks.setup import FAILURES, Promises

COMMAND = hook_command("/p", "/x/compass/__main__.py", "pre-tool-use", ("--wired", "closed", "HOME=/h"))


def hooked(words, env=None, stdin=b"{}", cwd=ROOT):
    env = {"HOME": "/nowhere", "PATH": os.defpath, **(env or {})}
    called = ("hook", "pre-tool-use", *words)
    return forked.run(MAIN, called, stdin, env=env, cwd=cwd, timeout=60, site=False)


def test_the_entry_of_another_host_names_it_and_without_a_name_the_default_one_calls():
    words = entry_words({}, "/home/u", of_project=False, blocks=True, host="other")
    assert words == ("--wired", "recorded", "HOST=other", "HOME=/home/u")
    assert entry_words({}, "/home/u", of_project=True, blocks=True)[2] == "HOME=/home/u"
    called = invocation_of(hook_command("/p", "/x/compass/__main__.py", "pre-tool-use", words))
    assert called is not None and called.said == words
    for wired, found in (
        (b"closed placed HOST=other", b"other"), (b"open HOST=a-b", b"a-b"),
        (b"HOST=x", b""), (b"recorded", b""), (b"", b""),
    ):  # fmt: skip
        assert registry.host_name_in(wired) == found
        assert wire.wired_in(b"A=1\0COMPASS_WIRED=" + wired + b"\0B=2") == wired
    assert registry.calling_host(b"").NAME == registry.calling_host(b"closed placed").NAME == registry.DEFAULT
    with pytest.raises(KeyError):
        registry.calling_host(b"closed HOST=nobody")
    with pytest.raises(KeyError):
        ErrorPolicy("pre-tool-use", {"COMPASS_WIRED": "open HOST=nobody"}, "/", print)


def test_an_entry_of_a_host_that_nobody_knows_fails_with_a_word_and_no_variable_names_the_host():
    done = hooked(["--wired", "closed", "HOST=nobody"])
    assert done.returncode == 1 and done.stdout == b""
    assert b"nobody" in done.stderr and b"Traceback" not in done.stderr
    assert hooked([], {"COMPASS_WIRED": "closed HOST=nobody"}).returncode == 0


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


def test_a_closed_command_and_one_that_says_one_more_word_are_still_known_as_ours():
    assert closing_command(COMMAND) == COMMAND + CLOSING
    assert invocation_of(closing_command(COMMAND)) == invocation_of(COMMAND) is not None
    for other in ("out=$(cat); echo hook pre-tool-use", 'out=$(x hook pre-tool-use); [ -n "$out" ] || out=1'):
        assert invocation_of(f"sh -c '{other}'") is None
    answering = (entries.answering_command(COMMAND, "{}", closes=closes) for closes in (True, False))
    for line in (COMMAND, closing_command(COMMAND), *answering):
        said = entries.command_saying(line, "ONLOOKER_DIR=/a b")
        before, found = invocation_of(line), invocation_of(said)
        assert before is not None and found is not None
        assert found.said == (*before.said, "ONLOOKER_DIR=/a b")
        assert said.endswith(CLOSING) == line.endswith(CLOSING)


# What is promised on each host: the same words in the table, at `init` and in the doctor.

DOCS = ROOT / "docs"


def listed(names):
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def row_of(title: str, row: Promises) -> str:
    cells = (
        title, row.tried or "documentation only", "writes, shell" + (f"; not {row.ungated}" if row.ungated else ""),
        f"by {listed(row.closed_on)}" + (f"; not by {listed(row.open_on)}" if row.open_on else ""),
        row.shows_person, "request, prior turn", "yes" if row.answers_count else "no",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def test_the_documents_hold_the_row_of_each_host_and_its_page():
    told = (DOCS / "hosts.md").read_text(encoding="utf-8")
    rows = {row_of(host.TITLE, host.setup().PROMISES) for host in registry.every_host()}
    assert rows - {*told.splitlines()} == set()
    pages = {path.stem for path in (DOCS / "hosts").glob("*.md")}
    assert pages == set(registry.HOSTS)
    assert [name for name in pages if f"hosts/{name}.md" not in told] == []


def test_what_fails_open_is_said_and_what_holds_is_not():
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


class Home:
    """A home with projects of their own, in which commands run as users run them."""

    def __init__(self, root: Path, *projects: str):
        self.root, self.home = root, root / "home"
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}
        self.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
        for name in ("home", *projects):
            (root / name).mkdir()
        for name in projects:
            subprocess.run(["git", "init", "-q"], cwd=root / name, env=self.env, check=True)

    def run(self, project: str, *words: str) -> subprocess.CompletedProcess[str]:
        return command(words, env=self.env, cwd=self.root / project)

    def document(self, project: str, *words: str) -> Any:
        return json.loads(self.run(project, *words, "--json").stdout)

    def doctor(self, project: str, host: str) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in self.document(project, "doctor", "--host", host)}


@pytest.mark.spread(1)
@pytest.mark.parametrize("name", [name for name in registry.HOSTS if name != registry.DEFAULT])
def test_init_says_it_and_doctor_repeats_it(name, tmp_path):
    home, host = Home(tmp_path, "project"), registry.host_of(name)
    del home.env["COMPASS_EVALUATOR__BACKEND"]
    init = ("init", "--host", name, "--yes")
    told = host.setup().PROMISES.warnings(host.TITLE)
    notes = home.document("project", *init, "--backend", "embedded")["notes"]
    assert [line for line in told if line not in notes] == []
    rows = home.doctor("project", name)
    for what in ("hooks wired", "hook runs", "hook fails by policy"):
        assert rows[what]["ok"], rows[what]
    assert rows["promises"]["warns"] is bool(told)
    assert home.document("project", *init)["changed"] == []
    assert home.document("project", *init, "--uninstall")["changed"]
    assert [path for path in home.home.rglob("*") if path.is_file() and ".onlooker" not in path.parts] == []


def test_a_denial_of_one_agent_is_remembered_in_no_other_and_each_event_names_its_agent(tmp_path):
    """The very same call, made in each in turn on one project, is judged anew each time."""
    home, names = Home(tmp_path, "project"), sorted(registry.HOSTS)
    for file in ("a.py", "b.py"):
        (tmp_path / "project" / file).write_text("x = 1\n")
    assert home.run("project", "init", "--enforce", "--backend", "embedded", "--yes").returncode == 0

    def holds(name):
        """Whether a delete is held that no request asks for."""
        payload = payload_of(
            name, "Bash", {"command": "rm a.py"}, str(tmp_path / "project"), f"session-of-{name}"
        )
        words = () if name == registry.DEFAULT else ("--wired", "recorded", f"HOST={name}")
        done = hooked(words, home.env, payload, cwd=tmp_path / "project")
        assert b"Traceback" not in done.stderr
        return registry.host_of(name).setup().refuses(done.returncode, done.stdout, done.stderr)

    def reasons():
        lines = home.run("project", "log", "--json", "-n", "50").stdout.splitlines()
        return [json.loads(line)["reason"] for line in lines]

    assert [name for name in names if not holds(name)] == []
    assert len(reasons()) == len(names) and "denied_before" not in reasons()
    assert holds("codex") and reasons()[-1] == "denied_before"
    log = home.home / ".onlooker" / "logs" / "onlooker-events.jsonl"
    events = [json.loads(line) for line in log.read_text().splitlines()]
    known = {"claude-code", "cursor", "copilot", "gemini"}
    assert {(event["runtime"], event["adapter_id"]) for event in events} == {
        (name if name in known else "custom", name) for name in names
    }


# Two projects of one user on one host: neither breaks the other, and one may leave alone.

CODEX = ("init", "--host", "codex", "--yes")


@pytest.mark.full
def test_a_project_leaves_and_the_hooks_of_the_other_stay(tmp_path):
    home = Home(tmp_path, "one", "two")
    for project, mode in (("two", "--enforce"), ("one", "--observe")):
        assert home.run(project, *CODEX, "--backend", "embedded", mode).returncode == 0
    file = home.home / ".codex" / "hooks.json"
    notes = home.document("one", *CODEX, "--uninstall")["notes"]
    assert str(tmp_path / "two") in "".join(notes)
    assert "compass/__main__.py" in file.read_text()
    assert home.document("one", "status")["mode"] == "off"
    assert home.doctor("two", "codex")["hooks wired"]["ok"]
    home.run("two", *CODEX, "--uninstall")
    assert not file.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_what_cannot_be_written_changes_nothing(tmp_path):
    home = Home(tmp_path, "one")
    (home.home / ".codex").mkdir(mode=0o500)
    done = home.run("one", *CODEX, "--backend", "embedded")
    assert done.returncode == 1 and "Nothing was changed" in done.stderr
    assert home.document("one", "status")["mode"] == "off"
