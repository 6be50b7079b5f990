"""`compass memory` as a process: what it lists and shows, and what an edit or a forgetting leaves."""

from __future__ import annotations

import json

import pytest

from evaluator.precedents import looked_for, parsed_glossary
from evaluator.record import replace


@pytest.fixture
def settled(memory):
    """A reading, an older one that a control goes against, and one of another branch."""
    return memory.settle(
        memory.one(),
        memory.one(2, term="prod", target="deploy/prod.yaml", source="chosen", said="2", branch="release/2"),
        memory.one(3, source="cancelled", tightens=True, target="src/csv/parser.py", said=""),
    )


def ids(found):
    return [one["precedent_id"] for one in found]


def test_readings_stand_apart_from_what_was_not_meant(memory, settled):
    reading, prod, control = settled
    said = memory.call("list")
    above, below = said.split("What was not meant (1)\n")
    assert above.startswith("What words mean (2)\n")
    assert reading.precedent_id in above and prod.precedent_id in above and control.precedent_id in below
    assert '"the parser" means src/json/parser.py (change, one place); you said "the JSON one"' in above
    assert '"the parser" did not mean src/csv/parser.py' in below
    told = memory.told("list")
    assert (ids(told["readings"]), ids(told["controls"])) == (
        [reading.precedent_id, prod.precedent_id],
        [control.precedent_id],
    )
    assert (told["enabled"], told["days"], told["checkout"]) == (True, 90, str(memory.project))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["parser"], (0, 2)),
        (["PARSER", "json"], (0,)),
        (["no such word"], ()),
    ],
)
def test_filters(memory, settled, words, expected):
    told = memory.told("list", *words)
    found = {*ids(told["readings"]), *ids(told["controls"])}
    assert found == {settled[place].precedent_id for place in expected}


def test_what_has_ended_is_marked_and_not_exported(memory):
    memory.settle(memory.one(91))
    assert ", ended\n" in memory.call("list")
    assert memory.told("list")["readings"][0]["ended"] is True
    assert memory.told("export")["claude_md"] == ""


def test_other_projects_are_listed_on_demand(memory):
    memory.settle(memory.one(project="0123456789ab", checkout="/elsewhere"))
    assert "Nothing is settled in" in memory.call("list")
    assert "in /elsewhere" in memory.call("list", "--all")


def test_without_state_it_says_so_and_makes_none(memory):
    assert "Nothing is settled in" in memory.call("list")
    assert memory.told("export")["claude_md"] == ""
    assert "no precedent 'x'" in memory.call("show", "x", code=1)
    assert not (memory.place.state / "compass" / "compass.db").exists()


def test_memory_that_is_off_says_so(memory, settled):
    memory.place.env["COMPASS_MEMORY__ENABLED"] = "false"
    said = memory.call("list")
    assert "Memory is off" in said and "`compass config set memory.enabled true`" in said
    assert memory.told("list")["enabled"] is False


def test_one_is_shown_whole_by_the_beginning_of_its_id(memory, settled):
    reading = settled[0]
    said = memory.call("show", reading.precedent_id[:14].lower())
    for part in (
        reading.precedent_id,
        "the JSON one",
        f"{memory.project}, on main",
        f"`compass explain {reading.check_id}`",
    ):
        assert part in said, part
    told = memory.told("show", reading.precedent_id)
    assert told["target"] == "src/json/parser.py" and told["ends_at"] == reading.at + 90 * 86_400
    many = memory.call("show", "0", code=1)
    assert "more than one precedent" in many and reading.precedent_id in many
    assert "`compass memory list`" in memory.call("show", "zz", code=1)


def test_text_of_others_does_not_act_on_the_terminal(memory):
    memory.settle(memory.one(term="the \x1b[31mred", said="\x1b]0;x\x07"))
    for words in (["list"], ["show", memory.kept()[0].precedent_id]):
        assert "\x1b" not in memory.call(*words)


def test_an_edit_is_the_users_own_word_from_now_on(memory, settled):
    before = settled[0]
    said = memory.call("edit", before.precedent_id, "--target", "./src/csv/parser.py", "--extent", "one_file")
    assert '"the parser" means src/csv/parser.py (change, one file), from now on' in said
    after = next(one for one in memory.kept() if one.precedent_id == before.precedent_id)
    assert after.at > before.at
    assert after == replace(
        before, target="src/csv/parser.py", extent="one_file", source="edited", at=after.at
    )
    assert memory.told("edit", before.precedent_id, "--extent", "one_file")["changed"] is False


