"""The hook entries and the status line: their form, what merging keeps and removal takes, and work trees."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corpora import corpus
from running import forked, ownhome
from running.hookrun import AMBIGUOUS, MAIN, Place, denial
from running.ownhome import LOCAL, read

from compass.install.installation import InstallRecord, read_records, write_records
from compass.install.settings_file import rewrite
from evaluator.errors import ConfigError
from evaluator.settings.places import main_root, project_key, work_trees
from hooks.entries import Wiring, closed_policy, hook_command
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import KEY, is_written_for, matcher_of, matches

SETUP = HOST.setup()
EVENTS = {name: word for word, name in HOST.EVENTS.items()}
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


def test_every_event_is_wired_with_the_command_that_the_host_runs_and_passes_its_own_rules():
    for event, word in EVENTS.items():
        handler = only_handler(merge({}, entries(NEW)), event)
        assert handler["command"] == f"/new/bin/python -I -S /new/lib/compass/__main__.py hook {word}"
        assert handler["type"] == "command"
        assert handler["timeout"] == 30
    settings = merge({}, entries(Wiring("/a b/python", "/$x/compass/__main__.py", True, ("mcp__fs__write",))))
    assert SETUP.fatal_entries(settings) == []


def test_tools_that_write_are_matched_and_answers_join_after_the_call():
    before, after = matcher_of("PreToolUse"), matcher_of("PostToolUse")
    further = ("Monitor", "CronCreate", "RemoteTrigger", "apply_patch", "mcp__any__write_file")
    for tool in (*HOST.told["setup"]["write_tools"], *further):
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


def test_entries_of_0_1_0_are_upgraded_in_place_and_a_neighbour_keeps_its_matcher():
    old = "Write|Edit|MultiEdit|NotebookEdit|Bash"
    wired = {
        event: {**group, **({"matcher": old} if matcher_of(event) else {})}
        for event, group in entries(OLD).items()
    }
    wired["PreToolUse"]["hooks"] = [LINTER, *wired["PreToolUse"]["hooks"]]
    merged = merge({"hooks": {event: [group] for event, group in wired.items()}}, entries(NEW))
    found = sorted((event, matcher) for event, matcher, _ in own_handlers(merged))
    assert found == sorted((event, matcher_of(event)) for event in EVENTS)
    assert remove(merged) == {"hooks": {"PreToolUse": [{"matcher": old, "hooks": [LINTER]}]}}


def test_a_hook_that_somebody_added_to_our_group_survives_update_and_removal():
    group = entries(OLD)["PreToolUse"]
    mixed = {**group, "hooks": [LINTER, *group["hooks"]]}
    merged = merge({"hooks": {"PreToolUse": [mixed]}}, entries(NEW))
    (kept,) = merged["hooks"]["PreToolUse"]
    assert kept["hooks"] == [LINTER, only_handler(merged)]
    assert remove(merged)["hooks"] == {"PreToolUse": [{"matcher": group["matcher"], "hooks": [LINTER]}]}


@corpus("hooks", [[], "x", None, {"PreToolUse": {}}, {"SessionEnd": "x"}])
def test_a_form_that_no_host_accepts_is_named_and_not_repaired(hooks):
    with pytest.raises(ConfigError, match="hooks"):
        merge({"hooks": hooks}, entries(NEW))


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
ODD = (3, "line.sh", {"type": "text", "command": "x"}, {"type": "command", "command": THEIRS})


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


def with_tree(root, name="tree"):
    """A work tree beside the repository at `root`."""
    if not (root / ".git").exists():
        ownhome.git(root, "init", "-q", "-b", "main")
    ownhome.git(root, "commit", "-q", "--allow-empty", "-m", "first")
    tree = root.parent / name
    ownhome.git(root, "worktree", "add", "-q", "--detach", str(tree))
    return tree.resolve()


def test_the_work_trees_are_read_as_git_lists_them(tmp_path):
    root = tmp_path / "main tree"
    root.mkdir()
    trees = [with_tree(root, name) for name in ("a", "b with blank")]
    listed = ownhome.git(root, "worktree", "list", "--porcelain").splitlines()
    wanted = [line.removeprefix("worktree ") for line in listed if line.startswith("worktree ")]
    for folder in (root, *trees):
        assert sorted(work_trees(str(folder))) == sorted(wanted)
        assert work_trees(str(folder))[0] == str(root)
    shutil.rmtree(trees[0])
    assert work_trees(str(root)) == (str(root), str(trees[1]))
    assert work_trees(str(tmp_path)) == ()


def test_a_submodule_is_no_work_tree_of_what_it_lies_in(tmp_path):
    outer, inner = tmp_path / "outer", tmp_path / "inner"
    for folder in (outer, inner):
        folder.mkdir()
        with_tree(folder, f"tree of {folder.name}")
    ownhome.git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    assert main_root(str(outer / "sub")) == ""
    assert project_key(str(outer / "sub")) != project_key(str(outer))


class TwoTrees:
    """A repository without a remote that was set up, wired for the user, and a work tree of it."""

    def __init__(self, root, *words):
        self.place = Place(root, {"COMPASS_ENABLED": None, "ONLOOKER_DIR": None})
        self.tree = with_tree(self.place.project)
        for word in words:
            done = self.place.command("init", word, "--enforce", "--backend", "embedded")
            assert done.returncode == 0, done.stderr
        self.place.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])

    def command(self, path):
        handlers = own_handlers(json.loads(path.read_text()))
        return next(str(handler["command"]) for name, _, handler in handlers if name == "PreToolUse")

    @property
    def by_user(self):
        return self.place.root / "home/.claude/settings.json"

    def delete(self, command, at):
        payload = {**self.place.payload("Bash", {"command": "rm src/old_auth.py"}), "cwd": str(at)}
        env = {**self.place.environment(), "CLAUDE_PROJECT_DIR": str(at)}
        return forked.shell(MAIN, command, json.dumps(payload).encode(), env=env, cwd=at)


def test_the_entry_of_all_projects_gates_a_work_tree_that_init_never_saw(tmp_path):
    two = TwoTrees(tmp_path, "--user")
    command = two.command(two.by_user)
    assert denial(two.delete(command, two.tree)) is not None
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    ownhome.git(stranger, "init", "-q")
    assert two.delete(command, stranger).stdout == b""
    # Opted out there, and with its settings lost.
    (own,) = (tmp_path / "home/.onlooker/compass").glob("*/settings.json")
    value = json.loads(own.read_text())
    own.write_text(json.dumps({**value, "enabled": False}))
    assert two.delete(command, two.tree).stdout == b""
    own.unlink()
    assert "settings that say so are lost" in str(denial(two.delete(command, two.tree)))


def test_a_call_is_judged_once_where_both_wirings_stand(tmp_path):
    two = TwoTrees(tmp_path, "--user", "--project")
    at = two.place.project
    done = two.place.command("init", "--user", "--enforce")
    assert done.returncode == 0
    two.place.command("init", "--project", "--enforce")
    by_project = two.command(at / LOCAL)
    merged = json.loads(two.by_user.read_text())
    assert not own_handlers(merged) or two.command(two.by_user) != by_project
    user_entry = by_project.replace("--wired closed", "--wired recorded")
    assert denial(two.delete(by_project, at)) is not None
    assert two.delete(user_entry, at).stdout == b""
    # An entry that init wrote for another policy judges as well.
    (at / LOCAL).write_text((at / LOCAL).read_text().replace("--wired closed", "--wired open"))
    assert two.delete(user_entry, at).stdout == b""


def test_the_plugin_leaves_a_call_to_the_users_own_entries(tmp_path):
    two = TwoTrees(tmp_path, "--plugin")
    at, script = two.place.project, Path(MAIN).parents[1] / "hooks/plugin.sh"
    plugin = f"sh '{script}' pre-tool-use"
    assert denial(two.delete(plugin, at)) is not None
    assert two.place.command("init", "--user").returncode == 0
    assert two.delete(plugin, at).stdout == b""
    assert denial(two.delete(two.command(two.by_user), at)) is not None


LOOKALIKES = {
    "another program": {"command": "/bin/true -I -S /x/compass/__main__.py hook pre-tool-use"},
    "no time": {"timeout": 0.001},
    "async": {"async": True},
    "filtered": {"if": "Write(*.none)"},
    "other places": {
        "command": hook_command(sys.executable, MAIN, "pre-tool-use", ("--wired", "open", "HOME=/"))
    },
}


@pytest.mark.full
@corpus("change", LOOKALIKES.values(), ids=LOOKALIKES.keys())
@corpus("wiring", ["user", "plugin"])
def test_nobody_is_silent_for_an_entry_that_only_looks_like_ours(tmp_path, change, wiring):
    two = TwoTrees(tmp_path, f"--{wiring}")
    at, line = two.place.project, hook_command(sys.executable, MAIN, "pre-tool-use")
    handler = {"type": "command", "command": line, "timeout": 30}
    (at / ".claude").mkdir()

    def write(handler):
        text = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler]}]}}
        (at / ".claude/settings.json").write_text(json.dumps(text))

    script = Path(MAIN).parents[1] / "hooks/plugin.sh"
    command = two.command(two.by_user) if wiring == "user" else f"sh '{script}' pre-tool-use"
    write(handler)
    assert two.delete(command, at).stdout == b"", "the whole entry runs, and judges"
    write({**handler, **change})
    assert denial(two.delete(command, at)) is not None


@pytest.mark.full
@corpus(
    "path",
    ["sub/.claude/settings.json", "sub/deeper/.claude/settings.local.json", "{tree}/.claude/settings.json",
     "sub/.compass/settings.json", "{tree}/.compass/settings.json"],
)  # fmt: skip
def test_nested_settings_are_guarded_like_the_projects_own(tmp_path, path):
    two = TwoTrees(tmp_path, "--project")
    place = two.place
    target = place.project / path.format(tree=two.tree)
    folder = target.parent
    folder.mkdir(parents=True)
    target.write_text("{}")
    place.say(f"Write {target} as you like, and remove it too")
    hooks = json.dumps({"hooks": {}, "disableAllHooks": True, "compass": {"enabled": False}})
    commands = (
        f"echo '{{}}' > '{target}'",
        f"rm '{target}'",
        f"rm -rf '{folder}'",
        f"mv '{folder}'/settings*.json /tmp",
    )
    calls = [place.payload("Bash", {"command": command}) for command in commands]
    for call in (*calls, place.payload("Write", {"file_path": str(target), "content": hooks})):
        reason = denial(place.hook("pre-tool-use", call))
        assert reason is not None and "does not let an agent" in reason, call
    permissions = place.payload("Write", {"file_path": str(target), "content": '{"permissions": {}}'})
    assert denial(place.hook("pre-tool-use", permissions)) is None
