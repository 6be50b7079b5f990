"""A call reads only by proof: what its row does not know never reads."""

from __future__ import annotations

import tomllib

import pytest
from corpora import corpus

from evaluator.shell.bash import explain
from evaluator.shell.rows import tables

TABLE = """
family = "text"
[groups]
shown = "-b -n -u --unique"
[shared]
show = { family = "forge", flags = "--json", valued = "--format", most = 1 }
[programs]
[programs.srt]
flags = "@shown -r -z --reverse -#"
valued = "-k --key -t -S"
outputs = "-o --output"
runs = "--compress-program"
loads = "--plugin"
[programs.forge]
family = "forge"
flags = "-q"
valued = "-C"
loads = "--config"
[programs.forge.commands]
"thing show" = { like = "show" }
"thing drop" = { does = "delete", targets = "operands", flags = "-f", milder = "-n --dry-run" }
"""


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(tables, "table", lambda name: tomllib.loads(TABLE))
        programs = tables.Field("sorted").programs
    for name, handler in programs.items():
        monkeypatch.setitem(tables.HANDLERS, name, handler)


def told(command: str) -> tuple[str, str, tuple[str, ...]]:
    effects = explain(command, "/p").effects
    if effects.verdict == "read_only":
        return "reads", "", ()
    return effects.operation_class, effects.operation, effects.targets


@corpus(
    "command",
    [
        "srt a", "srt -k2 -rn a", "srt -rnu a b", "srt --key=2 a", "srt --reverse a", "srt -5 a", "srt -- -o a",
        "srt $FILE", 'srt "$(git rev-parse HEAD)"', "srt -- *", "srt src/*.txt", "srt --help", "srt -o - a",
        "forge", "forge -q thing show 1", "forge -C x thing show --json", "forge --version", "forge help thing",
        "forge thing drop -n a", "srt --compress-program='cat' a",
    ],
)  # fmt: skip
def test_what_the_row_knows_reads(command: str) -> None:
    assert told(command)[0] == "reads"


@corpus(
    "command",
    [
        "srt --foo a", "srt -x a", "srt -nx a", "srt --rev a", "srt -k", "srt *", "srt *.txt", "srt --help --foo",
        "for f in $(ls); do srt $f; done", 'x=$(cat y); srt "$x"', "forge --zap thing show", "forge thing",
        "forge thing show --yaml", "forge thing show 1 2", "forge nothing", "forge thing drop --dry a",
    ],
)  # fmt: skip
def test_what_the_row_does_not_know_is_unlisted(command: str) -> None:
    found = told(command)
    assert found[0] != "reads", found


@corpus(
    ("command", "expected"),
    [
        ("srt -o F a", ("modifying", "overwrite", ("/p/F",))),
        ("srt -nroF a", ("modifying", "overwrite", ("/p/F",))),
        ("srt --outp=F a", ("modifying", "overwrite", ("/p/F",))),
        ("srt --compress-program='rm -rf x' a", ("destructive", "delete", ("/p/x",))),
        ("srt --plugin x a", ("destructive", "unknown", ())),
        ("forge --config=x thing show", ("destructive", "unknown", ())),
        ("forge thing drop a b", ("destructive", "delete", ("/p/a", "/p/b"))),
        ("forge thing drop -n --no-dry-run a", ("destructive", "delete", ("/p/a",))),
        ("forge thing drop --no-dry-run --dry-run a", ("reads", "", ())),
    ],
)
def test_what_the_row_says_that_an_option_does_is_done(
    command: str, expected: tuple[str, str, tuple[str, ...]]
) -> None:
    assert told(command) == expected
