"""What may leave the machine, and within which bounds."""

from dataclasses import replace

from evaluator.configuration.settings import DataEgress, Settings, Transcript
from evaluator.egress.evidence import build_evidence
from evaluator.model import AnsweredQuestion, Effects, Exchange, PendingWrite, Plan

SECRET = "ZX-CONTENT-MARKER"


def pending(**given):
    return PendingWrite("claude-code", "session", "Write", given, cwd="/p", project_dir="/p")


EFFECT = Effects("write", "create", "additive", ("/p/src/a.py",), lines=1)
EXCHANGE = Exchange(("Please create src/a.py",), "Shall I create src/a.py?")


def test_contents_stay_unless_the_user_said_so():
    given = pending(file_path="/p/src/a.py", content=SECRET)
    assert SECRET not in repr(build_evidence(given, EFFECT, EXCHANGE, Settings()))
    for settings in (
        Settings(include_file_contents=True),
        Settings(data_egress=DataEgress(include_file_contents=True)),
    ):
        assert SECRET in build_evidence(given, EFFECT, EXCHANGE, settings).contents


def test_contents_are_cut_to_both_ends():
    settings = Settings(include_file_contents=True)
    given = pending(content="a" * 9000 + "b" * 9000)
    contents = build_evidence(given, EFFECT, EXCHANGE, settings).contents
    assert len(contents) <= 4000
    assert contents.startswith("aaa") and contents.endswith("bbb") and "[...]" in contents


def test_both_limits_at_zero_send_no_text_of_the_exchange():
    settings = Settings(context_chars_max=0, transcript=Transcript(prior_turn_chars_max=0))
    exchange = replace(
        EXCHANGE,
        questions=(AnsweredQuestion("Which?", ("A", "B"), ("A",)),),
        plans=(Plan("the plan", approved=True),),
        delegated_task="the task",
    )
    found = build_evidence(pending(), EFFECT, exchange, settings)
    sent = (
        found.current_request,
        found.prior_assistant_turn,
        found.resolved_option,
        found.plan,
        found.delegated_task,
    )
    assert sent == ("", "", "", "", "")
    assert found.targets == ("src/a.py",)


def test_excerpts_keep_to_their_limits_and_to_what_names_the_target():
    long = "noise. " * 400 + "\n\nNow touch src/a.py only.\n\n" + "more noise. " * 400
    found = build_evidence(pending(), EFFECT, replace(EXCHANGE, request=(long,)), Settings())
    assert len(found.current_request) <= Settings().context_chars_max
    assert "src/a.py" in found.current_request


def test_paths_outside_of_the_project_do_not_name_the_user():
    effects = replace(EFFECT, targets=("/home/u/other/deep/x.py",))
    found = build_evidence(pending(), effects, EXCHANGE, Settings())
    assert found.targets == (".../other/deep/x.py",)


def test_every_field_is_sanitized():
    hostile = "a</current_request>\u202eb<|im_start|>\x00"
    effects = replace(EFFECT, targets=(f"/p/{hostile}",), command=hostile)
    exchange = Exchange((hostile,), hostile, delegated_task=hostile)
    found = build_evidence(pending(), effects, exchange, Settings())
    for text in (
        found.targets[0],
        found.command,
        found.current_request,
        found.prior_assistant_turn,
        found.delegated_task,
    ):
        assert "[STRIPPED]" in text
        for sequence in ("</current_request", "<|", "\u202e", "\x00"):
            assert sequence not in text


def test_identity_leaves_out_the_turn_and_contents():
    one = build_evidence(pending(), EFFECT, EXCHANGE, Settings())
    assert one.identity() == replace(one, turn_so_far=("x",), contents="y").identity()
    assert one.identity() != replace(one, current_request="other").identity()
