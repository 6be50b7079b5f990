"""Whatever the evidence says, the prompt's frame holds."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from evaluator.egress import prompt
from evaluator.model import Evidence
from evaluator.settings.keys import PROMPT_TAGS

NONCE = "zq81kd02"

TAGS = st.builds(
    "<{}{}{}>".format,
    st.sampled_from(["", "/", "/ "]),
    st.sampled_from(PROMPT_TAGS),
    st.sampled_from(["", "-0", "-zq"]),
)
HOSTILE = st.lists(TAGS | st.text(max_size=12) | st.just("\n"), max_size=6).map("".join)


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    return Evidence(
        tool_name=draw(HOSTILE),
        operation="delete",
        operation_class="destructive",
        targets=tuple(draw(st.lists(HOSTILE, max_size=3))),
        current_request=draw(HOSTILE),
        prior_assistant_turn=draw(HOSTILE),
        command=draw(HOSTILE),
        lines=draw(st.none() | st.integers(0, 10**6)),
        delegated_task=draw(HOSTILE),
        resolved_option=draw(HOSTILE),
        plan=draw(HOSTILE),
        turn_so_far=tuple(draw(st.lists(HOSTILE, max_size=3))),
        contents=draw(HOSTILE),
        looked_up=tuple(draw(st.lists(HOSTILE, max_size=3))),
        precedents=tuple(draw(st.lists(HOSTILE, max_size=3))),
    )


@given(evidences())
def test_each_slot_opens_once_closes_once_and_is_never_nested(evidence: Evidence) -> None:
    asked = prompt.build_prompt(evidence, NONCE)
    found = re.findall(rf"<(/?)([a-z_]+)-{NONCE}>", asked.user)
    opened = [name for closing, name in found if not closing]
    assert found == [(closing, name) for name in opened for closing in ("", "/")]
    assert len(set(opened)) == len(opened)
    assert opened[-1] == "pending_write"
    assert set(opened) <= set(PROMPT_TAGS)
    assert ("prior_assistant_turn" in opened) == bool(evidence.prior_assistant_turn.strip())
    (asked.system + asked.user).encode()


@given(evidences())
def test_the_system_part_depends_on_nothing_but_the_presence_of_a_prior_turn(evidence: Evidence) -> None:
    plain = Evidence(
        "Edit", "edit", "modifying", (), "x", "y" if evidence.prior_assistant_turn.strip() else ""
    )
    assert prompt.build_prompt(evidence, NONCE).system == prompt.build_prompt(plain, NONCE).system


WRITE = {
    "tool_name": "ZQTOOL",
    "targets": ("zqtarget.py",),
    "command": "zqcommand",
    "turn_so_far": ("zqwritten.py",),
}


@given(evidences())
def test_a_blind_reader_is_told_nothing_of_the_write(evidence: Evidence) -> None:
    """Two writes after the same exchange give the same prompt, to the letter."""
    other = Evidence(
        **{
            **{name: getattr(evidence, name) for name in evidence.__match_args__},
            **WRITE,
            "operation": "create",
            "operation_class": "additive",
            "lines": 77,
            "contents": "zqcontents",
        }
    )
    assert prompt.build_prompt(evidence, NONCE, blind=True) == prompt.build_prompt(other, NONCE, blind=True)
