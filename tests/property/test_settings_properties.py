"""For all settings: what is set is read back however it is spelled, and an install is idempotent, taken out whole."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compass.composition.settings import load
from compass.configuration import change as setting_change
from compass.configuration.change import set_value
from compass.install.installation import Site
from compass.install.settings_file import rewrite
from compass.show.configuration import entry_of
from evaluator.settings.keys import KEYS
from hooks.entries import Wiring
from hooks.hosts.claude_code.host import HOST as CLAUDE_CODE

UNKNOWN = st.dictionaries(
    st.text("abcxyzäß-", min_size=1, max_size=8).map(lambda name: "x-" + name),
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)
WORD = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
HOST = st.from_regex(r"[a-zä0-9-]{1,9}(\.[a-z]{2,3})?|\[::1\]", fullmatch=True)
PORT = st.just("") | st.integers(1, 65_535).map(lambda port: f":{port}")
PATH = st.from_regex(r"(/[a-z0-9._~%-]*){0,3}", fullmatch=True)
ADDRESS = st.tuples(st.sampled_from(["http://", "HTTPS://", "https://user:word@"]), HOST, PORT, PATH).map(
    "".join
)


def texts(key):
    """(what is typed, what is then in force)."""
    if key.kind == "bool":
        return st.sampled_from([("true", True), ("false", False), ("1", True), ("FALSE", False)])
    if key.kind == "int":
        return st.integers(int(key.low), int(key.high or 10**6)).map(lambda number: (str(number), number))
    if key.kind == "float":
        found = st.floats(key.low, key.high or 1e9).map(lambda number: (json.dumps(number), number))
        return found | st.just(("none", None)) if key.optional else found
    if key.kind == "strs":
        return st.lists(WORD.filter(bool), max_size=4).map(lambda words: (json.dumps(words), words))
    if key.kind == "table":
        return st.dictionaries(WORD, WORD, max_size=3).map(lambda rows: (json.dumps(rows), rows))
    if key.choices:
        return st.sampled_from([(word, word) for word in key.choices])
    if key.address:
        return ADDRESS.map(lambda address: (f" {address} ", address)) | st.just(("", None))
    plain = WORD.filter(lambda word: word.strip().lower() not in ("", "none", "null"))
    return (plain if key.optional else WORD).map(lambda word: (word, word))


def spelled(path, value):
    """A document that states the key in one of the ways that a file may have."""
    head, _, rest = path.partition(".")
    return {head: spelled(rest, value)} if rest else {path: value}


@pytest.mark.spread(20)
@pytest.mark.parametrize("path", KEYS)
@given(data=st.data())
@settings(max_examples=8)
def test_what_is_set_is_in_force_and_all_else_stands(path, data):
    key = KEYS[path]
    text, wanted = data.draw(texts(key))
    around, every_project = data.draw(UNKNOWN), data.draw(st.booleans())
    with tempfile.TemporaryDirectory() as folder:
        home, project = Path(folder, "home"), Path(folder, "project")
        project.mkdir()
        site = Site({}, str(home), str(project.resolve()), "/python", "/script")
        file = home / ".claude/settings.json" if every_project else Path(site.own_settings)
        file.parent.mkdir(parents=True)
        whole = {**around, "compass": dict(around)} if every_project else around
        file.write_text(json.dumps(whole))

        assert set_value(site, key, text, every_project=every_project).outweighed_by == ""
        found = entry_of(key, load({}, str(home), site.project_dir)).value
        assert found == ({**dict(key.default), **wanted} if key.kind == "table" else wanted)
        assert isinstance(found, bool) == isinstance(wanted, bool)

        stands = json.loads(file.read_text())
        stated = stands["compass"] if every_project else stands
        assert setting_change.stated_in(stated, path)[0]
        assert {name: held for name, held in stands.items() if name in around} == around


@given(
    path=st.sampled_from([path for path in KEYS if "." in path]),
    nested=st.booleans(), dotted=st.booleans(), around=UNKNOWN,
)  # fmt: skip
def test_every_spelling_of_a_key_gets_the_value(path, nested, dotted, around):
    before = {**around, **(spelled(path, "old") if nested else {}), **({path: "older"} if dotted else {})}
    after = setting_change.with_value(before, path, "new")
    assert setting_change.stated_in(after, path) == (True, "new")
    assert '"old' not in json.dumps(after)
    assert {name: held for name, held in after.items() if name in around} == around
    assert setting_change.with_value(after, path, "new") == after


SETUP = CLAUDE_CODE.setup()
words = st.text(max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
foreign = st.fixed_dictionaries(
    {"type": st.just("command"), "command": words}, optional={"timeout": st.integers(1, 90), "x": values}
).filter(lambda handler: not SETUP.is_own(handler))
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
def documents(draw: st.DrawFn, holding: st.SearchStrategy[Any]) -> tuple[Any, str]:
    value = draw(holding)
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return value, (text.replace("\n", newline) + draw(st.sampled_from(["", newline])))


@given(settings_objects(), wirings)
def test_taking_out_restores_the_settings(settings: dict[str, Any], wiring: Wiring) -> None:
    merged = SETUP.merge(settings, SETUP.entries(wiring))
    assert SETUP.remove(merged, SETUP.empty_containers(settings)) == settings


@given(settings_objects(), wirings, wirings)
def test_a_second_installation_replaces_the_first_in_its_place(settings, first, second):
    moved = SETUP.merge(SETUP.merge(settings, SETUP.entries(first)), SETUP.entries(second))
    assert moved == SETUP.merge(settings, SETUP.entries(second))
    assert sorted(event for event, _, _ in SETUP.own_handlers(moved)) == sorted(CLAUDE_CODE.EVENTS.values())


@given(documents(settings_objects()), wirings)
def test_the_text_says_the_wired_value_and_then_the_old_one_again(given_text, wiring):
    settings, text = given_text
    merged = SETUP.merge(settings, SETUP.entries(wiring))
    wired = rewrite(text, merged)
    assert said(wired) == json.dumps(merged)
    assert rewrite(wired, merged) == wired
    taken_out = SETUP.remove(merged, SETUP.empty_containers(settings))
    assert said(rewrite(wired, taken_out)) == json.dumps(settings)


@given(documents(values), values)
def test_a_rewritten_text_says_the_new_value(given_text: tuple[Any, str], value: Any) -> None:
    before, text = given_text
    changed = rewrite(text, value)
    assert said(changed) == json.dumps(value)
    assert said(rewrite(changed, before)) == json.dumps(before)
    assert rewrite(text, before) == text


def said(text: str) -> str:
    """What it says, order of keys included."""
    return json.dumps(json.loads(text))
