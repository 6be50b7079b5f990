"""The index of programs says what the tables say, and a command reads no table and imports no handler but its own."""

import json
import subprocess
import sys
from pathlib import Path

from repository import ROOT

import hatch_build
from evaluator import tables
from evaluator.shell import registry
from evaluator.shell.rows.tables import field_of

FIELDS = sorted(set(tables.index(registry.FOLDER).values()))
LOADED = """
import sys
from evaluator import tables
read = tables.table
def seen(name):
    if name.rpartition("/")[2] != "index":
        print(name.rpartition("/")[2])
    return read(name)
from evaluator.shell.rows import tables as rows
rows.table = seen
from evaluator.shell.bash import classify
classify(sys.argv[1], "/p")
for name in sys.modules:
    if name.startswith("evaluator.shell.handlers."):
        print(name.removeprefix("evaluator.shell."))
"""


def loaded(command):
    done = subprocess.run([sys.executable, "-c", LOADED, command], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_build_writes_the_index_that_a_checkout_makes_of_its_tables(tmp_path):
    hatch_build.write_tables(ROOT, tmp_path)
    built = json.loads((tmp_path / "evaluator" / registry.FOLDER / "index.json").read_text())
    assert built == tables.index(registry.FOLDER)
    assert {path.stem for path in Path(ROOT, "evaluator", registry.FOLDER).glob("*.toml")} == set(FIELDS)


def test_each_program_is_answered_for_by_its_table_alone():
    names = [name for field in FIELDS for name in field_of(field).programs]
    assert len(names) == len(set(names)) == len(tables.index(registry.FOLDER))
    for field in FIELDS:
        for name, handler in field_of(field).programs.items():
            assert registry.handler_of(name) is handler


def test_what_no_table_lists_has_no_handler():
    assert registry.handler_of("frobnicate") is None
    assert not registry.is_listed("frobnicate")
    assert not registry.is_known_anywhere("frobnicate")
    assert registry.is_known_anywhere("claude")
    assert not registry.is_known_anywhere("ls")


def test_a_command_loads_only_what_it_needs():
    assert loaded("frobnicate x") == set()
    assert loaded("sort a | uniq -c") == {"text", "handlers.text", "handlers.common"}
    assert loaded("gh pr view 1") == {"forges"}
    assert loaded("gh api user") == {"forges", "handlers.forges", "git", "handlers.git", "handlers.common"}
    assert "forges" not in loaded("git status && npm test")
