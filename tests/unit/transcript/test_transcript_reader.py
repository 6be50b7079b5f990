"""Which messages are the current request, what is the prior assistant turn, and whose words count (SPEC 3.2)."""

import json
from pathlib import Path

import pytest
from corpora import corpus
from samples.sessions import Session, kept_prompts, pending_write, read

from evaluator.model import Exchange, KeptPrompt, PendingWrite
from evaluator.ports import Voice
from evaluator.record import replace
from hooks.host import host_table
from hooks.hosts.claude_code.messages import classify_line
from hooks.hosts.claude_code.transcript_source import TranscriptReader, agent_path
from hooks.transcript import Conversation, Said

BEGUN = ("p1> first", "< answered first")


def played(steps: tuple[str, ...]) -> Session:
    """A session of steps: `p1> a prompt of that id`, `< the assistant's words` (`<m2` of that message), `+ a queued
    message`, `think` and `call` of a message, `machine` and its prompt's id, `mark` and `back` to it."""
    session, calls, mark = Session(), 0, None
    for step in steps:
        kind, _, text = step.partition(" ")
        if kind.endswith(">"):
            session.prompt(text, kind[:-1])
        elif kind.startswith("<"):
            session.says(text, kind[1:])
        elif kind == "+":
            session.queued(text)
        elif kind == "think":
            session.thinks("hidden", text)
        elif kind == "call":
            calls += 1
            session.calls("Read", {}, f"t{calls}", text)
            session.result(use_id=f"t{calls}")
        elif kind == "stop":
            session.user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
        elif kind == "compact":
            session.compact()
        elif kind == "machine":
            session.prompt_id = text
            session.user("<task-notification>x</task-notification>", origin={"kind": "task-notification"})
        elif kind == "mark":
            mark = session.tip
        else:
            assert kind == "back", step
            session.tip = mark
    return session


FIRST = "answered first"
WRITTEN = [
    ("what was said before the request", (*BEGUN, "p2> second", "< working"), "p2", ("second",), FIRST),
    ("blocks of one message are joined past thinking and calls",
     ("p1> first", "<m1 an earlier message", "think m2", "<m2 One.", "<m2 Two?", "call m2", "think m3", "call m3",
      "p2> second"), "p2", ("second",), "One.\n\nTwo?"),
    ("a turn without text", (*BEGUN, "p2> second", "call", "p3> third"), "p3", ("third",), ""),
    ("several in a row are one, in order", (*BEGUN, "p2> second", "stop", "p3> and also this"), "p3",
     ("second", "and also this"), FIRST),
    ("an interruption after the assistant acted ends its turn",
     (*BEGUN, "p2> second", "< starting second", "call", "stop", "p3> no, third"), "p3", ("no, third",),
     "starting second"),
    ("a queued one joins", (*BEGUN, "p2> second", "< working", "call", "+ with tabs", "< with tabs then"), "p2",
     ("second", "with tabs"), FIRST),
    ("a queued notification does not",
     (*BEGUN, "p2> second", "< working", "+ <task-notification>done</task-notification>"), "p2", ("second",), FIRST),
    ("a turn with a queued one is one turn for the next",
     (*BEGUN, "p2> second", "< said before", "+ with tabs", "call", "p3> third"), "p3", ("third",), "said before"),
    ("words in a machine turn are a prior turn", ("machine m1", "< it is done, keep it?", "p2> yes"), "p2",
     ("yes",), "it is done, keep it?"),
    ("one queued after a continuation joins what that inherits",
     (*BEGUN, "p2> second", "< half", "p3> continue", "< going on", "+ with tabs"), "p3", ("second", "with tabs"),
     FIRST),
    ("a continuation of nothing is the request itself", ("p1> continue",), "p1", ("continue",), ""),
    ("a control alone is no request", ("p1> compass: pause",), "p1", (), ""),
    ("an abandoned branch is not read",
     (*BEGUN, "mark", "p2> abandoned", "< abandoned answer", "back", "p3> other", "< on it"), "p3", ("other",), FIRST),
    ("a compaction is crossed", (*BEGUN, "compact", "p2> after it"), "p2", ("after it",), FIRST),
    ("one in the middle of a turn keeps the request", (*BEGUN, "p2> second", "< half", "compact", "call"), "p2",
     ("second",), FIRST),
]  # fmt: skip


