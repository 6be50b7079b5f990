"""A project's precedents: `compass memory` as a process, and a glossary, which counts once its user trusted it."""

import json
import os
import time

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from running.atterminal import at_a_terminal
from running.hookrun import Place

from evaluator.precedents import ENTRIES_MAX, GlossaryEntry, Precedent, looked_for, parsed_glossary, shown_of
from evaluator.record import replace
from evaluator.settings.places import project_key
from evaluator.state.store import open_store
from evaluator.text import ulid

DAY = 86_400.0
TEXT = """# How we talk

Prose says nothing: `this` neither.

- **the parser**: `src/json/parser.py` (fix, one place)
- prod: `deploy/prod.yaml`
"""


class Remembering:
    def __init__(self, root):
        self.place = Place(root)
        self.project = self.place.project
        (self.project / ".git").mkdir()
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        for name in ("src/json/parser.py", "src/csv/parser.py", "deploy/prod.yaml"):
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x = 1\n")
        self.key = project_key(str(self.project))
        self.now = time.time()

    def one(self, days_ago=1.0, **changes):
        at = self.now - days_ago * DAY
        fields = {
            "precedent_id": ulid(at, os.urandom(10)), "project": self.key, "checkout": str(self.project),
            "session_id": "session-1", "check_id": ulid(at, os.urandom(10)), "at": at,
            "source": "clarified", "term": "the parser", "said": "the JSON one", "action": "change",
            "target": "src/json/parser.py", "extent": "one_place", "tightens": False,
        }  # fmt: skip
        return Precedent(**{**fields, **changes})

    def store(self):
        return open_store(str(self.place.state / "compass"), now=self.now).store

    def settle(self, *precedents):
        store = self.store()
        for one in precedents:
            store.keep_precedent(one)
        assert list(store.faults) == []
        store.close()
        return precedents

    def kept(self):
        """Those of the project, newest first."""
        store = self.store()
        found = store.all_precedents(self.key)
        store.close()
        return found

    def call(self, *words, code=0, stdin=b"", command="memory"):
        done = self.place.command(command, *words, stdin=stdin)
        assert done.returncode == code, (done.stdout, done.stderr)
        assert b"Traceback" not in done.stderr
        return (done.stdout if code == 0 else done.stderr).decode()

    def told(self, *words, **named):
        return json.loads(self.call(*words, "--json", **named))


@pytest.fixture
def memory(tmp_path):
    return Remembering(tmp_path)


@pytest.fixture
def settled(memory):
    """A reading, an older one that a control goes against, and one of another checkout."""
    return memory.settle(
        memory.one(),
        memory.one(2, term="prod", target="deploy/prod.yaml", source="chosen", said="2", checkout="/else"),
        memory.one(3, source="cancelled", tightens=True, target="src/csv/parser.py", said=""),
    )


def test_a_list_tells_what_was_meant_by_whom_and_where(memory, settled):
    memory.settle(memory.one(91), memory.one(project="0123456789ab"))
    said = memory.call("list")
    assert '"the parser" means src/json/parser.py (change, one place); you said "the JSON one"' in said
    assert '"the parser" did not mean src/csv/parser.py' in said and "chosen, in /else" in said
    told = memory.told("list")
    assert [one["precedent_id"] for one in told["precedents"]] == [one.precedent_id for one in settled]
    assert (told["enabled"], told["days"], told["checkout"]) == (True, 90, str(memory.project))


def test_without_state_it_says_so_and_makes_none(memory):
    assert "Nothing is settled in" in memory.call("list")
    assert "no precedent 'x'" in memory.call("forget", "x", code=1)
    assert not (memory.place.state / "compass").exists()


def test_text_of_others_does_not_act_on_the_terminal(memory):
    memory.settle(memory.one(term="the \x1b[31mred", said="\x1b]0;x\x07"))
    assert "\x1b" not in memory.call("list")


