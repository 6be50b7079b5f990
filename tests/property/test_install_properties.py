"""For all settings: installing is idempotent, and taking out restores the value, in its order."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from compass.install.settings_file import rewrite
from hooks.entries import Wiring
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()
EVENTS = {name: word for word, name in HOST.EVENTS.items()}
empty_containers = SETUP.empty_containers
entries = SETUP.entries
is_own = HOST.setup().is_own
merge = SETUP.merge
own_handlers = SETUP.own_handlers
remove = SETUP.remove

words = st.text(max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
foreign = st.fixed_dictionaries(
    {"type": st.just("command"), "command": words}, optional={"timeout": st.integers(1, 90), "x": values}
).filter(lambda handler: not is_own(handler))
groups = st.fixed_dictionaries(
    {"hooks": st.lists(foreign | values, max_size=3)},
    optional={"matcher": words | st.just("Write|Edit|MultiEdit|NotebookEdit|Bash"), "note": values},
)
event_lists = st.lists(groups | values, max_size=3)
hook_tables = st.dictionaries(st.sampled_from(["PreToolUse", "SessionEnd", "Stop"]), event_lists)
wirings = st.builds(
    Wiring,
    interpreter=st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=9).map(
        lambda word: "/" + word
    ),
    script=st.just("/opt/it's $here/compass/__main__.py"),
    blocks=st.booleans(),
    mcp_tools=st.lists(st.sampled_from(["mcp__a__write", "mcp__b-c__put"]), unique=True).map(tuple),
)


@st.composite
def settings_objects(draw: st.DrawFn) -> dict[str, Any]:
    settings: dict[str, Any] = draw(
        st.dictionaries(words.filter(lambda key: key != "hooks"), values, max_size=3)
    )
    if draw(st.booleans()):
        settings["hooks"] = draw(hook_tables)
    return settings


@st.composite
def texts(draw: st.DrawFn, holding: st.SearchStrategy[Any]) -> tuple[Any, str]:
    value = draw(holding)
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return value, (text.replace("\n", newline) + draw(st.sampled_from(["", newline])))


@given(settings_objects(), wirings)
def test_taking_out_restores_the_settings(settings: dict[str, Any], wiring: Wiring) -> None:
    assert remove(merge(settings, entries(wiring)), empty_containers(settings)) == settings


@given(settings_objects(), wirings, wirings)
def test_a_second_installation_replaces_the_first_in_its_place(
    settings: dict[str, Any], first: Wiring, second: Wiring
) -> None:
    moved = merge(merge(settings, entries(first)), entries(second))
    assert moved == merge(settings, entries(second))
    assert sorted(event for event, _, _ in own_handlers(moved)) == sorted(EVENTS)


@given(texts(settings_objects()), wirings)
def test_the_text_says_the_wired_value_and_then_the_old_one_again(
    given_text: tuple[dict[str, Any], str], wiring: Wiring
) -> None:
    settings, text = given_text
    merged = merge(settings, entries(wiring))
    wired = rewrite(text, merged)
    assert said(wired) == json.dumps(merged)
    assert rewrite(wired, merged) == wired
    assert said(rewrite(wired, remove(merged, empty_containers(settings)))) == json.dumps(settings)


@given(texts(values), values)
def test_a_rewritten_text_says_the_new_value(given_text: tuple[Any, str], value: Any) -> None:
    before, text = given_text
    changed = rewrite(text, value)
    assert said(changed) == json.dumps(value)
    assert said(rewrite(changed, before)) == json.dumps(before)
    assert rewrite(text, before) == text


def said(text: str) -> str:
    """What it says, order of keys included."""
    return json.dumps(json.loads(text))
