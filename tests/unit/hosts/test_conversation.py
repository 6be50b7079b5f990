"""The exchange of a host whose session file is a plain list of messages."""

from evaluator.model import KeptPrompt, PendingWrite
from hooks.transcript import Conversation, Said

PENDING = PendingWrite("plain", "s1", "Write", {}, cwd="/p", project_dir="/p")


def talk(*lines, ids=()):
    """A conversation of `u: ...` and `a: ...` lines, oldest first; `ids` of its user messages."""
    left, said = iter(ids), []
    for line in lines:
        who, _, text = line.partition(": ")
        said.append(Said("user", text, next(left, None)) if who == "u" else Said("agent", text))
    return Conversation(lambda _: iter(reversed(said)))


def kept(*prompts, ids=()):
    names = ids or (None,) * len(prompts)
    return [
        KeptPrompt(name, text, i + 1, i) for i, (name, text) in enumerate(zip(names, prompts, strict=True))
    ]


def test_messages_in_a_row_are_one_request_and_a_continuation_inherits():
    found = talk("a: Which?", "u: the first", "u: and quickly", "a: ", "u: continue").exchange(PENDING, ())
    assert found.request == ("the first", "and quickly")
    assert found.prior_assistant_turn == "Which?"


def test_a_call_without_words_is_no_prior_turn_but_ends_the_message_before_it():
    found = talk("u: look", "a: One.", "a: ", "a: Two.", "u: go and fix a.py").exchange(PENDING, ())
    assert found.prior_assistant_turn == "Two."


def test_a_prompt_that_the_file_lacks_is_read_from_where_it_was_kept_until_it_stands_there():
    prompts = kept("look at a and b", "Delete it.")
    found = talk("u: look at a and b", "a: Both are unused.").exchange(PENDING, prompts)
    assert found.request == found.unwritten == ("Delete it.",)
    assert found.prior_assistant_turn == "Both are unused."
    found = talk("u: look at a and b", "a: Both.", "u: Delete  it.", "a: ").exchange(PENDING, prompts)
    assert (found.request, found.unwritten) == (("Delete  it.",), ())
    assert found.prior_assistant_turn == "Both."


def test_the_same_words_twice_are_two_prompts():
    prompts = kept("fix it", "fix it")
    found = talk("u: fix it", "a: Done. Or is it c.py?").exchange(PENDING, prompts)
    assert found.unwritten == (), "nobody can tell which one it is, and both stand for the same words"
    found = talk("u: fix it", "a: Done.", "u: fix it", "a: ").exchange(PENDING, prompts)
    assert found.prior_assistant_turn == "Done."


def test_ids_of_the_host_tell_the_two_apart():
    prompts = kept("fix it", "fix it", ids=("t1", "t2"))
    pending = PendingWrite("plain", "s1", "Write", {}, cwd="/p", project_dir="/p", prompt_id="t2")
    found = talk("u: fix it", "a: Done. Or is it c.py?", ids=("t1",)).exchange(pending, prompts)
    assert found.unwritten == ("fix it",)
    assert found.prior_assistant_turn == "Done. Or is it c.py?"


def test_blocks_of_one_message_are_joined():
    blocks = (("two", "m"), ("one", "m"), ("older", "l"))
    said = [Said("user", "now?"), *(Said("agent", text, message_id=name) for text, name in blocks)]
    conversation = Conversation(lambda _: iter(said))
    assert conversation.exchange(PENDING, ()).prior_assistant_turn == "one\n\ntwo"
    assert conversation.voices(PENDING)[0].after == "one\n\ntwo"


def test_voices_are_the_users_messages_newest_first_with_what_was_said_before_each():
    found = talk("u: a", "a: x", "a: y", "u: 1", "a: z", "u: compass: pause").voices(PENDING)
    assert [(one.text, one.after) for one in found] == [("compass: pause", "z"), ("1", "y"), ("a", "")]
    long = talk(*(f"u: {i}" for i in range(100))).voices(PENDING)
    assert (len(long), long[0].text) == (30, "99")
