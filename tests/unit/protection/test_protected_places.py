"""Which places are guarded, by identity and not by name alone; what reaches them, and what only looks like it."""

import json
import os
import sys

import pytest
from corpora import corpus
from repository import ROOT
from running.guarded import ATTACKS, EXPANSIONS, HARMLESS, LAYERS, WIRED, WRAPPERS, Guarded, around, lines

from compass.composition import protection
from compass.composition.protection import Installed, nested_settings, places
from evaluator.protection.places import HostProtected, Places, expanded, matches
from evaluator.record import replace
from evaluator.settings.keys import MCP_WRITERS
from hooks import registry


@pytest.fixture
def guarded(tmp_path):
    return Guarded(tmp_path)


def test_a_hard_link_is_the_file_that_it_links(guarded):
    assert "changes the keys" in guarded.write(guarded.project / "hardlinked.json")
    allowed = json.dumps({**WIRED, "permissions": {"allow": ["Read"]}})
    assert guarded.write(guarded.project / "hardlinked.json", allowed) == ""
    os.link(guarded.state / "compass.db", guarded.project / "dist" / "db")
    assert guarded.write(guarded.project / "dist" / "db") and guarded.bash("echo x > dist/db")
    (guarded.project / "dist" / "own").write_text("x")
    os.link(guarded.project / "dist" / "own", guarded.project / "dist" / "twin")
    assert guarded.write(guarded.project / "dist" / "twin") == ""


def test_a_symbolic_link_of_an_earlier_call_is_followed(guarded):
    assert guarded.write(guarded.project / "linked" / "new.json")
    (guarded.project / "up").symlink_to("..")
    assert guarded.bash("echo x > up/project/.claude/settings.local.json")
    assert guarded.bash("echo x > up/.onlooker/compass/x")
    (guarded.project / "dist" / "deep").symlink_to(guarded.home / ".onlooker" / "compass")
    assert guarded.bash("rm -rf dist/deep/../compass")


def test_a_hidden_file_of_an_unknown_name_is_no_guarded_place_and_one_that_begins_like_one_is(guarded):
    assert guarded.bash('cp "dotfiles/$1" "$HOME/.$1"') == ""
    assert guarded.bash('cp "dotfiles/$1" "$HOME/.cl$1"')


def test_a_variable_is_replaced_at_the_beginning_and_behind_a_folder_alone():
    known = (("$D", "/h/.one"),)
    assert expanded("$D/x", known) == expanded("sub/$D/x", known) == "/h/.one/x"
    assert expanded("sub$D/x", known) == "sub$D/x"


def test_a_folder_under_another_name_is_known_by_device_and_inode(guarded):
    """As a bind mount, or a file system without letter case, gives it one."""
    other = str(guarded.project / "MOUNTED")

    def identity(path):
        return protection.DISK.identity(path.replace(other, str(guarded.state)))

    kept = protection.Protected(folders=(str(guarded.state),), settings=(), words=())
    canonical = Places(kept, replace(protection.DISK, identity=identity)).canonical
    assert canonical(other + "/compass.db") == str(guarded.state / "compass.db")
    assert canonical(str(guarded.project / "src")) == str(guarded.project / "src")