@corpus(("why", "steps", "prompt_id", "request", "prior"), WRITTEN)
def test_what_stands_in_the_file(why, steps, prompt_id, request, prior, tmp_path):
    assert read(played(steps), tmp_path, prompt_id) == Exchange(request, prior), why


LATE = ("p1", "first"), ("p2", "second")
PASTED = "fix this:" + "\nlog line" * 20
UNWRITTEN = [
    ("not in the file yet", BEGUN, "p2", (*LATE, ("p2", "more of it")), ("second", "more of it"),
     ("second", "more of it")),
    ("joins unanswered ones", (*BEGUN, "p2> second"), "p3", (*LATE, ("p3", "third")), ("second", "third"),
     ("third",)),
    ("a queued one is appended", (*BEGUN, "p2> second", "< working"), "p2", (*LATE, ("p2", "with tabs")),
     ("second", "with tabs"), ("with tabs",)),
    ("one that the client expanded is not taken twice", (*BEGUN, f"p2> {PASTED}"), "p2",
     (("p2", "fix this: [Pasted text #1 +20 lines]"),), (PASTED,), ()),
    ("a queued one that was taken back does not double the next",
     (*BEGUN, "p2> second", "< working", "+ with tabs, please"), "p2",
     (("p2", "second"), ("p2", "with tabs"), ("p2", "with tabs, please")), ("second", "with tabs, please"), ()),
    ("one queued in a machine turn joins once",
     (*BEGUN, "p2> second", "< started it", "machine m1", "call", "+ with tabs"), "m1",
     (*LATE, ("m1", "with tabs")), ("second", "with tabs"), ()),
    ("without an id the newest counts", (*BEGUN, "p2> second"), None, LATE, ("second",), ()),
    ("with an unknown one, too", (*BEGUN, "p2> second"), "unknown", LATE, ("second",), ()),
    ("a machine turn acts on the turn before", (*BEGUN, "p2> second", "< started it", "machine m1", "< going on"),
     "m1", LATE, ("second",), ()),
    ("though it is not written", (*BEGUN, "p2> second", "< started it"), "m1", LATE, ("second",), ()),
    *((f"{reply} inherits", (*BEGUN, "p2> second", "< half of second done", *written), "p3", (*LATE, ("p3", reply)),
       ("second",), ())
      for reply in ("continue", "Weiter!", "compass: proceed", "ＣＯＭＰＡＳＳ： cancel")
      for written in ((), (f"p3> {reply}", "< going on"))),
]  # fmt: skip


@corpus(("why", "steps", "prompt_id", "kept", "request", "unwritten"), UNWRITTEN)
def test_what_was_kept_of_prompts_beside_the_file(why, steps, prompt_id, kept, request, unwritten, tmp_path):
    found = read(played(steps), tmp_path, prompt_id, kept_prompts(*kept))
    assert found == Exchange(request, FIRST, unwritten=unwritten), why


@pytest.fixture
def session():
    return played(BEGUN)


