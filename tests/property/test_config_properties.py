"""For every key: what is set is read back, by whatever spelling the file has, and all else in the file survives."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compass.composition.settings import load
from compass.configuration import change as setting_change
from compass.configuration.change import set_value
from compass.install.installation import Site
from compass.show.configuration import entry_of
from evaluator.settings.keys import KEYS

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

        change = set_value(site, key, text, every_project=every_project)
        assert change.outweighed_by == ""
        loaded = load({}, str(home), site.project_dir)
        found = entry_of(key, loaded).value
        assert found == ({**key_default(key), **wanted} if key.kind == "table" else wanted)
        assert isinstance(found, bool) == isinstance(wanted, bool)

        stands = json.loads(file.read_text())
        stated = stands["compass"] if every_project else stands
        assert setting_change.stated_in(stated, path)[0]
        assert {name: held for name, held in stands.items() if name in around} == around


def key_default(key):
    return dict(key.default)


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
