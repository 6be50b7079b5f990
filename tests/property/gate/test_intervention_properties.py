"""No sequence of calls and replies without the user's word releases anything."""

from hypothesis import given
from hypothesis import strategies as st

from evaluator.effects import effect, folded
from evaluator.intervention.records import HeldCall
from evaluator.intervention.resolution import UserReply, consult, hold_back, resolve, settled
from evaluator.model import Exchange
from evaluator.state.sessions import decode, encode

CLASSES = {"create": "additive", "edit": "modifying", "overwrite": "modifying", "delete": "destructive"}
CALLS = st.builds(
    lambda target, operation, use: HeldCall(
        (target,), operation, CLASSES[operation], f"{operation}{target}", use, (effect(operation, target),)
    ),
    st.sampled_from(["/p/a", "/p/b", "/p/c"]),
    st.sampled_from(sorted(CLASSES)),
    st.sampled_from(["u1", "u2", "u3"]),
)
WORDS = st.one_of(
    st.text(max_size=20), st.sampled_from(["1", "2", "yes", "compass: cancel", "compass: pause", "continue"])
)
STEPS = st.lists(st.one_of(st.tuples(st.just("call"), CALLS), st.tuples(st.just("say"), WORDS)), max_size=12)


def opened(call):
    return hold_back(
        None, call, check_id="c", exchange=Exchange(("r",)), session_id="s", readings=("one", "two"),
        position=0, newest=0, now=0.0, binding=True,
    )  # fmt: skip


@given(CALLS, STEPS)
def test_nothing_is_released_without_a_control_reply(first, steps):
    found = opened(first)
    for number, (kind, what) in enumerate(steps, 1):
        if kind == "call":
            outcome, found = consult(found, what, 1)
            assert outcome != "released"
        else:
            after = resolve(found, UserReply(what, number), float(number))
            if after is None:
                return
            found = after


@given(CALLS, STEPS)
def test_what_is_stored_is_what_is_read(first, steps):
    found = opened(first)
    for number, (kind, what) in enumerate(steps, 1):
        if kind == "call":
            _, found = consult(found, what, 1)
            found = settled(found, what.tool_use_id, succeeded=False) or found
        else:
            found = resolve(found, UserReply(what, number), float(number)) or found
        assert decode(encode(found)) == found


TARGETS = ["", "/p/a", "/p/b", "/p/dist/c"]
OPERATIONS = ["create", "edit", "overwrite", "delete", "network", "run", "unknown"]
EFFECTS = st.builds(
    lambda operation, target: effect(operation, target, identity="" if target else operation),
    st.sampled_from(OPERATIONS),
    st.sampled_from(TARGETS),
)


@given(st.lists(EFFECTS, min_size=1, max_size=4), EFFECTS)
def test_adding_an_effect_to_a_released_call_never_runs(held, added):
    def call(each):
        whole = folded(each)
        return HeldCall(whole.targets, whole.operation, whole.operation_class, repr(each), "use", tuple(each))

    found = resolve(opened(call(held)), UserReply("compass: proceed", 1), 1.0)
    assert found is not None
    assert consult(found, call(held), 1)[0] == "released"
    if added not in held:
        assert consult(found, call([*held, added]), 1)[0] != "released"


@given(st.text(max_size=300))
def test_a_row_that_cannot_be_read_is_none(text):
    assert decode(text) is None
