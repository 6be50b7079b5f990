"""The state's SQL as PostgreSQL reads it, and text as it can keep it. A server runs all of it in tests/contract."""

from __future__ import annotations

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from evaluator.state.migrations import STEPS
from evaluator.state.postgres.dialect import AS_IT_IS, HASHED, KEPT_LOCALLY, rendered, schema
from evaluator.state.postgres.escaping import found, given
from evaluator.state.tables.records import stored


@drawn(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x00\x10\ud800\udfff0d8"))))
def test_text_comes_back_as_it_was_and_holds_nothing_that_a_server_refuses(text: str) -> None:
    kept = given(stored(text))
    assert isinstance(kept, str)
    assert "\x00" not in kept
    kept.encode("utf-8")
    assert found(kept) == text


@drawn(st.text(alphabet="\x00\x10\ud800a"), st.text(alphabet="\x00\x10\ud8000d"))
def test_what_begins_with_a_text_still_does_when_it_is_kept(head: str, tail: str) -> None:
    assert str(given(head + tail)).startswith(str(given(head)))


def test_parameters_are_renamed_outside_of_quotes_alone() -> None:
    assert rendered("SELECT '?%', a % 2 FROM t WHERE a = ? AND b = ''?''") == (
        "SELECT '?%%', a %% 2 FROM t WHERE a = %s AND b = ''%s''"
    )


def test_a_conflict_is_one_within_the_team() -> None:
    assert "ON CONFLICT (team, key) DO" in rendered(
        "INSERT INTO notes (key) VALUES (?) ON CONFLICT (key) DO NOTHING"
    )
    hashed = rendered("INSERT INTO writes (target) VALUES (?) ON CONFLICT (session_id, target) DO NOTHING")
    assert "ON CONFLICT (team, session_id, hashtextextended(target, 0)) DO" in hashed
    own = f"{AS_IT_IS} INSERT INTO teams (name) VALUES (?) ON CONFLICT (name) DO NOTHING"
    assert rendered(own).endswith("VALUES (%s) ON CONFLICT (name) DO NOTHING")


@pytest.mark.parametrize("sql", ["INSERT OR REPLACE INTO notes VALUES (?)", " replace into notes values (?)"])
def test_what_only_sqlite_knows_is_refused(sql: str) -> None:
    with pytest.raises(ValueError, match="only SQLite"):
        rendered(sql)


@pytest.mark.parametrize(
    "statement", ["DROP TABLE notes", "CREATE TABLE t (a JSONB)", "CREATE VIEW v AS SELECT 1"]
)
def test_a_step_that_cannot_be_read_is_refused(statement: str) -> None:
    with pytest.raises(ValueError):
        schema(statement)


def test_every_table_and_every_key_of_the_schema_begins_with_the_team() -> None:
    made = [each for _, statements in STEPS for statement in statements for each in schema(statement)]
    tables = [each for each in made if each.startswith("CREATE TABLE")]
    indexes = [each for each in made if "INDEX" in each]
    stated = [each for _, statements in STEPS for each in statements if "CREATE TABLE" in each]
    local = [each for each in stated if schema(each) == ()]
    assert [each.split()[2] for each in local] == sorted(KEPT_LOCALLY, reverse=True)
    assert len(tables) == len(stated) - len(local)
    assert all("(\n    team text" in table for table in tables)
    keyed = [table for table in tables if "PRIMARY KEY (team, " in table]
    unique = [index for index in indexes if "UNIQUE" in index]
    assert len(keyed) + len(unique) == len(tables)
    assert [index for index in indexes if "(team, " not in index] == []
    assert sum("FORCE ROW LEVEL SECURITY" in each for each in made) == len(tables)
    keys = [each.rpartition("KEY (team")[2] for each in keyed] + indexes
    assert [key for key in keys for name in HASHED if f", {name}," in key or f", {name})" in key] == []