def test_an_edited_one_is_found_by_its_new_words_alone(memory, settled):
    memory.call("edit", settled[0].precedent_id, "--term", "the lexer")
    store = memory.store()
    found = {
        said: [one.precedent_id for one in store.precedents_of(memory.key, looked_for(said), 0.0, 9)]
        for said in ("fix the lexers", "the module")
    }
    store.close()
    assert found == {"fix the lexers": [settled[0].precedent_id], "the module": []}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--action", "explode"], "action: 'explode' is none of answer, create"),
        (["--extent", "world"], "extent: 'world' is none of one_place"),
        (["--target", "src/xml/parser.py"], "target: 'src/xml/parser.py' is neither in"),
        (["--target", "../other.py"], "is outside"),
        (["--target", "src/../../other.py"], "is outside"),
        (["--target", "/etc/passwd"], "is outside"),
        (["--target", "out"], "target: 'out' is neither in"),
        (["--target", ""], "target: is empty"),
        (["--term", " "], "term: is empty"),
        (["--term", "x" * 201], "term: 201 characters; at most 200 are kept"),
        (["--said", "a\nb"], "said: contains a line break"),
        (["--said", "a\u202eb"], "an invisible character"),
    ],
)
def test_what_cannot_be_kept_names_the_precedent_and_the_field(memory, settled, words, why):
    (memory.project / "out").symlink_to("/etc")
    before = memory.kept()
    said = memory.call("edit", before[0].precedent_id, *words, code=1)
    assert f"precedent {before[0].precedent_id} was not changed: " in said and why in said
    assert memory.kept() == before


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (["--said", "the one in src/new/parser.py", "--target", "src/new/parser.py"], "src/new/parser.py"),
        (["--said", "the staging cluster", "--target", "Staging cluster"], "Staging cluster"),
        (["--target", "src/json/"], "src/json"),
        (["--action", "", "--extent", ""], "src/json/parser.py"),
    ],
)
def test_a_target_exists_or_stands_in_the_users_words(memory, settled, words, target):
    assert memory.told("edit", settled[0].precedent_id, *words)["target"] == target


def test_a_control_stays_one_when_it_is_edited(memory, settled):
    control = settled[2]
    told = memory.told("edit", control.precedent_id, "--target", "src/json/parser.py")
    assert (told["tightens"], told["source"]) == (True, "edited")


def test_another_checkouts_is_edited_there(memory):
    (one,) = memory.settle(memory.one(checkout="/elsewhere"))
    assert "belongs to /elsewhere; edit it there" in memory.call(
        "edit", one.precedent_id, "--extent", "folder", code=1
    )


def test_an_edit_says_what_is_to_change(memory, settled):
    assert "name what to change: --term" in memory.call("edit", settled[0].precedent_id, code=1)


def test_forgetting_one_leaves_the_others(memory, settled):
    said = memory.call("forget", settled[0].precedent_id, settled[0].precedent_id)
    assert (
        said
        == f'Forgotten: {settled[0].precedent_id}, "the parser" means src/json/parser.py (change, one place).\n'
    )
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
    assert memory.call("forget", "--all") == "No precedent of this project is kept.\n"
    assert "either ids" in memory.call("forget", code=1)
    assert "either ids" in memory.call("forget", "x", "--all", code=1)


def test_status_counts_what_is_settled_here(memory, settled):
    memory.settle(memory.one(91), memory.one(project="0123456789ab"))
    told = json.loads(memory.place.command("status", "--json").stdout)["memory"]
    assert told == {"enabled": True, "readings": 2, "controls": 1}
    assert (
        "2 readings of open words, 1 not meant; `compass memory list`"
        in memory.place.command("status").stdout.decode()
    )
    memory.place.env["COMPASS_MEMORY__ENABLED"] = "false"
    assert (
        "shown to no reader until `compass config set memory.enabled true`"
        in memory.place.command("status").stdout.decode()
    )


def test_status_of_a_project_without_any_says_nothing_of_it(memory):
    memory.place.hook("session-start", {"session_id": "s", "cwd": str(memory.project)})
    assert "memory" not in memory.place.command("status").stdout.decode()


def test_the_doctor_says_whether_it_is_on(memory, settled):
    def finding():
        (found,) = [
            one
            for one in json.loads(memory.place.command("doctor", "--json").stdout)
            if one["name"] == "memory"
        ]
        assert found["ok"]
        return found["detail"]

    waiting = finding()
    assert waiting.startswith(
        "on, for 90 days; 3 settled here (`compass memory list`); hosted readers are not shown it"
    )
    assert "`compass config set memory.share true`" in waiting
    for answer, said in (("true", ""), ("false", "; hosted readers are not shown it")):
        memory.place.env["COMPASS_MEMORY__SHARE"] = answer
        assert finding() == f"on, for 90 days; 3 settled here (`compass memory list`){said}"
    memory.place.env["COMPASS_MEMORY__ENABLED"] = "false"
    assert finding().startswith("off: what you settle is not kept; `compass config set memory.enabled true`")


def test_reading_commands_leave_a_damaged_database_where_it_is(memory, settled):
    path = memory.place.state / "compass" / "compass.db"
    with open(path, "r+b") as file:
        file.write(b"not a database at all")
    before = path.read_bytes()
    for words in (["list"], ["export"], ["show", settled[0].precedent_id]):
        assert str(path) in memory.call(*words, code=1)
    assert path.read_bytes() == before


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
    text = memory.call("export")
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
    assert memory.told("export") == {"claude_md": text}
