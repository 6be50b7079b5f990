"""A host is one module, one table and one row of the registry: here one that says all in its own words, through a hook
call."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from compass.composition.effects import join_programs
from compass.composition.gate import wire
from compass.hook.dispatch import handle
from compass.hook.policy import ErrorPolicy
from evaluator.errors import PayloadError
from evaluator.shell import hosts as shell
from hooks import host, registry

MODULE = '''
"""Toy: one flat object in, `{"verdict", "why"}` out; its log has a line a message, its settings lie in `.toy`."""

import json

from evaluator.errors import PayloadError
from evaluator.model import Exchange
from hooks.host import Host

FIELDS = {"file": "file_path", "text": "content", "line": "command"}


class Toy(Host):
    def parse(self, raw):
        try:
            found = json.loads(raw)
        except ValueError:
            raise PayloadError("no JSON") from None
        given = {FIELDS.get(name, name): value for name, value in found.get("with", {}).items()}
        return {
            "session_id": found.get("who", ""),
            "cwd": found.get("where", ""),
            "tool_name": self.NAMES.get(found.get("does"), ""),
            "tool_input": given,
            "tool_use_id": found.get("number", ""),
            "transcript_path": found.get("log", ""),
            "prompt": found.get("said", ""),
        }

    def attended(self, env):
        return env.get("TOY_PERSON") == "yes"

    def transcripts(self, memory):
        return Log()

    def deny(self, reason, *, ends_turn=False, message=""):
        return json.dumps({"verdict": "no", "why": reason}).encode()

    def tell(self, message):
        return json.dumps({"say": message}).encode()

    def inform(self, event, agent, person):
        return json.dumps({"note": agent, "say": person}).encode()



class Log:
    def exchange(self, pending, kept):
        with open(pending.transcript_path, encoding="utf-8") as file:
            lines = [line.rstrip("\\n").split(" ", 1) for line in file]
        said = [text for who, text in lines if who == "agent"]
        asked = [text for who, text in lines if who == "person"]
        return Exchange((asked[-1],), said[-1] if said else "")

    def voices(self, pending):
        return ()

    def lookups(self, pending, kept):
        return ()


HOST = Toy("toy")
'''
TABLE = tomllib.loads("""
title = "Toy"
project_variable = "TOY_FOLDER"
prefixes = ["TOY_"]
never_writes = ["Read"]
machine = ["[toy]"]
events = { user-prompt-submit = "asked", pre-tool-use = "before" }
names = { look = "Read", put = "Write", run = "Bash" }

[files]
user = [".toy/config.json"]
project = [".toy/config.json"]
env_blocks = false

[protected]
files = ["/etc/toy/rules.json"]
keys = ["compass", "hooks"]
words = [".toy/config"]
programs = ["toyagent"]
variables = ["TOY_\\\\w+"]

[shell]
types_on = true
""")
TURNED_ON = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}


class Toy:
    """A home with the gate turned on in the toy's own settings, and a project; calls are made in process."""

    def __init__(self, root: Path) -> None:
        self.host = registry.host_of("toy")
        self.home, self.project, self.log = root / "home", root / "project", root / "log"
        (self.home / ".toy").mkdir(parents=True)
        (self.project / ".toy").mkdir(parents=True)
        self.configure(TURNED_ON)
        self.log.write_text(
            "agent I found two unused files: src/a.py and src/b.py.\nperson Just delete it.\n"
        )
        self.env = {"HOME": str(self.home), "TOY_FOLDER": str(self.project)}
        self.said: list[str] = []

    def configure(self, settings: dict[str, Any], where: Path | None = None) -> None:
        ((where or self.home) / ".toy" / "config.json").write_text(json.dumps(settings))

    def policy(self, event: str = "pre-tool-use") -> ErrorPolicy:
        return ErrorPolicy(event, self.env, str(self.project), self.said.append, host=self.host)

    def call(self, does: str, **given: str) -> dict[str, Any] | None:
        """None for a call that is let through."""
        return self._hook("pre-tool-use", {"does": does, "with": given, "log": str(self.log)})

    def say(self, text: str) -> dict[str, Any] | None:
        """None for a prompt that nothing is said of."""
        return self._hook("user-prompt-submit", {"said": text})

    def _hook(self, event: str, given: dict[str, Any]) -> dict[str, Any] | None:
        policy = self.policy(event)
        raw = handle(
            event,
            json.dumps({"who": "s1", "where": str(self.project), **given}).encode(),
            policy,
            str(self.project),
            lambda: wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host),
        )
        return json.loads(raw) if raw else None


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "toyhost.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    known = host.table_of
    monkeypatch.setattr(host, "table_of", lambda name: TABLE if name == "toy" else known(name))
    monkeypatch.setitem(registry.HOSTS, "toy", "toyhost")
    monkeypatch.setattr(shell, "_LOADERS", dict(shell._LOADERS))
    shell.joined.cache_clear()
    join_programs()
    yield Toy(tmp_path)
    sys.modules.pop("toyhost", None)
    monkeypatch.undo()
    shell.joined.cache_clear()