def test_lines_that_are_nobodys_words_change_nothing(session, tmp_path):
    """API errors, commands of the client, shell escapes, subagents, repeated messages, a missing parent."""
    session.says("API Error: 529", isApiErrorMessage=True)
    session.line("user", isSidechain=True, message={"role": "user", "content": "told to a subagent"})
    session.line("system", parent="ffffffff-0000-4000-8000-000000000000")
    session.attachment("file")
    session.prompt("second", "p2")
    session.queued("ls", mode="bash")
    session.queued("done", origin="task-notification")
    session.line("user", isSidechain=True, promptId="p2", message={"content": "do the subtask"})
    session.line("assistant", isSidechain=True, message={"id": "m", "content": "from the subagent"})
    blob = {"role": "user", "content": "first"}
    session.apart(type="api-request-blob", sessionId="s", hash="h", message=blob)
    session.apart(type="api-request-shape", sessionId="s", shape={"messages": [blob]})
    session.apart(type="last-prompt", lastPrompt="second", leafUuid=session.tip)
    session.says("done with second")
    session.prompt_id = "c1"
    session.user("<local-command-caveat>...</local-command-caveat>", isMeta=True)
    session.user("<command-name>/model</command-name>\n<command-args>sonnet</command-args>")
    session.user("<local-command-stdout>Set model</local-command-stdout>")
    session.user("<bash-input> echo hi</bash-input>")
    session.user("<bash-stdout>hi</bash-stdout><bash-stderr></bash-stderr>", turnOrigin="human")
    assert read(session, tmp_path, "p2") == Exchange(("second",), FIRST)


@pytest.mark.parametrize("last_result", ["t1", "t2", "t3"])
def test_parallel_calls_branch_the_chain_and_the_request_is_still_found(session, tmp_path, last_result):
    session.prompt("second", "p2")
    session.says("three files", "m2")
    calls = {name: session.calls("Write", {}, name, "m2") for name in ("t1", "t2", "t3")}
    order = [name for name in calls if name != last_result] + [last_result]
    for name in order:
        session.result(use_id=name, parent=calls[name])
    session.calls("Read", {}, "t4", "m3")
    session.result(use_id="t4")
    assert read(session, tmp_path, "p2") == Exchange(("second",), FIRST)
    session.prompt("third", "p3")
    assert read(session, tmp_path, "p3").prior_assistant_turn == "three files"


def test_without_a_file_the_kept_prompt_is_all_there_is(tmp_path):
    for path, prompt_id in ((tmp_path / "none.jsonl", "p2"), (None, "p2"), (None, None)):
        found = TranscriptReader().exchange(pending_write(path, prompt_id), kept_prompts(*LATE))
        assert found == Exchange(("second",), "", unwritten=("second",))


# Whose words count: a subagent's request and task, and the voices of a session with what was said before each.

AGENT = "a80348ac48fe8567c"


def parent_session() -> Session:
    session = played((*BEGUN, "p2> second", "<m2 Delegating."))
    session.calls("Agent", {"prompt": "the task on the parent's side"}, "t1", "m2")
    return session


def write_agent(folder: Path, task: object, prompt_id: str = "p2", agent_id: str = AGENT):
    agents = folder / "session" / "subagents"
    agents.mkdir(parents=True, exist_ok=True)
    line = {
        "parentUuid": None, "isSidechain": True, "promptId": prompt_id, "agentId": agent_id, "type": "user",
        "message": {"role": "user", "content": task}, "uuid": "b4db2ed6-0000-4000-8000-000000000000",
    }  # fmt: skip
    (agents / f"agent-{agent_id}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")


def test_a_background_agent_keeps_the_request_that_started_it(tmp_path):
    session = parent_session()
    found = read(session, tmp_path, "p2", agent_id=AGENT)
    assert found == Exchange(("second",), FIRST), "without its file no task is known"
    session.result("launched", "t1", toolUseResult={"agentId": AGENT, "prompt": "task"})
    session.says("Started it.")
    session.prompt("something else meanwhile", "p3")
    session.says("on it")
    session.turn("and yet another thing", "p4", "done")
    write_agent(tmp_path, "write sub.txt")
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p3", "something else meanwhile"))
    for known in ((), kept):
        for prompt_id in ("p2", "p3"):
            found = read(session, tmp_path, prompt_id, known, AGENT)
            assert found == Exchange(("second",), FIRST, delegated_task="write sub.txt")


def test_an_agent_whose_prompt_is_not_in_the_file_gets_its_kept_text_or_the_newest_request(tmp_path):
    kept = kept_prompts(("p1", "first"), ("p2", "second"), ("p3", "third"))
    of_its_own = Exchange(("second",), unwritten=("second",))
    assert read(Session(), tmp_path, "p2", kept, AGENT) == of_its_own
    late = Exchange(("second",), FIRST, unwritten=("second",))
    assert read(played(BEGUN), tmp_path, "p2", kept[:2], AGENT) == late
    found = read(parent_session(), tmp_path, "unknown", (), AGENT)
    assert (found.request, found.prior_assistant_turn) == (("second",), FIRST)


