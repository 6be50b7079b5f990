"""Every recorded payload of a call is known for its host's, and for no other's."""

import json

from corpora import corpus
from repository import FIXTURES

from hooks import registry
from hooks.registry import recognised

HERE = FIXTURES / "hosts"


def payloads(host):
    for line in (HERE / host / "payloads.jsonl").read_text().splitlines():
        row = json.loads(line)
        payload = row.get("payload", row.get("stdin", row))
        yield json.loads(payload) if isinstance(payload, str) else payload


def is_call(payload):
    """Of a call that is about to be made, by what every host but chibi calls its fields."""
    ended = {"tool_response", "toolResult", "tool_output", "error", "error_message"}
    tool = (
        payload.keys() & {"tool_name", "toolName", "tool", "tool_input"} or payload.get("hook") == "pre_tool"
    )
    return bool(tool) and ended.isdisjoint(payload)


@corpus("host", [name for name in registry.HOSTS if name != registry.DEFAULT])
def test_a_recorded_call_is_known_by_its_shape(host):
    calls = [payload for payload in payloads(host) if is_call(payload)]
    assert calls
    assert {recognised(payload) for payload in calls} == {host}


def test_those_of_claude_code_are_taken_for_its_own():
    found = [json.loads(path.read_text()) for path in FIXTURES.glob("claude-code/hooks/*/*PreToolUse*.json")]
    assert len(found) > 5
    assert {recognised(payload.get("payload", payload)) for payload in found} == {registry.DEFAULT}


def test_what_several_claim_or_none_is_no_hosts():
    assert recognised({}) == registry.DEFAULT
    both = {"cursor_version": "1", "hook_event_name": "BeforeTool"}
    assert recognised(both) == registry.DEFAULT
    assert recognised({"hook_event_name": ["BeforeTool"]}) == registry.DEFAULT