@corpus(
    ("tool", "given", "denied"),
    [
        ("mcp__filesystem__write_file", {"path": "{state}/settings.json", "content": "{}"}, True),
        ("mcp__filesystem__move_file", {"source": "a", "destination": "{state}/x"}, True),
        ("mcp__filesystem__edit_file", {"path": ".claude/settings.local.json", "edits": []}, True),
        ("mcp__filesystem__write_file", {"a": {"b": [{"c": {"path": "{state}/x"}}]}}, True),
        ("mcp__shell__run", {"args": ["rm", "-rf", "{state}"]}, True),
        ("mcp__shell__run", {"command": "compass init --uninstall"}, True),
        ("mcp__terminal__execute_command", {"command": "cd /p && /usr/bin/compass ui --json"}, True),
        ("mcp__desktop-commander__start_process", {"argv": ["sh", "-c 'compass trust --yes'"]}, True),
        ("mcp__shell__run", {"command": "compass config list"}, False),
        ("mcp__notes__create", {"text": "Then the user runs compass init in the project."}, False),
        ("mcp__filesystem__read_file", {"path": "{state}/settings.json"}, False),
        ("mcp__filesystem__list_directory", {"path": "{state}"}, False),
        ("mcp__s__read_and_send", {"path": "{state}/settings.json"}, True),
        ("mcp__s__browse_page", {"path": "{state}/settings.json"}, True),
        ("mcp__s__take_screenshot", {"path": "{state}"}, True),
        ("mcp__s__count_rows", {"path": "{state}/settings.json"}, True),
        ("mcp__playwright__browser_take_screenshot", {"filename": "{project}/.claude/settings.json"}, True),
        ("mcp__playwright__browser_console_messages", {"filename": "{project}/.claude/settings.json"}, True),
        ("mcp__chrome-devtools__take_snapshot", {"filePath": "{project}/.claude/settings.json"}, True),
        ("mcp__chrome-devtools__take_screenshot", {"filePath": "{state}/compass.db"}, True),
        ("mcp__chrome-devtools__list_console_messages", {"filePath": ".claude/settings.json"}, True),
        ("mcp__chrome-devtools__get_network_request", {"responseFilePath": "{state}/compass.db"}, True),
        ("mcp__s__convert_file", {"path": "a.md", "output": ".claude/settings.json"}, True),
        ("mcp__s__dump_database", {"output": "{state}/compass.db"}, True),
        ("mcp__s__console_eval", {"file": ".claude/settings.json"}, True),
        ("mcp__s__search_update", {"path": ".claude/settings.json"}, True),
        ("mcp__s__query_update", {"file": ".claude/settings.json"}, True),
        ("mcp__s__query_db__run", {"path": "{state}/compass.db"}, True),
        ("mcp__s__read_file", {"path": "a", "saveTo": "{state}/compass.db"}, True),
        ("mcp__s__get_page", {"url": "https://a.example", "options": [{"dest_path": "{state}/x"}]}, True),
        ("mcp__s__read_file", {"filePath": ".claude/settings.json"}, False),
        ("mcp__s__get_file_contents", {"filename": "{project}/.claude/settings.json"}, False),
        ("mcp__filesystem__directory_tree", {"path": "{state}"}, False),
        ("mcp__filesystem__get_file_info", {"path": "{state}/settings.json"}, False),
        ("Grep", {"pattern": "hooks", "path": ".claude/settings.json", "output_mode": "content"}, False),
        ("mcp__filesystem__write_file", {"path": "src/a.py", "content": "see .claude/settings.json"}, False),
        ("mcp__github__create_issue", {"title": "Guard .claude/settings.json", "body": "x\ny"}, False),
    ],
    each={"guarded": Guarded},
)
def test_tools_of_servers_are_judged_by_the_paths_that_they_are_given(guarded, tool, given, denied):
    text = json.dumps(given).replace("{state}", str(guarded.state))
    assert bool(guarded.judge(tool, json.loads(text.replace("{project}", str(guarded.project))))) is denied


def test_a_clean_takes_only_what_git_does_not_keep(guarded):
    assert guarded.bash("git clean -fdx")
    assert guarded.bash("git clean -fd") == ""
    (guarded.project / ".git" / "info" / "exclude").write_text("")
    assert guarded.bash("git clean -fd"), "it is neither ignored nor tracked"
    (guarded.project / ".git" / "index").write_bytes(b"DIRC\0.claude/settings.local.json\0")
    assert guarded.bash("git clean -fdx") == "", "it is tracked"


def test_a_clean_of_settings_without_the_gates_keys_is_ordinary(guarded):
    (guarded.project / ".claude" / "settings.local.json").write_text('{"permissions": {}}')
    assert guarded.bash("git clean -fdx") == ""


def environment(tmp_path):
    venv = tmp_path / "tool"
    site = venv / "lib" / "python3.12" / "site-packages"
    (site / "compass").mkdir(parents=True)
    (venv / "bin").mkdir()
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (venv / "bin" / "python").symlink_to(sys.executable)
    return venv, site


