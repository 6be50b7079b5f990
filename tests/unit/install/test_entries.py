"""The hook entries and the status line: their form, what merging keeps, what removal takes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running import ownhome
from running.ownhome import read

from compass.install.installation import InstallRecord, read_records, write_records
from compass.install.settings_file import rewrite
from evaluator.errors import ConfigError
from hooks.entries import Wiring, closed_policy, hook_command
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import KEY, is_written_for, matcher_of, matches

SETUP = HOST.setup()
EVENTS = {name: word for word, name in HOST.EVENTS.items()}
WRITE_TOOLS = HOST.told["setup"]["write_tools"]
entries = SETUP.entries
is_own = HOST.setup().is_own
merge = SETUP.merge
own_handlers = SETUP.own_handlers
remove = SETUP.remove

OLD = Wiring("/old/bin/python", "/old/lib/compass/__main__.py", blocks=False)
NEW = Wiring("/new/bin/python", "/new/lib/compass/__main__.py", blocks=True)
LINTER = {"type": "command", "command": "lint --fix"}


def only_handler(settings, event="PreToolUse"):
    (found,) = [handler for name, _, handler in own_handlers(settings) if name == event]
    return found


def test_every_event_is_wired_with_the_command_that_the_host_runs():
    for event, word in EVENTS.items():
        handler = only_handler(merge({}, entries(NEW)), event)
        assert handler["command"] == f"/new/bin/python -I -S /new/lib/compass/__main__.py hook {word}"
        assert handler["type"] == "command"
        assert handler["timeout"] == 30


def test_entries_pass_the_hosts_own_rules():
    settings = merge({}, entries(Wiring("/a b/python", "/$x/compass/__main__.py", True, ("mcp__fs__write",))))
    assert SETUP.fatal_entries(settings) == []


def test_tools_that_write_are_matched_and_answers_join_after_the_call():
    before, after = matcher_of("PreToolUse"), matcher_of("PostToolUse")
    further = ("Monitor", "CronCreate", "RemoteTrigger", "apply_patch", "mcp__any__write_file")
    for tool in (*WRITE_TOOLS, *further):
        assert matches(before, tool) and matches(after, tool), tool
    for tool in ("Read", "TodoWrite", "BashOutput", "Skill", "WriteX", "xmcp__a__b", "CronList"):
        assert not matches(before, tool) and not matches(after, tool), tool
    for tool in ("AskUserQuestion", "Agent"):
        assert [matches(matcher, tool) for matcher in (before, after)] == [False, True]
    assert matcher_of("PostToolUseFailure") == after
    assert matcher_of("SessionStart") is None


def test_only_what_init_writes_counts_as_its_matcher():
    for matcher in (str(matcher_of("PreToolUse")), "Write|Edit"):
        assert is_written_for(matcher, "Write")
        assert not is_written_for(matcher, "Read")
    alike = ("^(Write|mcp__.*)", "(Write|mcp__.*)$", "^(?:Write|mcp__.*)$", "^(Wri.e|mcp__.*)$", ".*", "*")
    assert [matcher for matcher in alike if is_written_for(matcher, "Write")] == []


@corpus(
    ("matcher", "tools", "others"),
    [
        (None, ["Write", "x"], []),
        ("*", ["Write"], []),
        ("Write|Edit", ["Write", "Edit"], ["Wri", "MultiEdit", "Write|Edit"]),
        ("Write, Edit", ["Edit"], ["write"]),
        ("^(Write|mcp__.*)$", ["Write", "mcp__a__b"], ["TodoWrite"]),
        ("(Write", [], ["Write", "(Write"]),
        (3, [], ["Write"]),
    ],
)
def test_a_matcher_is_read_as_the_client_reads_it(matcher, tools, others):
    assert all(matches(matcher, tool) for tool in tools)
    assert not any(matches(matcher, tool) for tool in others)


@pytest.mark.parametrize("error_policy", ["closed", "open", "embedded"])
@pytest.mark.parametrize("mode", ["enforce", "observe"])
def test_only_an_enforcing_closed_policy_blocks_on_failure_and_only_by_the_gate_itself(mode, error_policy):
    blocks = (mode, error_policy) == ("enforce", "closed")
    assert closed_policy(mode, error_policy) is blocks
    wired = merge({}, entries(Wiring("/p", "/compass/__main__.py", blocks)))
    told = {event: only_handler(wired, event).get("onFailure") for event in EVENTS}
    assert told == dict.fromkeys(EVENTS) | {"PreToolUse": "block" if blocks else "continue"}


@corpus("folder", ["a b", "it's", 'say "hi"', "$HOME `id` $(id)", "back\\slash", "ünï"])
def test_any_path_reaches_the_program_whole_through_a_shell(tmp_path, folder):
    place = tmp_path / folder / "compass"
    place.mkdir(parents=True)
    program = place / "python"
    program.write_text('#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n', encoding="utf-8")
    program.chmod(0o755)
    script = place / "__main__.py"
    command = hook_command(str(program), str(script), "pre-tool-use")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["-I", "-S", str(script), "hook", "pre-tool-use"]
    assert is_own({"type": "command", "command": command})


@corpus(
    "command",
    [
        "lint hook pre-tool-use",
        "python -I /x/compass/__main__.py hook",
        "python -I /x/compass/__main__.py hook something-else",
        "python -I /x/other/__main__.py hook pre-tool-use",
        "python -I /x/compass/__main__.py hook pre-tool-use && lint",
        "unbalanced ' quote hook pre-tool-use",
        "",
    ],
)
def test_other_peoples_commands_are_not_ours(command):
    assert not is_own({"type": "command", "command": command})


def test_a_hook_that_somebody_added_to_our_group_survives_update_and_removal():
    group = entries(OLD)["PreToolUse"]
    mixed = {**group, "hooks": [LINTER, *group["hooks"]]}  # type: ignore[misc]
    merged = merge({"hooks": {"PreToolUse": [mixed]}}, entries(NEW))
    (kept,) = merged["hooks"]["PreToolUse"]  # type: ignore[index]
    assert kept["hooks"] == [LINTER, only_handler(merged)]
    assert remove(merged)["hooks"] == {"PreToolUse": [{"matcher": group["matcher"], "hooks": [LINTER]}]}


@corpus("hooks", [[], "x", None, {"PreToolUse": {}}, {"SessionEnd": "x"}])
def test_a_form_that_no_host_accepts_is_named_and_not_repaired(hooks):
    with pytest.raises(ConfigError, match="hooks"):
        merge({"hooks": hooks}, entries(NEW))


@pytest.mark.parametrize(("indent", "newline", "end"), [("\t", "\r\n", "\r\n"), ("    ", "\n", "")])
def test_a_rewritten_file_keeps_its_indentation_its_newlines_and_its_end(indent, newline, end):
    before = {"z": "é", "a": {"n": 1.5, "big": 10**20}, "list": [1, {"x": None}]}
    text = json.dumps(before, indent=indent, ensure_ascii=False).replace("\n", newline) + end
    wired = rewrite(text, merge(before, entries(NEW)))
    assert list(json.loads(wired)) == ["z", "a", "list", "hooks"]
    body = text.removesuffix(end).removesuffix("}").rstrip()
    assert wired.startswith(f'{body},{newline}{indent}"hooks"')
    assert wired.count("\n") == wired.count(newline) and wired.endswith("}" + end)
    assert rewrite(wired, remove(json.loads(wired))) == text


def test_half_of_a_pair_stays_what_it_was():
    wired = rewrite('{"half": "\\ud83d", "whole": "é"}', {"half": "\ud83d", "whole": "é", "more": 1})
    assert wired.encode() and json.loads(wired) == {"half": "\ud83d", "whole": "é", "more": 1}


def test_a_record_that_another_version_wrote_otherwise_takes_no_other_along(tmp_path):
    path = str(tmp_path / "install.json")
    file = "/p/.claude/settings.local.json"
    kept = InstallRecord("project", "/p", file, "/py", "/s", "1", empty=("hooks",))
    write_records(path, {"/p": kept})
    whole = json.loads(Path(path).read_text(encoding="utf-8"))
    whole["installs"] |= {"/q": {**whole["installs"]["/p"], "scope": "machine"}, "/r": "?"}
    Path(path).write_text(json.dumps(whole), encoding="utf-8")
    assert read_records(path) == {"/p": kept}
    for broken in ("[]", '{"installs": []}', "{", "null", '{"installs": {"/p": null}}'):
        Path(path).write_text(broken, encoding="utf-8")
        assert read_records(path) == {}


home, project, here = ownhome.home, ownhome.repository, ownhome.here
WIRING = Wiring("/py", "/lib/compass/__main__.py", blocks=True, said=("--wired", "closed", "HOME=/h"))
NEWER = Wiring("/py3", "/new/compass/__main__.py", blocks=True)
OURS = "/py -I -S /lib/compass/__main__.py statusline --wired closed HOME=/h"
THEIRS = '~/.claude/line.sh | cut -c 1-40; echo "it\'s $HOME"'
ODD: tuple[Any, ...] = (
    3,
    "line.sh",
    {"type": "text", "command": "x"},
    {"type": "command", "command": THEIRS},
)


def put(settings, hidden=(), wiring=WIRING):
    return SETUP.with_status_line(settings, wiring, hidden)


def test_where_none_stood_ours_is_put_and_taken_out():
    settings = {"model": "x"}
    after = put(settings)
    assert after == {"model": "x", KEY: {"type": "command", "command": OURS}}
    assert put(after) == after and SETUP.has_status_line(after) and not SETUP.has_status_line(settings)
    assert SETUP.without_status_line(after) == settings
    assert put(after, wiring=NEWER)[KEY]["command"] == "/py3 -I -S /new/compass/__main__.py statusline"


@corpus("found", ODD, ids=str)
def test_a_line_of_the_users_own_is_neither_replaced_nor_hidden_nor_taken_out(found):
    for settings, hidden in (({KEY: found}, ()), ({"z": 1}, ({}, {KEY: found}))):
        with pytest.raises(ConfigError, match="your own statusLine"):
            put(settings, hidden)
        assert SETUP.without_status_line(settings) == settings
    ours = put({})
    assert put(ours, ({KEY: found},)) == ours, "one that stands is kept up to date"


@corpus("command", ["compass statusline", "/lib/compass/__main__.py hook pre-tool-use", "echo 'unclosed"])
def test_other_commands_are_not_ours(command):
    assert not SETUP.has_status_line({KEY: {"type": "command", "command": command}})


def test_init_wires_a_line_that_runs_and_keeps_it_until_it_is_taken_out(here):
    here.init()
    assert KEY not in read(here.local)
    here.init("--statusline")
    command = read(here.local)[KEY]["command"]
    done = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().startswith("compass · no hook")
    before = here.local.read_text()
    here.init()
    assert here.local.read_text() == before
    here.init("--uninstall")
    assert not here.local.exists()


def test_it_is_refused_where_it_cannot_be(here):
    here.put('{"statusLine": "line.sh"}')
    for words, said in (
        (["--statusline"], "your own statusLine"),
        (["--statusline", "--plugin"], "--project or --user"),
        (["--statusline", "--uninstall"], "leave out --statusline"),
    ):
        assert said in here.said("init", "--yes", *words, code=1)[1]
    assert here.local.read_text() == '{"statusLine": "line.sh"}'
