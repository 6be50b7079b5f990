"""Which messages are the current request, and what is the prior assistant turn (SPEC 3.2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples.sessions import HUMAN, Session, kept_prompts, pending_write, read

from evaluator.model import Exchange
from hooks.hosts.claude_code.reader import TranscriptReader

INTERRUPTED = [{"type": "text", "text": "[Request interrupted by user for tool use]"}]


@pytest.fixture
def session() -> Session:
    """One finished turn: the user asked "first", the assistant ended with "answered first"."""
    begun = Session()
    begun.turn("first", "p1", "answered first")
    return begun


def test_the_prior_turn_is_what_the_assistant_said_before_the_request(
    session: Session, tmp_path: Path
) -> None:
    session.prompt("second", "p2")
    session.says("working on second")
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")


def test_the_text_blocks_of_one_message_are_joined_past_thinking_and_calls(tmp_path: Path) -> None:
    session = Session()
    session.prompt("first", "p1")
    session.says("an earlier message", "m1")
    session.thinks("hidden", "m2")
    session.says("One.", "m2")
    session.says("Two?", "m2")
    session.calls("Read", {}, "t1", "m2")
    session.result(use_id="t1")
    session.thinks("hidden too", "m3")
    session.calls("Read", {}, "t2", "m3")
    session.result(use_id="t2")
    session.prompt("second", "p2")
    assert read(session, tmp_path, "p2").prior_assistant_turn == "One.\n\nTwo?"


def test_a_turn_without_text_leaves_the_prior_turn_empty(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.calls("Write", {}, "t1")
    session.result(use_id="t1")
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3") == Exchange(("third",), "")


def test_an_api_error_is_nothing_that_the_assistant_said(session: Session, tmp_path: Path) -> None:
    session.says("API Error: 529", isApiErrorMessage=True)
    session.prompt("second", "p2")
    assert read(session, tmp_path, "p2").prior_assistant_turn == "answered first"


def test_several_messages_in_a_row_are_one_request_in_order(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.attachment()
    session.user(INTERRUPTED)
    session.prompt("and also this", "p3")
    assert read(session, tmp_path, "p3") == Exchange(("second", "and also this"), "answered first")


def test_an_interruption_after_the_assistant_acted_ends_its_turn(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("starting second")
    session.calls("Bash", {}, "t1")
    session.result("rejected", "t1", is_error=True, toolDenialKind="user-rejected")
    session.user(INTERRUPTED)
    session.prompt("no, third", "p3")
    assert read(session, tmp_path, "p3") == Exchange(("no, third",), "starting second")


def test_a_queued_message_joins_the_running_request(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("working")
    session.calls("Bash", {}, "t1")
    session.result(use_id="t1")
    session.queued("with tabs")
    session.says("with tabs then")
    assert read(session, tmp_path, "p2") == Exchange(("second", "with tabs"), "answered first")


def test_a_queued_task_notification_is_no_message(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("working")
    session.queued("<task-notification>done</task-notification>", origin="task-notification")
    session.queued("<task-notification>done</task-notification>")
    session.queued("ls", mode="bash")
    assert read(session, tmp_path, "p2").request == ("second",)


def test_a_turn_with_a_queued_message_is_one_turn_for_the_next_request(
    session: Session, tmp_path: Path
) -> None:
    session.prompt("second", "p2")
    session.says("said before the queued message")
    session.queued("with tabs")
    session.calls("Write", {}, "t1")
    session.result(use_id="t1")
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3") == Exchange(("third",), "said before the queued message")


def test_a_prompt_that_is_not_in_the_file_yet_is_taken_from_the_kept_ones(
    session: Session, tmp_path: Path
) -> None:
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p2", "more of it"))
    assert read(session, tmp_path, "p2", kept) == Exchange(
        ("second", "more of it"), "answered first", unwritten=("second", "more of it")
    )


def test_an_unwritten_prompt_joins_unanswered_ones(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p3", "third"))
    assert read(session, tmp_path, "p3", kept) == Exchange(
        ("second", "third"), "answered first", unwritten=("third",)
    )


def test_a_queued_message_that_is_not_written_yet_is_appended(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("working")
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p2", "with tabs"))
    assert read(session, tmp_path, "p2", kept) == Exchange(
        ("second", "with tabs"), "answered first", unwritten=("with tabs",)
    )


def test_a_kept_prompt_that_the_client_expanded_is_not_taken_twice(session: Session, tmp_path: Path) -> None:
    session.prompt("fix this:\n" + "log line\n" * 20, "p2")
    exchange = read(session, tmp_path, "p2", kept_prompts(("p2", "fix this: [Pasted text #1 +20 lines]")))
    assert len(exchange.request) == 1


def test_a_queued_message_that_the_user_took_back_does_not_double_the_next(
    session: Session, tmp_path: Path
) -> None:
    session.prompt("second", "p2")
    session.says("working")
    session.queued("with tabs, please")
    kept = kept_prompts(("p2", "second"), ("p2", "with tabs"), ("p2", "with tabs, please"))
    assert read(session, tmp_path, "p2", kept).request == ("second", "with tabs, please")


def test_a_message_queued_in_a_machine_turn_joins_the_human_request_once(
    session: Session, tmp_path: Path
) -> None:
    session.prompt("second", "p2")
    session.says("started it")
    session.prompt_id = "m1"
    session.user("<task-notification>done</task-notification>", origin={"kind": "task-notification"})
    session.calls("Read", {}, "t1")
    session.result(use_id="t1")
    session.queued("with tabs")
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("m1", "with tabs"))
    assert read(session, tmp_path, "m1", kept) == Exchange(("second", "with tabs"), "answered first")


@pytest.mark.parametrize("prompt_id", [None, "unknown"])
def test_without_a_known_prompt_the_newest_message_counts(
    session: Session, tmp_path: Path, prompt_id: str | None
) -> None:
    session.prompt("second", "p2")
    kept = kept_prompts(("p1", "first"), ("p2", "second"))
    assert read(session, tmp_path, prompt_id, kept) == Exchange(("second",), "answered first")


@pytest.mark.parametrize("written", [True, False])
def test_a_machine_turn_acts_on_the_request_of_the_human_turn_before(
    session: Session, tmp_path: Path, *, written: bool
) -> None:
    session.prompt("second", "p2")
    session.says("started it")
    if written:
        session.prompt_id = "m1"
        session.user("<system-reminder>x</system-reminder>", isMeta=True)
        session.user(
            "<task-notification>done</task-notification>",
            origin={"kind": "task-notification"},
            promptSource="system",
        )
        session.says("going on")
    kept = kept_prompts(("p1", "first"), ("p2", "second"))
    assert read(session, tmp_path, "m1", kept) == Exchange(("second",), "answered first")


def test_words_in_a_machine_turn_are_the_prior_turn_of_the_next_request(
    session: Session, tmp_path: Path
) -> None:
    session.prompt_id = "m1"
    session.user("<task-notification>done</task-notification>", origin={"kind": "task-notification"})
    session.says("the agent is done, keep it?")
    session.prompt("yes", "p2")
    assert read(session, tmp_path, "p2") == Exchange(("yes",), "the agent is done, keep it?")


@pytest.mark.parametrize("reply", ["continue", "Weiter!", "compass: proceed", "ＣＯＭＰＡＳＳ： cancel"])
@pytest.mark.parametrize("written", [True, False])
def test_continuations_and_control_replies_inherit_request_and_prior_turn(
    session: Session, tmp_path: Path, reply: str, *, written: bool
) -> None:
    session.prompt("second", "p2")
    session.says("half of second done")
    if written:
        session.prompt(reply, "p3")
        session.says("going on")
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p3", reply))
    assert read(session, tmp_path, "p3", kept) == Exchange(("second",), "answered first")


def test_a_message_queued_after_a_continuation_joins_the_inherited_request(
    session: Session, tmp_path: Path
) -> None:
    session.prompt("second", "p2")
    session.says("half")
    session.prompt("continue", "p3")
    session.says("going on")
    session.queued("with tabs")
    assert read(session, tmp_path, "p3") == Exchange(("second", "with tabs"), "answered first")


def test_a_continuation_with_nothing_to_continue_is_the_request_itself(tmp_path: Path) -> None:
    session = Session()
    session.prompt("continue", "p1")
    assert read(session, tmp_path, "p1") == Exchange(("continue",), "")


def test_a_control_reply_alone_is_no_request(tmp_path: Path) -> None:
    session = Session()
    session.prompt("compass: pause", "p1")
    assert read(session, tmp_path, "p1") == Exchange()


def test_the_branch_that_a_rewind_abandoned_is_not_read(session: Session, tmp_path: Path) -> None:
    fork = session.tip
    session.turn("abandoned request", "p2", "abandoned answer")
    session.tip = fork
    session.prompt("other request", "p3")
    session.says("on it")
    assert read(session, tmp_path, "p3") == Exchange(("other request",), "answered first")


def test_a_compaction_is_crossed_by_the_logical_parent(session: Session, tmp_path: Path) -> None:
    session.compact()
    session.attachment("file")
    session.prompt("after it", "p2")
    assert read(session, tmp_path, "p2") == Exchange(("after it",), "answered first")


def test_a_compaction_in_the_middle_of_a_turn_keeps_the_request(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("half")
    session.compact()
    session.prompt_id = "p2"
    session.calls("Read", {}, "t9")
    session.result(use_id="t9")
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")


def test_a_parent_that_is_not_in_the_file_is_replaced_by_the_nearest_older_line(
    session: Session, tmp_path: Path
) -> None:
    session.line("user", isSidechain=True, message={"role": "user", "content": "told to a subagent"})
    session.line("system", parent="ffffffff-0000-4000-8000-000000000000")
    session.prompt("second", "p2")
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")


def test_lines_that_merely_carry_a_message_are_no_conversation(session: Session, tmp_path: Path) -> None:
    blob = {"role": "user", "content": "first"}
    session.prompt("second", "p2")
    session.apart(type="api-request-blob", sessionId="s", hash="h", message=blob)
    session.apart(type="api-request-shape", sessionId="s", shape={"messages": [blob]})
    session.apart(type="last-prompt", lastPrompt="second", leafUuid=session.tip)
    session.apart(type="file-history-snapshot", messageId=session.tip, snapshot={})
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")


def test_sidechain_lines_in_the_parents_file_are_not_read(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.line("user", isSidechain=True, promptId="p2", message={"content": "do the subtask"})
    session.line("assistant", isSidechain=True, message={"id": "m", "content": "from the subagent"})
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")


@pytest.mark.parametrize("last_result", ["t1", "t2", "t3"])
def test_parallel_calls_branch_the_chain_and_the_request_is_still_found(
    session: Session, tmp_path: Path, last_result: str
) -> None:
    session.prompt("second", "p2")
    session.says("three files", "m2")
    calls = {name: session.calls("Write", {}, name, "m2") for name in ("t1", "t2", "t3")}
    order = [name for name in calls if name != last_result] + [last_result]
    for name in order:
        session.result(use_id=name, parent=calls[name])
    session.calls("Read", {}, "t4", "m3")
    session.result(use_id="t4")
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3").prior_assistant_turn == "three files"


def test_text_after_a_call_of_the_same_message_is_part_of_it(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("Before.", "m2")
    call = session.calls("Read", {}, "t1", "m2")
    session.says("After.", "m2")
    session.result(use_id="t1", parent=call)
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3").prior_assistant_turn == "Before.\n\nAfter."


def test_a_headless_prompt_has_no_origin_and_is_genuine(tmp_path: Path) -> None:
    session = Session()
    session.prompt_id = "p1"
    session.user("headless", promptSource="sdk", turnOrigin="sdk")
    assert read(session, tmp_path, "p1").request == ("headless",)


def test_a_custom_slash_command_is_a_request_and_its_expansion_is_not(
    session: Session, tmp_path: Path
) -> None:
    wrapper = "<command-message>fix-issue</command-message>\n<command-name>/fix-issue</command-name>\n"
    session.prompt_id = "p2"
    session.user(wrapper + "<command-args>42 please</command-args>", origin=HUMAN["origin"])
    session.user([{"type": "text", "text": "Fix issue 42 please in the parser."}], isMeta=True)
    kept = kept_prompts(("p1", "first"), ("p2", "/fix-issue 42 please"))
    assert read(session, tmp_path, "p2", kept) == Exchange(("/fix-issue 42 please",), "answered first")


def test_a_command_of_the_client_and_a_shell_escape_are_no_requests(session: Session, tmp_path: Path) -> None:
    session.prompt("second", "p2")
    session.says("done with second")
    session.prompt_id = "c1"
    session.user("<local-command-caveat>...</local-command-caveat>", isMeta=True)
    session.user("<command-name>/model</command-name>\n<command-args>sonnet</command-args>")
    session.user("<local-command-stdout>Set model</local-command-stdout>")
    session.user("<bash-input> echo hi</bash-input>")
    session.user("<bash-stdout>hi</bash-stdout><bash-stderr></bash-stderr>", turnOrigin="human")
    assert read(session, tmp_path, "p2") == Exchange(("second",), "answered first")


def test_without_a_file_the_kept_prompt_is_all_there_is(tmp_path: Path) -> None:
    kept = kept_prompts(("p1", "first"), ("p2", "second"))
    for path, prompt_id in ((tmp_path / "none.jsonl", "p2"), (None, "p2"), (None, None)):
        found = TranscriptReader().exchange(pending_write(path, prompt_id), kept)
        assert found == Exchange(("second",), "", unwritten=("second",))