def installed_at(monkeypatch, tmp_path, root, executable, project=None):
    """A home whose Compass is installed there."""
    monkeypatch.setattr(protection, "installed", lambda: Installed(str(root), str(executable)))
    found = Guarded(tmp_path / "rest")
    home = str(found.home)
    found.places = protection.places(str(project or found.project), {"HOME": home}, home)
    return found


INTO_THE_INSTALL = (
    "echo 'import x' > {venv}/lib/python3.12/site-packages/x.pth", "sed -i s/home/x/ {venv}/pyvenv.cfg",
    "rm -rf {venv}", "rm -rf {venv}/lib/python3.12/site-packages/pydantic",
    "cp evil.py {venv}/lib/python3.12/site-packages/sitecustomize.py", "ln -sf /bin/true {venv}/bin/python",
    "mv {venv}/bin/compass /tmp", "unknown-tool {venv}/lib/python3.12/site-packages",
    "cp -t{venv}/lib/python3.12/site-packages evil.py", "{venv}/bin/pip uninstall -y numpy",
    "{venv}/bin/python -m pip uninstall -y pydantic", "uv pip uninstall -p {venv}/bin/python tree-sitter",
    "uv pip uninstall --python={venv}/bin/python pydantic",
    "pip install --target {venv}/lib/python3.12/site-packages evil",
)  # fmt: skip
BESIDE_THE_INSTALL = (
    "{venv}/bin/python -m pytest", "{venv}/bin/python app.py", "source {venv}/bin/activate && pytest",
    "ls {venv}/lib/python3.12/site-packages", "grep -rn x {venv}/lib/python3.12/site-packages/pydantic",
    "cat {venv}/pyvenv.cfg", "pip uninstall -y numpy", "rm -rf .venv && python3 -m venv .venv",
)  # fmt: skip


def test_the_environment_that_holds_compass_is_guarded_whole(tmp_path, monkeypatch):
    venv, site = environment(tmp_path)
    guarded = installed_at(monkeypatch, tmp_path, site, venv / "bin" / "python")
    for command in INTO_THE_INSTALL:
        assert guarded.bash(command.format(venv=venv)), command
    for command in BESIDE_THE_INSTALL:
        assert guarded.bash(command.format(venv=venv)) == "", command
    assert guarded.write(site / "x.pth", "import x")
    assert guarded.write(os.path.realpath(sys.executable), "x"), "the interpreter itself"


def test_an_environment_of_the_project_is_the_projects(tmp_path, monkeypatch):
    venv, site = environment(tmp_path)
    guarded = installed_at(monkeypatch, tmp_path, site, venv / "bin" / "python", tmp_path)
    for command in ("rm -rf {venv}", "echo x > {venv}/pyvenv.cfg", "{venv}/bin/pip uninstall -y numpy"):
        assert guarded.bash(command.format(venv=venv)) == "", command


def test_of_a_shared_interpreter_only_what_starts_with_compass_is_guarded(tmp_path, monkeypatch):
    site = tmp_path / "python" / "lib" / "site-packages"
    for name in ("compass", "numpy", "compass_gate-1.0.dist-info"):
        (site / name).mkdir(parents=True)
    (site / "other.pth").write_text("")
    executable = tmp_path / "python" / "bin" / "python"
    executable.parent.mkdir()
    executable.write_text("")
    guarded = installed_at(monkeypatch, tmp_path, site, executable)
    for name in ("compass/cli.py", "other.pth", "sitecustomize.py", "compass_gate-1.0.dist-info/RECORD"):
        assert guarded.write(site / name, "x"), name
    assert guarded.write(executable, "x")
    assert guarded.write(site / "numpy" / "x.py", "x") == ""
    assert guarded.bash("pip install requests") == ""


