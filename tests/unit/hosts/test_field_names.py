"""A field in Compass's words beside the host's own says nothing of the call: the host does not read it."""

import json

import pytest

from evaluator.errors import PayloadError
from hooks import registry

ENV = {"HOME": "/home/user"}
PATCH = "*** Begin Patch\n*** Delete File: {}\n*** End Patch\n"


def pending(name, payload):
    host = registry.host_of(name)
    return host.pending_write(host.parse(json.dumps(payload).encode()), ENV)


def copilot(tool, given):
    return pending("copilot", {"sessionId": "s", "cwd": "/project", "toolName": tool, "toolArgs": given})


def opencode(tool, args):
    return pending(
        "opencode", {"session": "s", "project": "/project", "tool": tool, "args": args, "call": "c"}
    )


def cursor(given):
    return pending(
        "cursor",
        {
            "conversation_id": "s",
            "workspace_roots": ["/project"],
            "tool_name": "Write",
            "tool_input": given,
            "hook_event_name": "preToolUse",
        },
    )


@pytest.mark.parametrize("decoy_first", [True, False])
def test_the_path_that_the_host_writes_is_the_one_that_is_judged(decoy_first):
    def ordered(real, decoy):
        return {**decoy, **real} if decoy_first else {**real, **decoy}

    decoy = {"file_path": "harmless.txt", "content": "x"}
    call = copilot("create", ordered({"path": "real.txt", "file_text": "y"}, decoy))
    assert (call.tool_input["file_path"], call.tool_input["content"]) == ("real.txt", "y")
    call = opencode("write", ordered({"filePath": "real.txt"}, {"file_path": "harmless.txt"}))
    assert call.tool_input["file_path"] == "real.txt"
    patched = ordered({"patchText": PATCH.format("real.txt")}, {"input": PATCH.format("harmless.txt")})
    assert opencode("apply_patch", patched).tool_input["input"] == PATCH.format("real.txt")


@pytest.mark.parametrize(
    "call",
    [
        copilot("edit", {"path": "a", "old_str": "b", "new_str": "c", "edits": []}),
        opencode("edit", {"filePath": "a", "oldString": "b", "newString": "c", "edits": []}),
    ],
)
def test_a_list_of_edits_does_not_hide_the_one_that_is_made(call):
    assert "edits" not in call.tool_input
    assert (call.tool_input["old_string"], call.tool_input["new_string"]) == ("b", "c")


def test_two_spellings_that_differ_are_no_call_where_nobody_knows_which_is_read():
    with pytest.raises(PayloadError, match="more than one"):
        cursor({"path": "real.txt", "file_path": "harmless.txt", "contents": ""})
    same = cursor({"path": "real.txt", "file_path": "real.txt", "contents": ""})
    assert same.tool_input["file_path"] == "real.txt"
