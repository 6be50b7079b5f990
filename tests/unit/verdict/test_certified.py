"""Certified cuts: what blocks, what passes, what the zone between them is, and when readers need not be asked."""

from dataclasses import dataclass

from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import (
    NO_BLOCK,
    NO_PASS,
    Certified,
    Convergence,
    Cuts,
    Effects,
    Evidence,
    Exchange,
    PendingWrite,
    Reading,
    Sample,
    Score,
    Subject,
    Thresholds,
)
from evaluator.record import replace
from evaluator.verdict.convergence import moments
from evaluator.verdict.decision import judge
from evaluator.verdict.escalation import is_certain, look_of
from evaluator.verdict.readings import agreement
from evaluator.verdict.score import total

BOTH = Cuts(0.8, 1.1, 0.1, 0.1)
ALPHA_ALONE = Cuts(0.8, NO_PASS, 0.1, 1.0)
BETA_ALONE = Cuts(NO_BLOCK, 1.1, 1.0, 0.1)
STEEP = Score(0.25, 1.0, 0.1)


def held(cuts=BOTH, score=None, agreement=None, **stated):
    return Thresholds(0.65, 0.20, agreement, Certified(score or Score(), cuts, **stated))


def found(mean, stddev=0.0, agreement=1.0, **more):
    return Convergence(mean, stddev, 5, "none", "", agreement, **more)


@corpus(
    ("convergence", "thresholds", "mild", "destructive"),
    [
        (found(0.9), held(), "confident", "confident"),
        (found(0.7), held(), "confident", "low_confidence"),
        (found(0.5), held(), "low_confidence", "low_confidence"),
        # The mean alone would do; readings that differ pull it under.
        (found(0.6, agreement=0.4), held(), "low_agreement", "low_agreement"),
        # Deviation takes off only with a weight.
        (found(0.9, 0.4), held(), "confident", "confident"),
        (found(0.9, 0.5), held(score=STEEP), "disagreement", "disagreement"),
        (found(0.5, 0.5, 0.0), held(score=STEEP), "low_confidence", "low_confidence"),
        # Without readings nobody disagrees on them.
        (found(0.9, agreement=None), held(), "confident", "confident"),
        # No certificate says that a destructive call may pass: the rule without certificates does.
        (found(0.9), held(ALPHA_ALONE), "confident", "confident"),
        (found(0.6), held(ALPHA_ALONE), "confident", "low_confidence"),
        (found(0.9, 0.3), held(ALPHA_ALONE), "confident", "disagreement"),
        # And none says that a mild one may be blocked.
        (found(0.7), held(BETA_ALONE), "confident", "low_confidence"),
        (found(0.6), held(BETA_ALONE), "low_confidence", "low_confidence"),
        # What was stated tighter blocks as well; the readings by the rule that asks for them.
        (found(0.85), held(confidence=0.9), "low_confidence", "low_confidence"),
        (found(0.95, 0.2), held(deviation=0.1), "disagreement", "disagreement"),
        (found(1.0, agreement=0.4), held(agreement=0.5), "low_agreement", "low_agreement"),
        (found(1.0, held=True), held(), "disagreement", "disagreement"),
    ],
)  # fmt: skip
def test_the_cuts_decide_and_the_zone_is_blocked_where_something_is_destroyed(
    convergence, thresholds, mild, destructive
):
    for is_destructive, reason in ((False, mild), (True, destructive)):
        verdict = "passed" if reason == "confident" else "failed"
        assert judge(convergence, thresholds, destructive=is_destructive) == (verdict, reason)


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 1), st.booleans())
def test_a_block_is_the_score_under_its_cut_and_nothing_else(mean, stddev, agreed, destructive):
    thresholds = held(score=STEEP)
    at = total(mean, stddev, agreed, STEEP)
    verdict, _ = judge(found(mean, stddev, agreed), thresholds, destructive=destructive)
    cut = BOTH.passing if destructive else BOTH.block
    if abs(at - cut) > 1e-8:
        assert (verdict == "failed") == (at < cut)


@dataclass
class Case:
    scores: tuple[float, ...]
    operation_class: str = "modifying"
    apart: bool = False

    @property
    def samples(self):
        return [
            Sample(f"reader-{n}", score, "none", "", Reading("change", f"a{n if self.apart else 0}.py", "one_file"))
            for n, score in enumerate(self.scores, 1)
        ]  # fmt: skip

    @property
    def subject(self):
        effects = Effects("write", "edit", self.operation_class, ("/p/a0.py",))
        evidence = Evidence("Edit", "edit", self.operation_class, ("a0.py",), "mend it")
        pending = PendingWrite("claude-code", "s", "Edit", {}, "/p", "/p")
        return Subject(pending, effects, Exchange(("mend it",)), evidence)


@corpus(
    ("case", "ends"),
    [
        (Case((0.95,)), False),
        (Case((0.95, 0.95)), True),
        (Case((0.95, 0.95), apart=True), False),
        (Case((0.2, 0.3)), True),
        (Case((0.7, 0.7)), False),
        (Case((0.95, 0.95), "destructive"), False),
        (Case((0.95, 0.95, 0.95), "destructive"), True),
        (Case((0.2, 0.3), "destructive"), True),
    ],
)
def test_a_look_ends_a_check_outside_of_the_zone(case, ends):
    look = look_of(case.subject, held())
    assert look is not None
    assert look(case.samples) is ends


def test_a_pass_that_a_stated_threshold_forbids_ends_nothing_and_without_cuts_there_is_no_look():
    case = Case((0.8, 1.0))
    look = look_of(case.subject, held(confidence=0.95))
    assert look is not None
    assert not look(case.samples)
    assert look_of(case.subject, Thresholds(0.65, 0.2)) is None


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=4),
    st.lists(st.floats(0, 1), max_size=4),
    st.sampled_from([BOTH, ALPHA_ALONE, BETA_ALONE]),
    st.booleans(),
)
def test_a_certain_block_stays_one_whatever_the_others_say(scores, rest, cuts, destructive):
    thresholds = held(cuts)
    if not is_certain(scores, len(rest), thresholds):
        return
    for count in range(len(rest) + 1):
        mean, stddev = moments([*scores, *rest[:count]])
        convergence = found(mean, stddev, agreement([len(scores) + count]))
        assert judge(convergence, thresholds, destructive=destructive)[0] == "failed"


def test_a_block_is_certain_before_all_have_answered():
    assert is_certain([0.0, 0.0, 0.0, 0.0], 1, held())
    assert not is_certain([0.5, 0.5], 3, held())
    assert not is_certain([0.0, 0.0, 0.0], 1, held(BETA_ALONE))
    assert is_certain([0.2, 0.2, 0.2], 1, replace(held(), certified=None))
