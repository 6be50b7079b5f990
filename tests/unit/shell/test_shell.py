"""What the shell classifier promises besides its labels: rules, what may leave, bounds, scripts, waiting."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from corpora import corpus
from repository import FIXTURES
from running.hookrun import Place, denial

from compass.commands import check
from compass.composition.effects import classify as classify_here
from compass.composition.effects import explain as explain_here
from evaluator.settings.keys import Bash
from evaluator.shell import scope
from evaluator.shell.bash import classify, explain
from evaluator.shell.scope import HostPrograms
from evaluator.shell.waiting import waits


def effects(command, cwd="/p", **rules):
    return classify(command, cwd, Bash(**rules))


@corpus(
    ("command", "targets"),
    [
        (
            "cd src/../lib && echo a > ./x.txt; rm ../lib/x.txt /etc/../tmp/y ~/z/../w",
            ("/p/lib/x.txt", "/tmp/y", "~/w"),
        ),
        ('rm "$OUT/a" *.o "$HOME/b"', ("/p/$OUT/a", "/p/*.o", "$HOME/b")),
        ("echo x > 日本/ä.txt; rm 'ö ü' é*", ("/p/日本/ä.txt", "/p/ö ü", "/p/é*")),
        ("echo a b | xargs -I% sh -c 'rm %'", ("/p/a", "/p/b")),
        ("f() { g; rm a; }; g() { f; }; f", ("/p/a",)),
        ("uv run -mfrobnicate x > out", ("/p/out",)),
    ],
)
def test_targets_are_absolute_named_once_and_patterns_where_they_are_not_known(command, targets):
    assert effects(command).targets == targets


def test_a_heredoc_gives_the_size_of_the_change_and_what_reads_has_none():
    assert effects("cat > a <<'E'\n1\n2\nE").lines == 2
    assert effects("rm a").lines is None
    found = effects("grep '>' a.txt 2>/dev/null # rm -rf /")
    assert (found.verdict, found.targets, found.lines) == ("read_only", (), None)


@corpus(
    ("command", "left"),
    [
        ("cat > a.py <<'EOF'\nsecret = 1\nEOF\nls", "cat > a.py <<'EOF' [body: 1 line]\nls"),
        (
            "cat <<A > x && cat <<-B > y\n1\nA\n\t2\n\tB",
            "cat <<A [body: 1 line] > x && cat <<-B [body: 1 line] > y",
        ),
        ('python3 -c \'open("a", "w")\'', "python3 -c [code: 14 chars]"),
        ("sed -i 's/a/b/' f", "sed -i [code: 6 chars] f"),
        ("echo 'my text' > f", "echo [text: 7 chars] > f"),
        ("echo -n a b >> f", "echo -n [text: 1 chars] [text: 1 chars] >> f"),
        ("printf '%s' x | sudo tee f", "printf [text: 2 chars] [text: 1 chars] | sudo tee f"),
        ("{ echo a; } > f", "{ echo [text: 1 chars]; } > f"),
        ("cat > f <<< 'abc'", "cat > f <<< [text: 3 chars]"),
        ("T='abc def'; echo \"$T\" > f", "T=[text: 7 chars]; echo [text: 7 chars] > f"),
        ("C='rm a'; bash -c \"$C\"", "C=[code: 4 chars]; bash -c [code: 4 chars]"),
        ("echo 'rm a' | sh", "echo [text: 4 chars] | sh"),
        ("ssh h 'rm a'", "ssh h [code: 4 chars]"),
        ("git commit -m 'kept as it is'", "git commit -m 'kept as it is'"),
        ('rm a "unclosed secret', "rm [unparsed: 21 chars]"),
    ],
)
def test_content_stays_on_the_machine(command, left):
    assert effects(command).command == left


HARMLESS = ("./scripts/check.sh", "terraform apply", "mytool run", "make")


@corpus(
    ("command", "verdict", "targets"),
    [
        ("./scripts/check.sh --all && terraform apply -auto-approve", "read_only", ()),
        ("./scripts/check.sh > out", "write", ("/p/out",)),
        ("terraform destroy", "write", ()),
        ("sudo env A=1 mytool run x", "read_only", ()),
        ("mytool runner", "write", ()),
        ("$T run", "unknown", ()),
    ],
)
def test_a_rule_declares_harmless_what_begins_with_its_words_but_no_redirection(command, verdict, targets):
    found = effects(command, read_only=HARMLESS)
    assert (found.verdict, found.targets) == (verdict, targets)


def test_a_write_rule_beats_the_others_and_turns_a_build_into_a_write():
    found = effects("make all", write=("make",), read_only=HARMLESS)
    assert (found.verdict, found.operation, found.operation_class) == ("write", "unknown", "modifying")


def test_segments_say_what_each_command_does():
    found = explain("cd src && npm test && rm -rf x > ../log", "/p")
    assert [(one.program, one.family, one.verdict, one.targets) for one in found.segments] == [
        ("cd", "shell", "read_only", ()),
        ("npm", "build", "read_only", ()),
        ("rm", "files", "write", ("/p/src/x",)),
        (">", "redirect", "write", ("/p/log",)),
    ]


@corpus(
    ("command", "problem"),
    [
        ("", "no command"),
        ("a\0b", "NUL"),
        ("x" * 200_000, "too long"),
        ("( " * 100 + "ls" + " )" * 100, "deep"),
        ("if true; then " * 60 + "ls;" + " fi;" * 60, "deep"),
        ("sudo " * 100 + "ls", "deep"),
        ("for i in 1 2 3 4; do " + "a;" * 10_000 + " done", "too many commands"),
        ("true;" * 25_000, "too long"),
        ("ls\u00a0-la", "whitespace"),
        ("ls a\rrm b", "whitespace"),
        ("cat <<E\nno end", "heredoc"),
        ("echo 'open", "closed"),
    ],
)
def test_past_a_bound_or_not_understood_is_unknown_and_says_why(command, problem):
    found = explain(command, "/p")
    assert (found.effects.verdict, found.effects.operation_class) == ("unknown", "destructive")
    assert problem in found.problem


@pytest.mark.parametrize(
    "text", ["{9\U0009c1d7 x", "{\u6df1..9}", "echo \u00e9{1..\u0661}", "\U0010ffff{0\U0010ffff}"]
)
def test_characters_beyond_ascii_do_not_reach_the_scanner_of_the_grammar(text):
    for _ in range(200):
        assert effects(f"echo {text}; rm {text}").verdict != "read_only"


@corpus("runner", ["sh -c", "env A=1 bash -c", "timeout 5 python3 -c", "sudo perl -e", "node -e", "awk"])
def test_what_xargs_puts_into_code_is_not_known(runner):
    found = effects(f"xargs -I% {runner} 'print %' < list")
    assert (found.verdict, "print" in found.command) == ("unknown", False)


@corpus(
    "command",
    [
        "jobs -x rm x", "hash -p /tmp/evil ls; ls", "BASH_ALIASES[ls]=rm; ls x", "BASH_CMDS[ls]=/bin/rm; ls x",
        "test -v 'a[$(rm y)]'", "[[ 'a[$(rm y)]' -eq 1 ]]", "x='a[$(rm y)]'; echo $((x))", "let 'a[$(rm y)]'",
        "printf -v 'a[$(rm y)]' x", "read 'a[$(rm y)]' <<< x", "[ -v 'a[$(rm y)]' ]", "compgen -C 'rm x'",
        "fzf --bind 'enter:execute(rm {})'", "bat --pager 'rm x' a", "psql <<E\nSELECT 1 \\g |rm x\nE",
        "psql <<'E'\n\\set x `rm y`\nE", "sqlite3 d \"SELECT writefile('x', 'y')\"", "mapfile -C 'rm x' -c 1 a < f",
        "git unpack-file abc", "git interpret-trailers --in-place f",
        "curl -w '%output{f}' u", "ruby -r./x -e 1",
        "f() { f() { rm x; }; f; }; f", "[[\"a\" ]] || rm x; [[ \"$(ls)\" || 'rm' ]]", "trap 'trap \"rm x\" EXIT' EXIT",
        "git -c core.fsmonitor=./x status", "find . -name x -fprintf out %p",
        "tar tf a.tar --checkpoint-action=exec=./x",
        "ssh -o LocalCommand=x h ls", "gh extension exec x", "xargs -a list rm", "env -S 'rm x'", "less -o log f",
    ],
)  # fmt: skip
def test_what_hides_behind_a_reading_name_is_found(command):
    assert effects(command).verdict != "read_only"


def test_functions_that_double_are_followed_within_bounds():
    doubling = (
        "f0() { rm a; }; " + "".join(f"f{n}() {{ f{n - 1}; f{n - 1}; }}; " for n in range(1, 40)) + "f39"
    )
    assert effects(doubling).verdict != "read_only"


def test_neither_loops_inside_of_loops_nor_a_doubling_variable_grow_without_bound():
    command = "for a in 1 2 3 4 5 6 7 8; do " * 12 + "rm f$a;" + " done;" * 12
    assert effects(command).operation == "delete"
    assert effects("x=aaaa; " + "x=$x$x; " * 200 + "rm $x").verdict == "write"


HEREDOC = "cat > build/go <<'EOF'\n{text}\nEOF\n{run}"


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("rm -rf src", "sh build/go"),
        ("#!/bin/bash\nrm -rf src", "chmod +x build/go && ./build/go"),
        ("import shutil\nshutil.rmtree('src')", "python3 build/go"),
        ("#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('src')", "./build/go"),
    ],
)
def test_a_script_of_the_same_line_does_what_stands_in_it(text: str, run: str) -> None:
    found = classify(HEREDOC.format(text=text, run=run), "/p")
    assert found.operation_class == "destructive"
    assert "/p/src" in found.targets


@pytest.mark.parametrize("run", ["make -f build/go", "awk -f build/go x", "./build/other/../go"])
def test_what_cannot_be_read_of_a_script_of_the_same_line_is_not_read_as_harmless(run: str) -> None:
    assert classify(HEREDOC.format(text="rm -rf src", run=run), "/p").operation_class == "destructive"


def test_a_script_that_only_reads_stays_an_ordinary_call() -> None:
    assert (
        classify(HEREDOC.format(text="print(1)", run="python build/go"), "/p").operation_class == "modifying"
    )


def write(place: Place, name: str, content: str) -> None:
    """An excused write of the turn, which succeeded."""
    path = place.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    payload = place.payload("Write", {"file_path": str(path), "content": content}, tool_use_id="w")
    assert denial(place.hook("pre-tool-use", payload)) is None
    place.hook("post-tool-use", payload)


def test_a_script_of_the_turn_is_held_for_what_it_does_and_runs_where_it_reads(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.say("count the lines with a script of your own")
    write(place, "build/count.sh", "wc -l src/*.py\n")
    write(place, "dist/clean.py", "import shutil\nshutil.rmtree('src')\n")

    def held(command: str) -> bool:
        return denial(place.hook("pre-tool-use", place.payload("Bash", {"command": command}))) is not None

    assert not held("sh build/count.sh")
    assert held("cd dist && python3 clean.py")


ROWS = [json.loads(line) for line in (FIXTURES / "bash/words/waiting.jsonl").read_text().splitlines()]


def of(family: str, count: int) -> list[str]:
    """Its commands, which are so many."""
    found = [row["command"] for row in ROWS if row["family"] == family]
    assert len(found) == count
    return found


@pytest.fixture
def typing_host(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(scope, "_LOADERS", dict(scope._LOADERS))
    scope.joined_hosts.cache_clear()
    scope.join_host("typist", lambda: HostPrograms(types_on=True))
    scope.join_host("other", HostPrograms)
    yield "typist"
    monkeypatch.undo()
    scope.joined_hosts.cache_clear()


@corpus("command", of("waits", 69))
def test_a_command_that_asks_for_orders_waits(command: str) -> None:
    assert waits(explain_here(command, "/p").ran)


@corpus("command", of("ends", 80))
def test_a_command_that_was_told_what_to_do_does_not(command: str) -> None:
    assert not waits(explain_here(command, "/p").ran)


def test_what_waits_is_unknown_where_an_agent_types_on(typing_host: str) -> None:
    for command in ("bash", "deno", "echo x > f; python", "less f"):
        found = classify_here(command, "/p", host=typing_host)
        assert (found.verdict, found.operation_class) == ("unknown", "destructive"), command
        assert classify_here(command, "/p", host="other") == classify_here(command, "/p")
    kept = classify_here("echo x > f; python", "/p", host=typing_host)
    assert kept.targets == ("/p/f",) and kept.each[-1].operation == "unknown"
    assert classify_here("ls", "/p", host=typing_host) == classify_here("ls", "/p")
    assert classify_here("deno", "/p", host="nobody").verdict == "read_only"


@pytest.fixture
def explained(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)

    def invoke(*words):
        parser = argparse.ArgumentParser()
        parser.add_argument("--json", action="store_true")
        check.add_bash_arguments(parser)
        code = check.run_bash(parser.parse_args(words))
        return code, capsys.readouterr().out

    return invoke


def test_json_has_the_fold_and_the_segments(explained, tmp_path):
    code, out = explained("--json", "--cwd", str(tmp_path), "ls | wc -l && rm x")
    found = json.loads(out)
    assert code == 0
    assert (found["verdict"], found["operation"], found["class"]) == ("write", "delete", "destructive")
    assert found["targets"] == [f"{tmp_path}/x"]
    assert [(one["program"], one["verdict"]) for one in found["segments"]] == [
        ("ls", "read_only"),
        ("wc", "read_only"),
        ("rm", "write"),
    ]


def test_the_table_names_targets_relative_to_the_folder_and_prints_brackets_as_they_are(explained, tmp_path):
    code, out = explained("--cwd", str(tmp_path), "rm '[red]x'")
    assert (code, "  [red]x  lossy\n" in out) == (0, True)
    assert explained("echo '")[0] == 0


def test_the_configured_rules_count(explained, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPASS_BASH__READ_ONLY", '["mytool"]')
    _, out = explained("--json", "--cwd", str(tmp_path), "mytool x")
    assert json.loads(out)["verdict"] == "read_only"