def test_an_edit_is_the_users_own_word_from_now_on(memory, settled):
    before = settled[0]
    changes = ("--target", "src/csv/parser.py", "--extent", "one_file", "--term", "the lexer")
    said = memory.call("edit", before.precedent_id.lower(), *changes)
    assert '"the lexer" means src/csv/parser.py (change, one file), from now on' in said
    after = next(one for one in memory.kept() if one.precedent_id == before.precedent_id)
    changed = {"term": "the lexer", "target": "src/csv/parser.py", "extent": "one_file", "source": "edited"}
    assert after.at > before.at and after == replace(before, **changed, at=after.at)
    store = memory.store()
    found = [store.precedents_of(memory.key, looked_for(said), 0.0, 9) for said in ("lexers", "the module")]
    store.close()
    assert found == [(after,), ()]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--action", "explode"], "action: 'explode' is not one of answer, create"),
        (["--target", "src/../../other.py"], "is neither in"),
        (["--target", "out"], "target: 'out' is neither in"),
        (["--term", " "], "term: is empty"),
        (["--term", "x" * 201], "term: 201 characters; at most 200 are kept"),
        (["--said", "a\nb"], "said: contains a line break"),
        ([], "name what to change: --term"),
    ],
)
def test_what_cannot_be_kept_names_the_field(memory, settled, words, why):
    (memory.project / "out").symlink_to("/etc")
    before = memory.kept()
    assert why in memory.call("edit", before[0].precedent_id, *words, code=1)
    assert memory.kept() == before


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (["--said", "the one in src/new/parser.py", "--target", "src/new/parser.py"], "src/new/parser.py"),
        (["--said", "the staging cluster", "--target", "Staging cluster"], "Staging cluster"),
        (["--action", "", "--extent", ""], "src/json/parser.py"),
    ],
)
def test_a_target_exists_or_stands_in_the_users_words(memory, settled, words, target):
    assert memory.told("edit", settled[0].precedent_id, *words)["target"] == target


def test_a_control_stays_one_when_it_is_edited_and_another_checkouts_is_edited_there(memory, settled):
    told = memory.told("edit", settled[2].precedent_id, "--target", "src/json/parser.py")
    assert (told["tightens"], told["source"]) == (True, "edited")
    said = memory.call("edit", settled[1].precedent_id, "--extent", "folder", code=1)
    assert "belongs to /else; edit it there" in said


def test_forgetting_one_leaves_the_others(memory, settled):
    said = memory.call("forget", settled[0].precedent_id)
    what = '"the parser" means src/json/parser.py (change, one place)'
    assert said == f"Forgotten: {settled[0].precedent_id}, {what}.\n"
    assert b"the JSON one" not in (memory.place.state / "compass" / "compass.db").read_bytes()
    assert [one.precedent_id for one in memory.kept()] == [one.precedent_id for one in settled[1:]]
    assert "no precedent" in memory.call("forget", settled[0].precedent_id, settled[1].precedent_id, code=1)
    assert len(memory.kept()) == 2


def test_forgetting_all_asks_and_is_of_this_project(memory, settled):
    (other,) = memory.settle(memory.one(project="0123456789ab"))
    assert "pass --yes to agree beforehand" in memory.call("forget", "--all", code=1)
    assert len(memory.kept()) == 3
    assert len(memory.told("forget", "--all", "--yes")["forgotten"]) == 3
    assert memory.kept() == ()
    store = memory.store()
    assert store.precedent(other.precedent_id) == other
    store.close()
    assert memory.call("forget", "--all") == "This project has no precedents.\n"
    assert "either ids" in memory.call("forget", code=1)
    assert "either ids" in memory.call("forget", "x", "--all", code=1)


def test_reading_commands_leave_a_damaged_database_where_it_is(memory, settled):
    path = memory.place.state / "compass" / "compass.db"
    with open(path, "r+b") as file:
        file.write(b"not a database at all")
    before = path.read_bytes()
    assert str(path) in memory.call("list", code=1)
    assert path.read_bytes() == before