@corpus("agent_id", ["../../secret", "a/b", "", "a\n", "a\0b", "x" * 65, "a" * 1_000_000, ".", "é"])
def test_an_id_from_outside_never_becomes_part_of_a_path(tmp_path, agent_id):
    assert agent_path("/t/session.jsonl", agent_id) is None
    (tmp_path / "secret.jsonl").write_text('{"type":"user","message":{"content":"secret"}}')
    found = read(parent_session(), tmp_path, "p2", agent_id=agent_id)
    assert found == Exchange(("second",), FIRST)


# Who spoke, as the file tells it: in which words, under which id, and after what.


def voices(session: Session, folder: Path) -> list[Voice]:
    path = session.write(folder / "session.jsonl")
    return list(TranscriptReader().voices(pending_write(path, "p2")))


def test_a_voice_knows_the_last_message_before_it_and_none_between_two_messages_in_a_row(tmp_path):
    before = ("p1> first", "<m1 An earlier message?", "call m1", "<m2 Held back.", "<m2 Shall I?")
    session = played((*before, "p2> compas: proceed"))
    session.user("Operation stopped by hook: Compass: did you mean", isMeta=True)
    session.prompt("yes", "p3")
    session.says("Going on.", "m3")
    assert voices(session, tmp_path) == [
        Voice("yes", "p3", typed=True, after=""),
        Voice("compas: proceed", "p2", typed=True, after="Held back.\n\nShall I?"),
        Voice("first", "p1", typed=True, after=""),
    ]


def test_one_without_an_id_tells_in_which_turns_it_may_have_been_typed(tmp_path):
    session = played(("p0> zero", "< done", "p1> first", "<m1 Working."))
    session.prompt("and this", "p2", promptSource="queued")
    session.says("Done.", "m2")
    session.prompt("and that", "p3", promptSource="queued")
    session.queued("yes")
    found = {voice.text: (voice.prompt_id, voice.during) for voice in voices(session, tmp_path)}
    assert found == {
        "zero": ("p0", ()), "first": ("p1", ()), "and this": (None, ("p1",)),
        "and that": (None, ("p2", "p1")), "yes": (None, ("p3", "p2", "p1")),
    }  # fmt: skip


def test_what_a_person_types_in_refusing_a_call_is_their_word_and_belongs_to_the_request(tmp_path):
    session = played(("p2> fix it up",))
    session.calls("Bash", {"command": "git push"}, "t1")
    refused(session, "rebase from main first", toolDenialKind="user-rejected")
    session.calls("Bash", {"command": "git rebase main"}, "t2")
    session.result(use_id="t2")
    pending = pending_write(session.write(tmp_path / "session.jsonl"), "p2")
    kept = [KeptPrompt("p2", "fix it up", 0), KeptPrompt("p2", "and the docs", 0, 1)]
    found = TranscriptReader().exchange(pending, kept)
    assert found.request == ("fix it up", "rebase from main first", "and the docs")
    assert found.unwritten == ("and the docs",), "no hook was told of the words at the refusal"
    newest, opening = voices(session, tmp_path)
    assert newest == Voice("rebase from main first", None, typed=True, during=("p2",))
    assert opening.text == "fix it up"


@pytest.mark.parametrize(
    ("words", "fields", "heard"),
    [
        ("use main", {"version": "2.1.29"}, "use main"),
        ("use main", {"version": "2.1.330"}, ""),
        ("use main", {}, ""),
        ("use main", {"toolDenialKind": "permission-rule"}, ""),
        ("The user wants to clarify these questions.\nAsked:", {"toolDenialKind": "user-rejected"}, ""),
    ],
    ids=["an older client's", "a tool's output", "no client's", "a hook's denial", "the client's own"],
)
def test_words_at_a_refusal_are_the_persons_only_where_the_client_says_so(words, fields, heard):
    session = Session()
    refused(session, words, **fields)
    entry = classify_line(session.lines[-1])
    assert entry is not None and entry.text == heard


