"""How Gemini CLI is wired, what is kept of its settings file, and what the doctor finds there."""

import json
from pathlib import Path

import pytest

from compass.install import settings_file
from evaluator.errors import ConfigError
from hooks.entries import Wiring, closing, program_of
from hooks.hosts.gemini import HOST

SETUP = HOST.setup()
EVENTS = HOST.EVENTS
findings = HOST.findings
LEFT_ALONE = HOST.LEFT_ALONE
NAMES = HOST.NAMES
NEVER_WRITES = HOST.NEVER_WRITES

SAID = ("--wired", "recorded", "HOST=gemini", "HOME=/home/u")


def wiring(**changed):
    return Wiring("/usr/bin/python3", "/opt/compass/__main__.py", **{"blocks": True, "said": SAID, **changed})


def handler(entries, event):
    return entries[event]["hooks"][0]


def test_each_event_is_wired_by_a_command_that_names_the_host():
    entries = SETUP.entries(wiring())
    assert set(entries) == set(EVENTS.values())
    for word, event in EVENTS.items():
        found = program_of(handler(entries, event)["command"])
        assert found is not None and (found.event, found.said) == (word, SAID)
        assert HOST.is_own(handler(entries, event))
        assert handler(entries, event)["type"] == "command"
        assert handler(entries, event)["timeout"] == SETUP.table.timeout_seconds * 1000 == 30_000


def test_only_the_hook_that_denies_is_closed_and_only_under_a_closed_policy():
    closed, plain = SETUP.entries(wiring()), SETUP.entries(wiring(blocks=False))
    for event in EVENTS.values():
        command = handler(plain, event)["command"]
        assert handler(closed, event)["command"] == (closing(command) if event == "BeforeTool" else command)


def test_every_tool_is_hooked_but_those_that_are_known_not_to_write():
    matcher = SETUP.entries(wiring())["BeforeTool"]["matcher"]
    writing = [name for name, known in NAMES.items() if known not in NEVER_WRITES]
    for name in (
        *writing,
        "mcp_files_write_file",
        "discovered_tool_x",
        "of_a_later_version",
        "read_file_twice",
    ):
        assert SETUP.matches(matcher, name), name
    for name in (*LEFT_ALONE, *(name for name, known in NAMES.items() if known in NEVER_WRITES)):
        assert not SETUP.matches(matcher, name), name


def test_matchers_are_as_the_client_reads_them():
    assert SETUP.matches(None, "x") and SETUP.matches(" ", "x") and SETUP.matches("*", "x")
    assert SETUP.matches("write", "write_file") and not SETUP.matches("^write$", "write_file")
    assert SETUP.matches("(", "(") and not SETUP.matches("(", "x") and not SETUP.matches(3, "x")


def test_a_file_with_comments_is_never_rewritten(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{\n  // mine\n  "ui": {}\n}\n')
    with pytest.raises(ConfigError, match=r"line 2, .*comments"):
        settings_file.read(str(path))


def test_a_hook_that_dies_denies_as_far_as_the_host_goes():
    assert SETUP.refuses(2, b"", b"gone") and SETUP.refuses(127, b"", b"not found")
    assert SETUP.refuses(1, b"", b'{"decision": "deny"}')
    for code, stdout, stderr in ((2, b"", b""), (1, b"", b"gone"), (0, b"deny", b""), (2, b"{}", b"gone")):
        assert not SETUP.refuses(code, stdout, stderr)


class Machine:
    """A home with Gemini's folder, and a project."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "home" / "work" / "project"
        for folder in (self.home / ".gemini", self.project / ".gemini"):
            folder.mkdir(parents=True)
        self.settings()

    def settings(self, **more):
        text = json.dumps(SETUP.merge(more, SETUP.entries(wiring())))
        (self.home / ".gemini" / "settings.json").write_text(text)

    def of_project(self, text):
        (self.project / ".gemini" / "settings.json").write_text(text)

    def trust(self, rules):
        (self.home / ".gemini" / "trustedFolders.json").write_text(json.dumps(rules))

    def found(self, name, **env):
        rows = findings(env, str(self.home), str(self.project))
        return next(((fine, said) for found, fine, said in rows if found == name), None)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_trust_of_the_folder(machine):
    fine, said = machine.found("folder trust")
    assert fine is None and "GEMINI_CLI_TRUST_WORKSPACE" in said
    work, project = str(machine.home / "work"), str(machine.project)
    for rules, expected in (
        ({work: "TRUST_FOLDER"}, True),
        ({project: "TRUST_PARENT"}, True),
        ({project + "-other": "TRUST_FOLDER"}, None),
        ({work: "TRUST_FOLDER", project: "DO_NOT_TRUST"}, False),
        ({work: "DO_NOT_TRUST", project: "TRUST_FOLDER"}, True),
    ):
        machine.trust(rules)
        assert machine.found("folder trust")[0] is expected, rules


def test_trust_by_the_environment_and_by_the_switch(machine):
    assert machine.found("folder trust", GEMINI_CLI_TRUST_WORKSPACE="true")[0] is True
    machine.trust({str(machine.project): "TRUST_FOLDER"})
    for withheld in ({"GEMINI_CLI_TRUST_WORKSPACE": "false"}, {"GEMINI_RESTRICTED_MODE": "true"}):
        assert machine.found("folder trust", **withheld)[0] is False
    rules = machine.home / ".gemini" / "trustedFolders.json"
    rules.rename(machine.home / "rules.json")
    assert machine.found("folder trust")[0] is None
    moved = str(machine.home / "rules.json")
    assert machine.found("folder trust", GEMINI_CLI_TRUSTED_FOLDERS_PATH=moved)[0] is True
    machine.of_project('{"security": {"folderTrust": {"enabled": false}}}')
    assert machine.found("folder trust")[0] is None, "a project cannot trust itself"
    machine.settings(security={"folderTrust": {"enabled": False}})
    assert machine.found("folder trust")[0] is True


def test_hooks_that_are_turned_off(machine):
    assert machine.found("hooks")[0] is True
    machine.settings(hooksConfig={"enabled": False})
    fine, said = machine.found("hooks")
    assert fine is False and str(machine.home) in said
    machine.of_project('{"hooksConfig": {"enabled": true}}')
    assert machine.found("hooks")[0] is True
    machine.settings()
    machine.of_project('{"hooksConfig": {"enabled": false}}')
    fine, said = machine.found("hooks")
    assert fine is False and str(machine.project) in said


def test_a_hook_of_ours_that_is_disabled_by_its_name(machine):
    assert machine.found("disabled hooks") is None
    machine.of_project('{"hooksConfig": {"disabled": ["lint", "compass-pre-tool-use"]}}')
    fine, said = machine.found("disabled hooks")
    assert fine is False and str(machine.project) in said
    machine.of_project('{"hooksConfig": {"disabled": ["lint", 3]}}')
    assert machine.found("disabled hooks") is None


def test_a_file_that_does_not_load(machine):
    assert machine.found("settings") is None
    machine.of_project("{,}")
    fine, said = machine.found("settings")
    assert fine is None and "it is unknown" in said