def test_the_hosts_managed_settings_are_guarded(guarded):
    path = "/etc/claude-code/managed-settings.json"
    assert guarded.judge("Write", {"file_path": path, "content": '{"hooks": {}}'})
    assert guarded.bash(f"rm -f {path}")
    assert guarded.bash(f"cat {path}") == ""


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_no_tool_turns_a_plugin_off_or_adds_a_marketplace(guarded, name):
    path = guarded.project / ".claude" / name
    off = json.dumps({"enabledPlugins": {"compass@compass-gate": False}})
    assert "enabledPlugins" in guarded.write(path, off)
    assert guarded.write(path, json.dumps({"extraKnownMarketplaces": {"compass-gate": {"source": {}}}}))
    path.write_text(json.dumps({"enabledPlugins": {"compass@compass-gate": True}, "model": "a"}))
    assert guarded.write(path, off)
    assert guarded.write(path, "{}"), "left out it says nothing any more"
    assert guarded.judge("Edit", {"file_path": str(path), "old_string": "true", "new_string": "false"})
    same = {"enabledPlugins": {"compass@compass-gate": True}, "model": "b"}
    assert guarded.write(path, json.dumps(same)) == "", "other keys are ordinary writes"


@corpus(
    ("pattern", "place", "found"),
    [
        ("/p/*", "/p/.claude", False), ("/p/.*", "/p/.claude/settings.json", True),
        ("/p/*.json", "/p/a/b.json", False), ("/p/**/b.json", "/p/a/c/b.json", True),
        ("/p/**/b.json", "/p/.a/b.json", False), ("/p/[.]a/b", "/p/.a/b", True), ("/p/a?/b", "/p/ab", False),
        ("/p/a", "/p/a", False), ("/**/**/**/**/**/x", "/a/b/c/d/e/f/g/h", False),
    ],
)  # fmt: skip
def test_patterns_are_read_as_a_shell_reads_them(pattern, place, found):
    assert matches(pattern, place) is found


def test_files_below_a_folder_that_a_variable_moves():
    host = HostProtected(homes=(("X_HOME", ".x"), ("WHOLE", "")))
    names = (".x/hooks.json", ".y/other")
    assert host.moved(names, {"X_HOME": "/moved/"}) == ["/moved/hooks.json"]
    assert host.moved(names, {"WHOLE": "/h"}) == ["/h/.x/hooks.json", "/h/.y/other"]
    assert host.moved(names, {"X_HOME": "relative"}) == host.moved(names, {}) == []


@corpus(
    ("name", "variable", "file"),
    [
        ("codex", "CODEX_HOME", "hooks.json"), ("codex", "CODEX_HOME", "config.toml"),
        ("copilot", "COPILOT_HOME", "hooks"), ("opencode", "XDG_CONFIG_HOME", "opencode/plugin"),
        ("chibi", "CHIBI_HOME", "plugins/compass"), ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ],
)  # fmt: skip
def test_each_hosts_own_variable_counts(name, variable, file, tmp_path):
    assert name in registry.HOSTS
    moved = str(tmp_path / "moved")
    found = places(str(tmp_path / "project"), {variable: moved}, str(tmp_path / "home"))
    wanted = f"{moved}/{file}"
    assert wanted in found.settings or any(f"{wanted}/".startswith(f"{one}/") for one in found.folders)
    without = places(str(tmp_path / "project"), {}, str(tmp_path / "home"))
    assert not [path for path in (*without.settings, *without.folders) if path.startswith(moved)]


@pytest.mark.parametrize("file", [".opencode/plugin/x.js", ".opencode/plugins/x.ts", ".github/hooks/x.json"])
def test_what_a_host_runs_of_a_project_is_guarded_wherever_it_lies(file, tmp_path):
    for folder in (tmp_path, tmp_path / "sub"):
        wanted = str(folder / file)
        assert nested_settings([wanted, str(folder / "src/x.js")], str(tmp_path)) == (wanted,)


TIGHT = {"compass": {"mode": "enforce", "confidence_threshold": 0.9}}


@pytest.fixture
def layered(tmp_path):
    found = Guarded(tmp_path)
    (found.project / ".compass").mkdir()
    (found.project / ".compass" / "settings.json").write_text(json.dumps(TIGHT))
    return found