def refused(session: Session, words: str, **fields: str):
    """As the client writes it where the person typed something."""
    text = f"The user doesn't want to proceed with this tool use. {host_table('claude-code')['refused_saying']}{words}"
    session.result(text, "t1", is_error=True, toolUseResult=f"Error: {text}", **fields)


# The exchange of a host whose session file is a plain list of messages.

PENDING = PendingWrite("plain", "s1", "Write", {}, cwd="/p", project_dir="/p")


def talk(*lines, ids=()):
    """A conversation of `u: ...` and `a: ...` lines, oldest first; `ids` of its user messages."""
    left, said = iter(ids), []
    for line in lines:
        who, _, text = line.partition(": ")
        said.append(Said("user", text, next(left, None)) if who == "u" else Said("agent", text))
    return Conversation(lambda _: iter(reversed(said)))


def kept(*prompts, ids=()):
    named = zip(ids or (None,) * len(prompts), prompts, strict=True)
    return [KeptPrompt(name, text, i + 1, i) for i, (name, text) in enumerate(named)]


def test_messages_in_a_row_are_one_request_and_what_was_said_before_it_is_one_message():
    found = talk("a: Which?", "u: the first", "u: and quickly", "a: ", "u: continue").exchange(PENDING, ())
    assert found == Exchange(("the first", "and quickly"), "Which?"), "a continuation inherits"
    found = talk("u: look", "a: One.", "a: ", "a: Two.", "u: go and fix a.py").exchange(PENDING, ())
    assert found.prior_assistant_turn == "Two.", "a call without words ends the message before it"
    blocks = (("two", "m"), ("one", "m"), ("older", "l"))
    said = [Said("user", "now?"), *(Said("agent", text, message_id=name) for text, name in blocks)]
    conversation = Conversation(lambda _: iter(said))
    assert conversation.exchange(PENDING, ()).prior_assistant_turn == "one\n\ntwo"
    assert conversation.voices(PENDING)[0].after == "one\n\ntwo"


def test_a_prompt_that_the_file_lacks_is_read_from_where_it_was_kept_until_it_stands_there():
    prompts = kept("look at a and b", "Delete it.")
    found = talk("u: look at a and b", "a: Both are unused.").exchange(PENDING, prompts)
    assert found == Exchange(("Delete it.",), "Both are unused.", unwritten=("Delete it.",))
    found = talk("u: look at a and b", "a: Both.", "u: Delete  it.", "a: ").exchange(PENDING, prompts)
    assert found == Exchange(("Delete  it.",), "Both.")


def test_the_same_words_twice_are_two_prompts_which_ids_of_the_host_tell_apart():
    prompts, begun = kept("fix it", "fix it"), ("u: fix it", "a: Done. Or is it c.py?")
    assert talk(*begun).exchange(PENDING, prompts).unwritten == (), "nobody can tell which one it is"
    found = talk("u: fix it", "a: Done.", "u: fix it", "a: ").exchange(PENDING, prompts)
    assert found.prior_assistant_turn == "Done."
    named = kept("fix it", "fix it", ids=("t1", "t2"))
    found = talk(*begun, ids=("t1",)).exchange(replace(PENDING, prompt_id="t2"), named)
    assert (found.unwritten, found.prior_assistant_turn) == (("fix it",), "Done. Or is it c.py?")


def test_voices_are_the_users_messages_newest_first_with_what_was_said_before_each():
    found = talk("u: a", "a: x", "a: y", "u: 1", "a: z", "u: compass: pause").voices(PENDING)
    assert [(one.text, one.after) for one in found] == [("compass: pause", "z"), ("1", "y"), ("a", "")]
    long = talk(*(f"u: {i}" for i in range(100))).voices(PENDING)
    assert (len(long), long[0].text) == (30, "99")
