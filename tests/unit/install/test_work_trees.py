"""Work trees of one repository: who gates them, who says that nobody does, and what is guarded in them."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running import forked, ownhome
from running.hookrun import AMBIGUOUS, MAIN, Place, denial

from evaluator.settings.places import main_root, project_key, work_trees
from hooks.entries import hook_command
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()
own_handlers = SETUP.own_handlers

LOCAL = Path(".claude") / "settings.local.json"


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
        self.place: Any = Place(root, {"COMPASS_ENABLED": "", "ONLOOKER_DIR": ""})
        whole = self.place.environment
        self.place.environment = lambda: {name: value for name, value in whole().items() if value}
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


NESTED = [
    "sub/.claude/settings.json",
    "sub/deeper/.claude/settings.local.json",
    "{tree}/.claude/settings.json",
    "sub/.compass/settings.json",
    "{tree}/.compass/settings.json",
]


@pytest.mark.full
@corpus("path", NESTED)
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
