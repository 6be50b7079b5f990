"""chibi's plugin as a process, called as chibi's source calls it: by path, with CHIBI_HOOK and the payload on stdin."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import compass
from evaluator.settings.places import entry_words
from hooks.entries import Wiring
from hooks.hosts.chibi import HOOKS, HOST, LATER

SETUP = HOST.setup()
plugin = HOST.whole_file
NEVER_WRITES = HOST.NEVER_WRITES

SCRIPT = Path(compass.__file__).parent / "__main__.py"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "chibi"
PAYLOADS = [json.loads(line) for line in (FIXTURES / "payloads.jsonl").read_text().splitlines()]
HOLDS = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}
DELETES = PAYLOADS[12]["data"]


class Chibi:
    """A home with the plugin in its folder; this test's process is chibi's."""

    def __init__(self, root: Path, *, blocks: bool = True, interpreter: str = sys.executable) -> None:
        self.home, self.project = root / "home", root / "it's here"
        settings = self.home / ".onlooker" / "compass" / "settings.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps(HOLDS))
        (self.project / "src").mkdir(parents=True, exist_ok=True)
        (self.project / "src" / "a.py").write_text("x = 1\n")
        said = entry_words({}, str(self.home), of_project=False, blocks=blocks, host="chibi")
        # The word of a project's own entry acts without a record of the project.
        said = tuple("closed" if one == "recorded" else one for one in said)
        self.file = self.home / ".chibi" / "plugins" / "compass"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(plugin(Wiring(interpreter, str(SCRIPT), blocks, said=said)))
        self.file.chmod(0o755)

    def start(self, hook: str, data: object, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "COMPASS_SERVICE__ENABLED": "false"}
        return subprocess.run(
            [self.file, *arguments],
            # As serde_json writes it: keys sorted, no spaces.
            input=json.dumps(data, sort_keys=True, separators=(",", ":")),
            env=env | ({"CHIBI_HOOK": hook} if hook else {}),
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def hook(self, name: str, data: object) -> dict:
        ran = self.start(name, data)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)


def test_its_schema_names_the_hooks_that_it_answers(tmp_path: Path) -> None:
    ran = Chibi(tmp_path).start("", None, "--schema")
    found = json.loads(ran.stdout)
    assert (found["name"], set(found["hooks"])) == ("compass", set(HOOKS))
    assert {"pre_message", "pre_file_write", "pre_shell_exec", "pre_tool"} <= set(found["hooks"])
    assert isinstance(found["description"], str) and isinstance(found["parameters"], dict)


def test_a_prompt_and_an_ambiguous_call_of_one_process_are_one_session(tmp_path: Path) -> None:
    chibi = Chibi(tmp_path)
    assert chibi.hook("on_start", {"project_root": str(chibi.project), "tool_count": 1}) == {}
    assert chibi.hook("pre_message", PAYLOADS[1]["data"]) == {}
    answer = chibi.hook("pre_shell_exec", DELETES)
    assert answer["denied"] is answer["block"] is True
    assert "Just delete it." in answer["reason"] or "src/a.py" in answer["reason"]
    assert chibi.hook("pre_tool", PAYLOADS[4]["data"]) == {}, "it is judged once, by the other hook"
    assert chibi.hook("on_end", None) == {}


def test_a_write_that_the_request_names_passes_and_its_end_is_heard(tmp_path: Path) -> None:
    chibi = Chibi(tmp_path)
    chibi.hook("pre_message", {**PAYLOADS[1]["data"], "prompt": "Create src/new.py with x = 1."})
    assert chibi.hook("pre_file_write", PAYLOADS[10]["data"]) == {}
    assert chibi.hook("post_tool", PAYLOADS[13]["data"]) == {}
    assert chibi.hook("some_later_hook", {}) == {}


@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("how", ["missing", "dies"])
def test_a_program_that_fails_is_answered_by_the_plugin_itself(
    tmp_path: Path, how: str, blocks: bool
) -> None:
    program = tmp_path / "program"
    if how == "dies":
        program.write_text("#!/bin/sh\ncat >/dev/null; echo '{\"half\":'; kill -9 $$\n")
        program.chmod(0o755)
    chibi = Chibi(tmp_path, blocks=blocks, interpreter=str(program))
    for hook, data in (("pre_shell_exec", DELETES), ("pre_tool", PAYLOADS[6]["data"])):
        answer = chibi.hook(hook, data)
        assert (answer.get("denied"), answer.get("block")) == ((True, True) if blocks else (None, None))
    for at in (1, 9, 13, 16):
        assert chibi.hook(PAYLOADS[at]["hook"], PAYLOADS[at]["data"]) == {}, (
            "reads and reports are never refused"
        )


def test_what_only_reads_starts_no_program_and_nothing_passes_for_it(tmp_path: Path) -> None:
    chibi = Chibi(tmp_path, interpreter=str(tmp_path / "missing"))
    for name in (*sorted(NEVER_WRITES - {LATER}), "shell_exec"):
        assert chibi.hook("pre_tool", {"arguments": {"a": 1}, "tool_name": name}) == {}
    for data in (
        {"arguments": {"z": {"a": 1, "tool_name": "file_head"}}, "tool_name": "fs_delete_file"},
        {"arguments": {"text": ',"tool_name":"file_head"}'}, "tool_name": "fs_delete_file"},
    ):
        assert chibi.hook("pre_tool", data).get("block") is True


def test_the_file_is_ours_and_lies_where_chibi_is_told_to_look(tmp_path: Path) -> None:
    chibi = Chibi(tmp_path)
    assert SETUP.is_own_file(chibi.file.read_text()) and SETUP.table.executable
    assert SETUP.user_file({}, str(chibi.home)) == str(chibi.file)
    assert SETUP.user_file({"CHIBI_HOME": "/elsewhere"}, str(chibi.home)) == "/elsewhere/plugins/compass"
    assert list(SETUP.findings({}, str(chibi.home), "")) == []
    chibi.file.chmod(0o644)
    assert [fine for _, fine, _ in SETUP.findings({}, str(chibi.home), "")] == [False]


@pytest.mark.parametrize("tool", ["Bash", "Write", "Edit"])
def test_the_payload_to_try_a_call_with_is_one(tool: str) -> None:
    given = {"command": "rm a"} if tool == "Bash" else {"file_path": "/p/a", "content": "x"}
    parsed = HOST.parse(SETUP.payload(tool, given, "/p", "s"))
    assert parsed["tool_name"] == tool and set(given.values()) <= set(parsed["tool_input"].values())
    assert SETUP.denies(json.loads(HOST.deny("because"))) and SETUP.silent(0, b"{}\n")
