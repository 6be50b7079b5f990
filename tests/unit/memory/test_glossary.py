"""A committed glossary counts for nothing until its user trusted it, and then only as it stood."""

from __future__ import annotations

import json
import os

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from running.atterminal import at_a_terminal

from evaluator.precedents import ENTRIES_MAX, GlossaryEntry, parsed_glossary, shown_of

TEXT = """# How we talk

Prose says nothing: `this` neither.

- **the parser**: `src/json/parser.py` (fix, one place)
- prod: `deploy/prod.yaml`
"""


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
    assert "The entries that you took from .compass/glossary.md have been removed (1)" in trust(
        memory, "--revoke"
    )
    assert memory.kept() == ()


def test_init_and_doctor_say_that_it_lies_there(memory, committed):
    done = memory.place.command("init", "--dry-run", "--json", "--backend", "embedded")
    notes = [note for note in json.loads(done.stdout)["notes"] if "glossary.md" in note]
    assert notes == [
        ".compass/glossary.md is in this project, but is not read until you adopt it with `compass trust`"
    ]
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
    for make, why in (
        (os.mkfifo, "must be a regular file"), (lambda path: path.symlink_to("/dev/zero"), str(committed)),
    ):  # fmt: skip
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
    assert many.faults == (
        f"line {ENTRIES_MAX + 1}: more than {ENTRIES_MAX} entries; this one and all later ones are ignored",
    )


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault_of_ours(text):
    for entry in parsed_glossary(text).entries:
        assert entry.term and entry.target and max(len(entry.term), len(entry.target)) <= 200
