"""What `init` writes for Codex CLI, what the doctor finds there, and what is guarded."""

import json
import os
import sys
from pathlib import Path

from corpora import corpus

from compass.composition.effects import classify
from hooks.entries import CLOSING, Wiring, program_of
from hooks.hosts.codex import HOST
from hooks.hosts.codex_trust import configuration, hooks_of, turns_hooks_off

SETUP = HOST.setup()

WIRING = Wiring("/py", "/x/compass/__main__.py", blocks=True, said=("--wired", "recorded", "HOST=codex"))


def test_entries_close_what_gates_and_match_what_may_write():
    found = SETUP.entries(WIRING)
    assert list(found) == ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"]
    handler = found["PreToolUse"]["hooks"][0]
    assert handler["command"].endswith(CLOSING) and program_of(handler["command"]) is not None
    assert (
        CLOSING
        not in SETUP.entries(Wiring("/py", "/x/compass/__main__.py", blocks=False))["PreToolUse"]["hooks"][0][
            "command"
        ]
    )
    matcher = found["PreToolUse"]["matcher"]
    for tool in ("Bash", "apply_patch", "mcp__files__write"):
        assert SETUP.matches(matcher, tool)
    assert not SETUP.matches(matcher, "view_image") and not SETUP.matches("(", "Bash")
    assert "matcher" not in found["UserPromptSubmit"]


def test_a_refusal_needs_words():
    assert SETUP.refuses(2, b"", b"because")
    assert not SETUP.refuses(2, b"", b" ") and not SETUP.refuses(1, b"", b"because")
    deny = {"hookEventName": "PreToolUse", "permissionDecision": "deny"}
    assert not SETUP.refuses(0, json.dumps({"hookSpecificOutput": deny}).encode(), b"")
    deny["permissionDecisionReason"] = "because"
    assert SETUP.refuses(0, json.dumps({"hookSpecificOutput": deny}).encode(), b"")


def test_configuration_tells_whether_hooks_run(tmp_path):
    def off(text):
        (tmp_path / "config.toml").write_text(text)
        return turns_hooks_off(configuration(str(tmp_path / "config.toml")))

    assert off("[features]\nhooks = false\n") and off("[profiles.x.features]\ncodex_hooks = false\n")
    assert not off("[features]\nhooks = true\n") and not off("features = 3\n") and not off("broken [\n")
    assert configuration(str(tmp_path / "none")) == {}


SERVER = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("id") == 1:
        print(json.dumps({{"id": 1, "result": {{}}}}), flush=True)
    if asked.get("id") == 2:
        print(json.dumps({{"method": "noise"}}), flush=True)
        print(json.dumps({answer}), flush=True)
"""


def client(tmp_path: Path, answer: object) -> dict[str, str]:
    """A program of the client's name that speaks as its app server does."""
    path = tmp_path / "bin" / "codex"
    path.parent.mkdir(exist_ok=True)
    path.write_text(SERVER.format(python=sys.executable, answer=repr(answer)))
    path.chmod(0o755)
    return {"PATH": f"{path.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}


def listed(*states: str) -> object:
    command = SETUP.entries(WIRING)["PreToolUse"]["hooks"][0]["command"]
    hooks = [{"command": command, "trustStatus": state, "enabled": True} for state in states]
    return {
        "id": 2,
        "result": {"data": [{"hooks": [*hooks, {"command": "lint", "trustStatus": "untrusted"}]}]},
    }


@corpus(
    ("answer", "ok", "word"),
    [
        (listed("trusted", "trusted"), True, "trusts all 2"),
        (listed("trusted", "modified"), False, "1 of 2 hooks are modified"),
        (listed("untrusted"), False, "are untrusted"),
        (listed(), False, "has no Compass hook"),
        ({"id": 2, "error": {"code": 1}}, None, "does not support hooks/list"),
    ],
)
def test_the_doctor_says_whether_the_client_trusts_the_hooks(tmp_path, answer, ok, word):
    env = client(tmp_path, answer)
    found = {name: (fine, told) for name, fine, told in SETUP.findings(env, str(tmp_path), str(tmp_path))}
    assert found["Codex trust"][0] is ok and word in found["Codex trust"][1]
    assert found["Codex hooks"][0] is True


def test_without_a_client_or_with_hooks_off_the_doctor_says_that(tmp_path):
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    found = {
        name: (fine, told) for name, fine, told in SETUP.findings({"PATH": ""}, str(tmp_path), "/nowhere")
    }
    assert found["Codex trust"][0] is None
    assert found["Codex hooks"][0] is False and "config.toml" in found["Codex hooks"][1]
    assert isinstance(hooks_of("no-such-program", {}, str(tmp_path)), str)


def test_what_waits_for_orders_is_unknown_in_its_calls():
    assert classify("bash", "/p", host="codex").operation_class == "destructive"
    assert classify("bash", "/p", host="claude-code").operation_class == "modifying"