def test_a_tool_may_change_no_key_of_the_projects_file(layered):
    path = layered.project / ".compass" / "settings.json"
    for content in ("{}", '{"compass": {"mode": "observe"}}', "", "no JSON"):
        said = layered.write(path, content)
        assert "compass" in said and "in settings.json" in said
    assert layered.judge("Edit", {"file_path": str(path), "old_string": "0.9", "new_string": "0.1"})
    assert layered.write(path, json.dumps(TIGHT, indent=2)) == "", "the same keys, laid out anew"
    assert layered.write(layered.project / ".compass" / "notes.md") == ""


def test_a_file_that_is_not_there_yet_is_guarded_too(layered):
    (layered.project / ".compass" / "settings.json").unlink()
    (layered.project / ".compass").rmdir()
    path = layered.project / ".compass" / "settings.json"
    assert layered.write(path, json.dumps(TIGHT))
    assert layered.bash("mkdir .compass && echo '{}' > .compass/settings.json")
    assert layered.write(layered.project / "compass" / "settings.json", json.dumps(TIGHT)) == ""


def test_the_users_file_is_guarded_whole(layered):
    assert "Compass's own files" in layered.write(layered.state / "settings.json", '{"other": 1}')
    assert layered.bash("echo '{}' > @@/settings.json")
    assert layered.bash("rm @@/settings.json")


def test_no_command_writes_or_takes_out_the_projects_file(layered):
    assert [command for command in LAYERS if not layered.bash(command)] == []


def test_a_tool_of_a_server_that_may_write_is_not_given_it(layered):
    path = str(layered.project / ".compass" / "settings.json")
    assert layered.judge("mcp__x__store", {"path": path})
    assert layered.judge("mcp__x__read_file", {"path": path}) == ""


FOLDER = ROOT / "fixtures" / "attacks" / "protection"


def judged(guarded, name):
    """{id of a row: why its call is denied, empty if it is not}."""
    rows = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    where = {"${HOME}": guarded.home, "${PROJECT}": guarded.project, "${STATE}": guarded.home / ".onlooker"}
    found = {}
    for row in rows:
        text = json.dumps(row["input"])
        for word, path in where.items():
            text = text.replace(word, str(path))
        found[row["id"]] = guarded.judge(row["tool"], json.loads(text), MCP_WRITERS)
    assert len(found) == len(rows) >= 80
    return found


def test_what_reaches_the_gate_is_denied_and_ordinary_work_is_not(guarded):
    assert [command for command in ATTACKS if not guarded.bash(command)] == []
    assert {command: why for command in HARMLESS if (why := guarded.bash(command)) != ""} == {}


def test_what_turns_the_gate_off_from_outside_is_denied_and_what_says_or_reads_the_same_names_is_not(guarded):
    assert [row for row, why in judged(guarded, "denied").items() if not why] == []
    assert {row: why for row, why in judged(guarded, "allowed").items() if why} == {}


def test_a_wrapper_is_not_what_makes_the_difference(guarded):
    """The same wrappers around a harmless command pass, so the denials above are of what is wrapped."""
    for command in around([*lines(WRAPPERS), *lines(EXPANSIONS)], "rm -rf build"):
        assert guarded.bash(command) == "", command


def test_a_short_command_does_not_hide_a_name_that_holds_its_letters(guarded):
    """A piece that is taken off the text, because it is settled, takes nothing of another part with it."""
    for settled in ("set", "ls", "w", ":", "id"):
        assert guarded.bash(f"./x .claude/settings.json; {settled}")
        assert guarded.bash(f"{settled}; ./x ~/.onlooker; {settled}")


def test_names_among_more_commands_than_are_shown_count(guarded):
    assert guarded.bash("true;" * 250 + "./x .claude/settings.json")


def test_a_line_that_was_there_before_may_stay(guarded):
    path = guarded.home / ".bashrc"
    path.write_text("export COMPASS_MODE=enforce\nalias l=ls\n")
    edit = {"file_path": str(path), "old_string": "alias l=ls", "new_string": "alias l='ls -l'"}
    assert guarded.judge("Edit", edit) == ""
    for old, new in (("COMPASS_MODE=enforce", "COMPASS_MODE=observe"), ("enforce", "observe")):
        assert guarded.judge("Edit", {**edit, "old_string": old, "new_string": new})
    assert guarded.write(path, "alias l=ls\n"), "a line that made the gate hold is gone"