@pytest.fixture
def committed(memory):
    path = memory.project / ".compass" / "glossary.md"
    path.parent.mkdir()
    path.write_text(TEXT)
    return path


def trust(memory, *words, code=0):
    return memory.call(*words, command="trust", code=code)


def terms(memory):
    return sorted(one.term for one in memory.kept() if one.source == "glossary")


def test_it_counts_once_trusted_and_only_as_it_was(memory, committed):
    assert memory.kept() == ()
    said = trust(memory)
    assert ".compass/glossary.md: once you trust it, a copy of its current content applies" in said
    assert "  the parser: src/json/parser.py (fix, one_place)\n" in said
    parser = next(one for one in memory.kept() if one.term == "the parser")
    assert (parser.target, parser.action, parser.extent) == ("src/json/parser.py", "fix", "one_place")
    assert (parser.source, parser.said, parser.tightens) == ("glossary", "", False)
    assert (parser.session_id, parser.check_id, parser.checkout) == ("", "", str(memory.project))
    assert terms(memory) == ["prod", "the parser"]
    committed.write_text("- it: `deploy/prod.yaml`\n")
    assert terms(memory) == ["prod", "the parser"], "what was committed since is not read"
    assert json.loads(trust(memory, "--json"))["glossary"]["entries"][0]["term"] == "it"
    assert terms(memory) == ["it"]
    assert "trusted already" in trust(memory)
    committed.unlink()
    assert terms(memory) == ["it"]
    revoked = "The entries that you took from .compass/glossary.md have been removed (1)"
    assert revoked in trust(memory, "--revoke") and memory.kept() == ()


def test_init_and_doctor_say_that_it_lies_there(memory, committed):
    done = memory.place.command("init", "--dry-run", "--json", "--backend", "embedded")
    (note,) = [note for note in json.loads(done.stdout)["notes"] if "glossary.md" in note]
    told = "is in this project, but is not read until you adopt it with `compass trust`"
    assert note == f".compass/glossary.md {told}"
    findings = json.loads(memory.place.command("doctor", "--json").stdout)
    (found,) = [one for one in findings if one["name"] == "shared policy"]
    assert found["warns"] and ".compass/glossary.md" in found["detail"]


def test_it_is_asked_about_at_a_terminal(memory, committed):
    env = memory.place.environment()
    code, _, shown = at_a_terminal(env, memory.project, b"n\n", "trust")
    assert code == 1 and "Let these words count as your own? [y/N]" in shown
    assert memory.kept() == ()
    (memory.project / ".compass" / "settings.json").write_text('{"compass": {"mode": "observe"}}')
    code, _, shown = at_a_terminal(env, memory.project, b"y\n", "trust")
    assert code == 0 and "Let these settings and these words count as your own?" in shown
    assert terms(memory) == ["prod", "the parser"]
    code, _, shown = at_a_terminal(env, memory.project, b"", "trust")
    assert code == 0 and "[y/N]" not in shown


def test_what_the_user_settled_goes_before_an_entry_about_the_same_words(memory, committed):
    (own,) = memory.settle(memory.one(5, term="the parser", target="src/csv/parser.py"))
    trust(memory, "--yes")
    assert own in shown_of(memory.kept())
    assert ("the parser", "glossary") not in {(one.term, one.source) for one in shown_of(memory.kept())}


