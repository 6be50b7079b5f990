"""Precedents carried to and fro: what is exported comes in again, and what does not fit is named by its line."""

from __future__ import annotations

import json
import shutil

from corpora import corpus

from evaluator.precedents import parsed_glossary
from evaluator.record import replace, values_of


def line(memory, days_ago=1.0, **changes):
    return json.dumps({**values_of(memory.one(days_ago)), **changes})


def imported(memory, *lines, words=(), **named):
    return memory.told("import", "-", *words, stdin="\n".join(lines).encode(), **named)


def test_what_is_exported_comes_in_elsewhere_as_imported(memory):
    memory.settle(
        memory.one(),
        memory.one(2, source="cancelled", tightens=True, target="src/csv/parser.py", said=""),
        memory.one(3, said="das aus JSON, 報告の方 \u2026"),
    )
    before = memory.kept()
    printed = memory.call("export")
    assert printed.isascii() and len(printed.splitlines()) == 3
    memory.call("forget", "--all", "--yes")
    assert len(imported(memory, printed)["imported"]) == 3
    after = memory.kept()
    for old, new in zip(before, after, strict=True):
        same = replace(
            old, precedent_id=new.precedent_id, source="imported", session_id="", check_id="", at=new.at
        )
        assert new == same
        assert new.precedent_id != old.precedent_id and abs(new.at - old.at) < 1
    again = imported(memory, printed)
    assert (again["imported"], again["known"]) == ([], 3)
    assert memory.kept() == after


def test_neither_the_project_nor_the_checkout_of_a_file_counts(memory):
    told = imported(
        memory,
        line(
            memory,
            project="0123456789ab",
            checkout="/elsewhere",
            session_id="s",
            check_id="c",
            precedent_id="x",
        ),
    )["imported"][0]
    (one,) = memory.kept()
    assert (one.project, one.checkout, one.session_id, one.check_id) == (
        memory.key,
        str(memory.project),
        "",
        "",
    )
    assert told["precedent_id"] == one.precedent_id != "x"


def test_an_import_into_where_it_came_from_changes_nothing(memory):
    (one,) = memory.settle(memory.one())
    printed = memory.call("export")
    assert imported(memory, printed)["known"] == 1
    memory.call("edit", one.precedent_id, "--target", "src/csv/parser.py")
    assert imported(memory, printed)["known"] == 1, "an edit is not undone by the line that it changed"
    assert [kept.target for kept in memory.kept()] == ["src/csv/parser.py"]


WRONG = [
    ({"source": "cancelled"}, "what was cancelled says only what was not meant"),
    ({"source": "chosen", "tightens": True}, "what was chosen says what is meant"),
    ({"source": "clarified", "tightens": True}, "what was clarified says what is meant"),
    ({"source": "glossary", "tightens": True}, "what was glossary says what is meant"),
    ({"source": "proceed"}, "source: 'proceed' is none of chosen"),
    ({"tightens": 0}, "tightens: must be true or false"),
    ({"action": "explode"}, "action: 'explode' is none of"),
    ({"extent": "everything"}, "extent: 'everything' is none of"),
    ({"target": "src/xml/parser.py"}, "target: 'src/xml/parser.py' is neither in"),
    ({"target": "../../etc/passwd"}, "lies outside of"),
    ({"target": ""}, "target: is empty"),
    ({"term": ""}, "term: is empty"),
    ({"term": None}, "term: must be a text"),
    ({"term": "x" * 201}, "term: 201 characters"),
    ({"said": "y" * 201}, "said: 201 characters"),
    ({"said": "a\nb"}, "said: holds a line end"),
    ({"said": "\ud800"}, "said: holds a line end or a character that cannot be seen"),
    ({"branch": "a\x1b[31m"}, "branch: is no name"),
    ({"branch": "b" * 201}, "branch: is no name"),
    ({"at": "now"}, "at: must be seconds"),
    ({"at": True}, "at: must be seconds"),
    ({"at": -5}, "at: must be seconds"),
    ({"at": 10**400}, "at: must be seconds"),
    ({"at": 9e9}, "at: lies in the future"),
]