def test_an_ambiguous_call_is_denied_in_the_hosts_words(toy: Toy) -> None:
    found = toy.call("run", line="rm src/a.py")
    assert found is not None and set(found) == {"verdict", "why"}
    assert found["verdict"] == "no" and "src/a.py" in found["why"]


def test_a_clear_call_and_one_that_reads_are_let_through(toy: Toy) -> None:
    toy.log.write_text("person Delete src/a.py.\n")
    assert toy.call("run", line="rm src/a.py") is None
    assert toy.call("look", file="src/a.py") is None
    assert toy.said == []


def test_a_host_that_stops_no_prompt_tells_its_person_beside_it(toy: Toy) -> None:
    for text, told in (("compass proceed", "Compass: did you mean"), ("compass: status", "Compass: mode")):
        found = toy.say(text)
        assert found is not None and found["say"].startswith(told)
    assert toy.say("[toy] compass: status") is None


def test_settings_are_those_of_its_own_files(toy: Toy) -> None:
    toy.configure({"compass": {"enabled": False}})
    assert toy.call("run", line="rm src/a.py") is None
    toy.configure({"compass": {"mode": "observe", "enabled": True}})
    toy.configure({"compass": {"mode": "enforce", "evaluator": {"model": "x"}}}, toy.project)
    loaded = toy.policy().loaded
    assert loaded.settings.mode == "enforce"
    assert loaded.origins["mode"] == str(toy.project / ".toy" / "config.json")
    assert [item.key for item in loaded.ignored] == ["evaluator.model"]


def test_settings_for_every_host_count_in_its_sessions_below_its_own(toy: Toy) -> None:
    users, projects = toy.home / ".onlooker/compass/settings.json", toy.project / ".compass/settings.json"
    toy.configure({})
    assert toy.call("run", line="rm src/a.py") is None
    for path, said in (
        (users, TURNED_ON["compass"]),
        (projects, {"confidence_threshold": 0.8, "mode": "observe"}),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"compass": said}))
    found = toy.call("run", line="rm src/a.py")
    assert found is not None and found["verdict"] == "no"
    loaded = toy.policy().loaded
    assert (loaded.settings.mode, loaded.settings.confidence_threshold) == ("enforce", 0.8)
    assert loaded.origins["confidence_threshold"] == str(projects)
    toy.configure({"compass": {"confidence_threshold": 0.9}}, toy.project)
    toy.configure({"compass": {"enabled": False}})
    loaded = toy.policy().loaded
    assert (loaded.settings.enabled, loaded.settings.confidence_threshold) == (False, 0.9)
    denied = toy.call("put", file=str(projects), text='{"compass": {}}')
    assert denied is None, "the gate is off"
    toy.configure(TURNED_ON)
    denied = toy.call("put", file=str(projects), text='{"compass": {}}')
    assert denied is not None and "changes the keys" in denied["why"]


def test_a_host_without_env_blocks_has_none_applied(toy: Toy) -> None:
    toy.configure({"env": {"HOME": "/elsewhere", "COMPASS_ENABLED": "false"}}, toy.project)
    assert toy.policy().home == str(toy.home)
    assert toy.policy().settings.enabled


def test_a_fault_is_answered_in_its_words(toy: Toy) -> None:
    policy = toy.policy()
    with pytest.raises(PayloadError) as raised:
        handle("pre-tool-use", b"\xff", policy, str(toy.project), lambda: pytest.fail("no gate is needed"))
    assert json.loads(policy.answer(raised.value))["verdict"] == "no"


def test_its_settings_are_guarded_in_its_own_calls_and_in_those_of_other_hosts(toy: Toy) -> None:
    own = toy.project / ".toy" / "config.json"
    found = toy.call("put", file=str(own), text='{"compass": {"enabled": false}}')
    assert found is not None and "changes the keys" in found["why"]
    other = registry.default()
    raw = json.dumps(
        {
            "session_id": "s2",
            "tool_name": "Bash",
            "tool_input": {"command": f"rm {own}"},
            "cwd": str(toy.project),
        }
    ).encode()
    gate = wire(toy.env, str(toy.home), str(toy.project), host=other, keep=False)
    pending = other.pending_write(other.parse(raw), {})
    assert gate.parts.protects(pending, gate.parts.effects_of(pending)) != ""


def test_that_its_agent_types_into_programs_is_known_to_the_shell(toy: Toy) -> None:
    assert shell.types_on("toy") and not shell.types_on("gemini")