def test_an_entry_that_was_edited_is_the_users_own(memory, committed):
    trust(memory, "--yes")
    entry = next(one for one in memory.kept() if one.term == "prod")
    memory.call("edit", entry.precedent_id, "--action", "configure")
    committed.write_text("- other: `deploy/prod.yaml`\n")
    trust(memory, "--yes")
    assert {(one.term, one.source) for one in memory.kept()} == {("prod", "edited"), ("other", "glossary")}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- the parser: `../../etc/passwd`\n", "line 1: target: '../../etc/passwd' is neither in"),
        ("- the parser: `link/passwd`\n", "is neither in"),
        ("- the parser is great\n", "line 1: not an entry such as"),
        ("- a\u202eb: `src`\n", "an invisible character"),
        ("- \x1b]0;owned\x07: `src`\n", "left out: line 1"),
    ],
)
def test_lines_that_cannot_count_are_left_out_by_name(memory, committed, text, why):
    (memory.project / "link").symlink_to("/etc")
    committed.write_text(text)
    said = trust(memory)
    assert why in said and "none of its entries can be used" in said and "\x1b" not in said
    assert memory.kept() == ()
    assert json.loads(trust(memory, "--json"))["glossary"]["entries"] == []


def test_what_is_no_file_of_text_cannot_be_trusted(memory, committed):
    committed.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in trust(memory, code=1)
    committed.write_text("x" * 70_000)
    assert "at most 64 KB" in trust(memory, code=1)
    made = (os.mkfifo, "must be a regular file"), (lambda path: path.symlink_to("/dev/zero"), str(committed))
    for make, why in made:
        committed.unlink()
        make(committed)
        assert why in trust(memory, code=1)
    assert memory.kept() == ()


@corpus(
    ("line", "entry"),
    [
        ("- the parser: `a.py`", ("the parser", "a.py", "", "")),
        ("* __the parser__ : `a.py` (one_file)", ("the parser", "a.py", "", "one_file")),
        ("+ **the parser:** `a.py` (fix, one file).", ("the parser", "a.py", "fix", "one_file")),
        ("  - `Parser`: `a.py` ()", ("Parser", "a.py", "", "")),
        ('- "the parser": `a b.py`', ("the parser", "a b.py", "", "")),
        ("- „der Parser“: `a.py`", ("„der Parser“"[1:-1], "a.py", "", "")),
        ("- パーサー: `a.py`", ("パーサー", "a.py", "", "")),
        ("- std::vector: `a.py`", ("std::vector", "a.py", "", "")),
    ],
)  # fmt: skip
def test_how_an_entry_may_be_written(line, entry):
    assert parsed_glossary(line).entries == (GlossaryEntry(1, *entry),)


@corpus(
    "text", ["", "the parser: `a.py`", "    - deep: `a.py`", "```\n- a: `b`\n```", "1. a: `b`", "-a: `b`"]
)
def test_what_is_no_entry_says_nothing(text):
    assert (parsed_glossary(text).entries, parsed_glossary(text).faults) == ((), ())


@corpus(
    "line",
    ["- a: b", "- `b`", "- a `b`", "- : `b`", "- a: ``", "- a: `b` c", "- a: `b` (fix, fix)", "- a: `b` (x)",
     f"- {'a' * 201}: `b`", f"- a: `{'b' * 201}`", f"- {'a' * 1200}: `b`"],
)  # fmt: skip
def test_what_looks_like_an_entry_and_is_none_is_named(line):
    found = parsed_glossary(f"\n{line}\n")
    assert found.entries == () and found.faults[0].startswith("line 2: ")


def test_of_a_term_that_stands_twice_the_last_line_counts_and_there_is_a_bound():
    assert [one.target for one in parsed_glossary("- a: `b`\n- A: `c`\n").entries] == ["c"]
    many = parsed_glossary("\n".join(f"- a{number}: `b`" for number in range(ENTRIES_MAX + 5)))
    assert len(many.entries) == ENTRIES_MAX
    ignored = f"more than {ENTRIES_MAX} entries; this one and all later ones are ignored"
    assert many.faults == (f"line {ENTRIES_MAX + 1}: {ignored}",)


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault_of_ours(text):
    for entry in parsed_glossary(text).entries:
        assert entry.term and entry.target and max(len(entry.term), len(entry.target)) <= 200