def test_each_line_is_checked_and_one_that_does_not_fit_keeps_all_out(memory):
    good = line(memory, term="prod", target="deploy/prod.yaml")
    lines = [good, *(line(memory, **changes) for changes, _ in WRONG)]
    said = memory.call("import", "-", stdin="\n".join(lines).encode(), code=1)
    assert "-: nothing was taken in" in said and "line 2: " in said
    assert memory.kept() == ()
    told = imported(memory, *lines, words=["--skip"])
    assert [one["term"] for one in told["imported"]] == ["prod"]
    for number, (fault, (changes, why)) in enumerate(zip(told["faults"], WRONG, strict=True), 2):
        assert f"line {number}: " in fault and why in fault, changes


@corpus(
    ("text", "why"),
    [
        ("{", "line 1: no JSON"),
        ("[]", "line 1: no JSON object"),
        ("null", "line 1: no JSON object"),
        ("[" * 20_000, "line 1: 20000 characters are no precedent"),
        ("[" * 15_000, "line 1: no JSON"),
        ('{"at": NaN}', "line 1: term: must be a text"),
    ],
)
def test_what_is_no_precedent_is_named(memory, text, why):
    assert why in memory.call("import", "-", stdin=text.encode(), code=1)


def test_a_number_that_is_none_does_not_come_in(memory):
    for at in ("NaN", "Infinity"):
        text = line(memory).replace(json.loads(line(memory))["precedent_id"], "x")
        broken = json.dumps({**json.loads(text), "at": 0}).replace('"at": 0', f'"at": {at}')
        assert "at: must be seconds" in memory.call("import", "-", stdin=broken.encode(), code=1)


def test_one_that_has_ended_stays_out_and_is_counted(memory):
    told = imported(memory, line(memory, 91), line(memory, 2))
    assert (len(told["imported"]), told["ended"]) == (1, 1)


def test_a_dry_run_says_what_would_come_in(memory):
    said = memory.call("import", "-", "--dry-run", stdin=line(memory).encode())
    assert 'Would come in: "the parser" means src/json/parser.py' in said and "1 new, 0 here already." in said
    assert memory.kept() == ()


def test_a_file_is_read_by_its_name_and_one_that_is_not_there_is_named(memory):
    path = memory.project / "kept.jsonl"
    path.write_text(line(memory))
    assert "Imported: " in memory.call("import", "kept.jsonl")
    assert "none.jsonl: " in memory.call("import", "none.jsonl", code=1)
    path.write_bytes(b"\xff\xfe")
    assert "kept.jsonl: " in memory.call("import", "kept.jsonl", code=1)


def test_too_many_lines_are_refused(memory):
    lines = [line(memory, term=f"word{number}") for number in range(1_001)]
    assert "line 1001: more than 1000 lines" in memory.call(
        "import", "-", stdin="\n".join(lines).encode(), code=1
    )


def test_a_glossary_is_printed_with_the_newest_reading_of_each_term(memory):
    memory.settle(
        memory.one(1, target="src/csv/parser.py"),
        memory.one(2),
        memory.one(3, term="Prod", target="deploy/prod.yaml", action="", extent=""),
        memory.one(4, term="it", source="cancelled", tightens=True),
        memory.one(91, term="old"),
        memory.one(5, term="`x` *y*", said="z", target="z"),
        memory.one(1, term="elsewhere", checkout="/elsewhere"),
    )
    text = memory.call("export", "--claude-md")
    assert text == (
        "## Glossary\n\nWhat these words mean in this project:\n\n"
        "- **Prod**: `deploy/prod.yaml`\n"
        "- **the parser**: `src/csv/parser.py` (change, one_place)\n"
        "- **x y**: `z` (change, one_place)\n"
    )
    found = parsed_glossary(text)
    assert found.faults == ()
    assert [(one.term, one.target, one.action, one.extent) for one in found.entries] == [
        ("Prod", "deploy/prod.yaml", "", ""),
        ("the parser", "src/csv/parser.py", "change", "one_place"),
        ("x y", "z", "change", "one_place"),
    ]
    assert memory.told("export", "--claude-md") == {"claude_md": text}


def test_export_prints_one_document_where_that_is_asked_for(memory):
    (one,) = memory.settle(memory.one())
    assert memory.told("export") == {"precedents": [dict(values_of(one))]}
    shutil.rmtree(memory.place.state)
    assert memory.told("export") == {"precedents": []}
