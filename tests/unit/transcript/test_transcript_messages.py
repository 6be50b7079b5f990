"""What one line is: genuine user message, assistant, result, machine prompt, or nothing of interest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from corpora import corpus

from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.messages import IMAGE_ONLY, TranscriptEntry, classify

CLIENT_COMMANDS = frozenset(HOST.told["client_commands"])

HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed"}
SDK = {"promptSource": "sdk", "turnOrigin": "sdk"}
WRAPPER = "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>"


def user(content: object, **fields: Any) -> TranscriptEntry:
    line = {"type": "user", "uuid": "u", "parentUuid": None, "message": {"content": content}, **fields}
    entry = classify(json.dumps(line).encode())
    assert entry is not None
    return entry


GENUINE: list[tuple[object, dict[str, Any], str]] = [
    ("do it", HUMAN, "do it"),
    ("do it", SDK, "do it"),
    ("do it", {}, "do it"),
    ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], HUMAN, "a\n\nb"),
    ([{"type": "text", "text": "<system-reminder>x</system-reminder>"}, {"type": "text", "text": "b"}],
     HUMAN, "b"),
    ([{"type": "image", "source": {}}], HUMAN, IMAGE_ONLY),
    ([{"type": "image", "source": {}}, {"type": "text", "text": "like this"}], HUMAN, "like this"),
    ("<bash-stdout> is what I see, why?", HUMAN, "<bash-stdout> is what I see, why?"),
    ("<command-name> should be kept in the parser", HUMAN, "<command-name> should be kept in the parser"),
    (WRAPPER.format("init"), HUMAN, "/init"),
    (WRAPPER.format("init"), SDK, "/init"),
    (WRAPPER.format("deploy") + "<command-args>to\nstaging </command-args>", {}, "/deploy to\nstaging"),
    (WRAPPER.format("plugin-x:do"), {}, "/plugin-x:do"),
]  # fmt: skip


@corpus(("content", "fields", "text"), GENUINE)
def test_genuine_user_messages(content: object, fields: dict[str, Any], text: str) -> None:
    entry = user(content, **fields)
    assert (entry.kind, entry.text) == ("prompt", text)


@corpus(
    ("content", "fields", "kind"),
    [
        ("x", {"isMeta": True}, "other"),
        ("x", {"isCompactSummary": True}, "other"),
        ("x", {**HUMAN, "isVisibleInTranscriptOnly": True}, "other"),
        ("", HUMAN, "other"),
        (None, HUMAN, "other"),
        ({"a": 1}, HUMAN, "other"),
        ([], HUMAN, "other"),
        ("[Request interrupted by user]", {}, "other"),
        ([{"type": "text", "text": "[Request interrupted by user for tool use]"}], {}, "other"),
        ("<task-notification>\n<task-id>", {}, "machine"),
        ("<task-notification>\n<task-id>", SDK, "machine"),
        ("text", {"origin": {"kind": "task-notification"}}, "machine"),
        ("text", {"origin": {"kind": "something-new"}}, "machine"),
        ("text", {"promptSource": "system"}, "machine"),
        ("<local-command-stdout>x</local-command-stdout>", {}, "other"),
        ("<local-command-caveat>x</local-command-caveat>", {}, "other"),
        ("<bash-input>ls</bash-input>", {}, "other"),
        (WRAPPER.format("compact"), {}, "other"),
        ("<command-name>/model</command-name>\n            <command-args>sonnet</command-args>", {}, "other"),
        ("<command-message>The skill is loading</command-message>\n<command-name>pdf</command-name>", {},
         "other"),
        ([{"type": "tool_result", "content": "x"}, {"type": "text", "text": "y"}], HUMAN, "result"),
    ],
)  # fmt: skip
def test_lines_that_are_no_user_message(content: object, fields: dict[str, Any], kind: str) -> None:
    entry = user(content, **fields)
    assert (entry.kind, entry.text) == (kind, "")


@corpus("name", sorted(CLIENT_COMMANDS))
def test_commands_of_the_client_are_no_request_unless_declared_human(name: str) -> None:
    assert user(WRAPPER.format(name)).kind == "other"
    assert user(WRAPPER.format(name.upper())).kind == "other"
    assert user(WRAPPER.format(name), origin={"kind": "human"}).text == f"/{name}"


@pytest.mark.parametrize(
    "line",
    [
        {"type": "api-request-blob", "message": {"role": "user", "content": "x"}},
        {"type": "last-prompt", "lastPrompt": "x", "leafUuid": "u"},
        {"type": "user", "uuid": "u", "message": {"content": "no parent field"}},
        {"type": "user", "uuid": "", "parentUuid": None},
    ],
)
def test_lines_outside_of_the_chain_are_nothing(line: dict[str, Any]) -> None:
    assert classify(json.dumps(line).encode()) is None


def test_the_parent_across_a_compaction_is_the_logical_one() -> None:
    line = {"type": "system", "uuid": "u", "parentUuid": None, "logicalParentUuid": "before"}
    entry = classify(json.dumps(line).encode())
    assert entry is not None
    assert (entry.kind, entry.parent) == ("other", "before")


def test_bodies_of_tool_results_are_not_kept() -> None:
    entry = user(
        [{"type": "tool_result", "tool_use_id": "t", "content": "SECRET" * 100}],
        toolUseResult={"stdout": "SECRET" * 100, "file": {"content": "SECRET"}},
    )
    assert "SECRET" not in repr(entry)
