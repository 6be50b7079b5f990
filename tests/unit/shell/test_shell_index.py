"""The index of programs says what the tables say, and a command imports no table but those that it needs."""

import subprocess
import sys

from samples import indexed

from evaluator.shell import registry

LOADED = """
import sys
from evaluator.shell.bash import classify
classify(sys.argv[1], "/p")
found = (name.partition("evaluator.shell.")[2] for name in sys.modules)
print(*(name for name in found if name.startswith(("acts.", "programs."))))
"""


def loaded(command):
    done = subprocess.run([sys.executable, "-c", LOADED, command], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_index_is_what_the_tables_say():
    """Else run `python tests/support/samples/indexed.py`."""
    assert indexed.HOME.joinpath("index.py").read_text() == indexed.text()


def test_each_program_is_answered_for_by_the_handler_of_its_table():
    tables = indexed.tables()
    for module, names in indexed.indexed().items():
        for name in names:
            assert registry.handler_of(name) is tables[module][name]
    assert set(registry.HANDLERS) <= {name for table in tables.values() for name in table}


def test_what_no_table_lists_has_no_handler():
    assert registry.handler_of("frobnicate") is None
    assert not registry.is_listed("frobnicate")
    assert not registry.is_known_anywhere("frobnicate")
    assert registry.is_known_anywhere("claude")
    assert not registry.is_known_anywhere("ls")


def test_a_command_imports_only_the_tables_that_it_needs():
    assert loaded("frobnicate x") == set()
    assert loaded("sort a | uniq -c") == {
        "acts.files",
        "acts.files.reading",
        "acts.known",
        "programs.readers",
    }
    assert "programs.gh" not in loaded("git status && npm test")
