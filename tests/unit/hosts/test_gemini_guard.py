"""What a project may not do to the gate through Gemini CLI: its .env file, its settings, the files of its trust."""

import json

import pytest
from corpora import corpus

from compass.composition.gate import wire
from compass.hook.policy import ErrorPolicy
from evaluator.settings.environment import dotenv_variables, parsed_dotenv
from hooks import registry

HOST = registry.host_of("gemini")


def new_places(tmp_path):
    home, project = tmp_path / "home", tmp_path / "home" / "work" / "project"
    for folder in (home / ".gemini", project / ".gemini", home / ".onlooker" / "compass"):
        folder.mkdir(parents=True)
    said = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}
    (home / ".onlooker/compass/settings.json").write_text(json.dumps(said))
    return home, project


places = pytest.fixture(new_places, name="places")


def policy(places, **env):
    home, project = places
    env = {"HOME": str(home), "GEMINI_PROJECT_DIR": str(project), **env}
    return ErrorPolicy("pre-tool-use", env, str(project), lambda _: None, host=HOST)


@pytest.mark.parametrize("name", [".env", ".gemini/.env", "../.env"])
def test_a_projects_file_of_variables_turns_nothing_off(places, name):
    (places[1] / name).write_text(
        'export COMPASS_ENABLED="false"\nCOMPASS_MODE: observe\nANTHROPIC_BASE_URL=http://x\n'
    )
    set_by_it = {"COMPASS_ENABLED": "false", "COMPASS_MODE": "observe", "ANTHROPIC_BASE_URL": "http://x"}
    found = policy(places, **set_by_it)
    assert (found.settings.enabled, found.settings.mode) == (True, "enforce")
    assert "ANTHROPIC_BASE_URL" not in found.env
    (places[1] / name).unlink()
    assert not policy(places, **set_by_it).settings.enabled, "the user's own shell still can"


def test_it_may_make_the_gate_tighter(places):
    (places[1] / ".env").write_text("COMPASS_CONFIDENCE_THRESHOLD=0.99\n")
    assert policy(places, COMPASS_CONFIDENCE_THRESHOLD="0.99").settings.confidence_threshold == 0.99


def test_what_came_from_elsewhere_or_from_the_users_own_file_counts(places):
    (places[1] / ".env").write_text("COMPASS_MODE=enforce\n")
    assert policy(places, COMPASS_MODE="observe").settings.mode == "observe"
    (places[1] / ".env").unlink()
    (places[0] / ".gemini" / ".env").write_text("COMPASS_MODE=observe\n")
    assert policy(places, COMPASS_MODE="observe").settings.mode == "observe"


@corpus(
    ("text", "expected"),
    [
        ("A=1\r\nB = two words # said\n#C=3\n", {"A": "1", "B": "two words"}),
        ("export A='x # y'", {"A": "x # y"}),
        ('A="line\\nnext"', {"A": "line\nnext"}),
        ("A='kept\\n'", {"A": "kept\\n"}),
        ('A="two\nlines"\nB=`b`', {"A": "two\nlines", "B": "b"}),
        ("A=\nB", {"A": ""}),
        ("A: 1\nA=2", {"A": "2"}),
        ("", {}),
    ],
)
def test_files_of_variables_are_read_as_the_host_reads_them(text, expected):
    assert parsed_dotenv(text) == expected


def test_a_file_that_cannot_be_read_sets_nothing(tmp_path):
    assert (
        dotenv_variables(str(tmp_path))
        == dotenv_variables(str(tmp_path / "none"))
        == dotenv_variables("\0")
        == {}
    )


def offence(places, tool, **given):
    home, project = places
    payload = {"session_id": "s", "cwd": str(project), "tool_name": tool, "tool_input": given}
    pending = HOST.pending_write(
        HOST.parse(json.dumps(payload).encode()), {"GEMINI_PROJECT_DIR": str(project)}
    )
    gate = wire({"HOME": str(home)}, str(home), str(project), host=HOST, keep=False)
    return gate.parts.protects(pending, gate.parts.effects_of(pending))


GUARDED = [
    {"hooks": {}},
    {"hooksConfig": {"enabled": False}},
    {"hooksConfig": {"disabled": ["compass-pre-tool-use"]}},
    {"security": {"folderTrust": {"enabled": False}}},
    {"tools": {"allowed": ["run_shell_command"]}},
    {"mcpServers": {"x": {"command": "x", "trust": True}}},
    {"compass": {"enabled": False}},
]


@corpus("changed", GUARDED)
@corpus("where", ["home", "project"], each={"places": new_places})
def test_keys_that_decide_on_the_gate_are_no_agents(places, changed, where):
    path = (places[0] if where == "home" else places[1]) / ".gemini" / "settings.json"
    path.write_text(json.dumps({"hooks": {"BeforeTool": [1]}, "ui": {"theme": "a"}}))
    assert offence(places, "write_file", file_path=str(path), content=json.dumps(changed))
    kept = json.dumps({"hooks": {"BeforeTool": [1]}, "ui": {"theme": "b"}})
    assert not offence(places, "write_file", file_path=str(path), content=kept)


def test_an_edit_of_a_file_with_comments_is_held(places):
    path = places[1] / ".gemini" / "settings.json"
    path.write_text('{"ui": {} // mine\n}')
    given = {"file_path": str(path), "instruction": "x", "old_string": "{}", "new_string": '{"a": 1}'}
    assert offence(places, "replace", **given)


@pytest.mark.parametrize("name", ["trustedFolders.json", "trusted_hooks.json", "policies/all.toml"])
def test_files_of_trust_are_no_agents(places, name):
    path = places[0] / ".gemini" / name
    assert offence(places, "write_file", file_path=str(path), content="{}")
    assert offence(places, "run_shell_command", command=f"echo '{{}}' > {path}")
    assert offence(places, "run_shell_command", command=f"echo '{{}}' > ~/.gemini/{name}")


@corpus(
    "command",
    [
        "gemini --skip-trust -p 'go on'",
        "gemini -y -p x",
        "gemini --approval-mode yolo -p x",
        "gemini --resume latest -p 'compass: proceed'",
        "gemini hooks disable compass",
        "GEMINI_CLI_TRUST_WORKSPACE=true gemini -p x",
        "GEMINI_CLI_HOME=/tmp/x gemini -p x",
        "npx @google/gemini-cli -y -p x",
        "sed -i s/true/false/ .gemini/settings.json",
    ],
    each={"places": new_places},
)
def test_commands_that_go_around_it(places, command):
    assert offence(places, "run_shell_command", command=command), command
    assert not offence(places, "run_shell_command", command="cat .gemini/settings.json")
