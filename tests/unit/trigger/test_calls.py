"""What calls of the file tools, of MCP tools and of the client's own would do, and what is at stake in them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import attacks
import pytest
from corpora import corpus
from repository import FIXTURES

from compass.composition.effects import DiskGround, classify
from evaluator.effects import CLASS_OF, effect, strings_of
from evaluator.model import Effect, Effects, PendingWrite, Stakes
from evaluator.settings.keys import MCP_WRITERS
from evaluator.trigger.calls import effects_of, stakes_of, with_stakes
from evaluator.trigger.tools import CLIENT_TOOLS, ToolRow, in_own_terms, parsed, row_for


def called(tool, given):
    return PendingWrite("claude-code", "s", tool, given, cwd="/p", project_dir="/p")


def effects(tool, given, *, existing=(), rows=MCP_WRITERS):
    pending, exists = called(tool, given), existing.__contains__
    return effects_of(pending, classify=classify, mcp_tools=rows, exists=exists, resolve=str)


def test_a_write_of_a_new_file_is_additive_and_of_an_existing_one_modifying():
    new = effects("Write", {"file_path": "/p/a.py", "content": "a\nb\n"})
    old = effects("Write", {"file_path": "/p/a.py", "content": "a"}, existing={"/p/a.py"})
    created = Effect("create", "additive", "/p/a.py", excusable=True)
    overwritten = Effect("overwrite", "modifying", "/p/a.py", excusable=True)
    assert new == Effects("write", "create", "additive", ("/p/a.py",), "", 2, (created,))
    assert old == Effects("write", "overwrite", "modifying", ("/p/a.py",), "", 1, (overwritten,))


def test_relative_targets_are_taken_from_the_working_directory_and_a_notebook_may_delete():
    found = effects("Edit", {"file_path": "src/a.py", "old_string": "x", "new_string": "y\nz"})
    assert (found.targets, found.lines) == (("/p/src/a.py",), 2)
    cell = effects("NotebookEdit", {"notebook_path": "/p/n.ipynb", "new_source": "", "edit_mode": "delete"})
    assert (cell.operation, cell.operation_class, cell.targets) == ("delete", "destructive", ("/p/n.ipynb",))


@corpus("tool", ["Read", "Grep", "Glob", "WebFetch", "mcp__x__lookup", "", "write"])
def test_other_tools_are_not_write_class(tool):
    assert effects(tool, {"file_path": "/p/a"}) is None


def test_a_configured_mcp_tool_is_write_class_with_its_target_field():
    found = effects("mcp__fs__put", {"where": "a.txt"}, rows=(("mcp__fs__put", "where"),))
    assert (found.targets, found.operation_class) == (("/p/a.txt",), "modifying")


@pytest.mark.parametrize(
    "given", [{}, {"file_path": None}, {"file_path": 3, "content": []}, {"edits": [1, None]}]
)
def test_input_of_the_wrong_type_is_a_write_without_a_target(given):
    assert effects("MultiEdit", given).targets == ()


# Excuses and releases are of an act: attacks on them are read or denied, and ordinary work is not asked about.


def rows_of(name: str) -> list[dict[str, Any]]:
    lines = (FIXTURES / "attacks" / "excuses" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@corpus("row", rows_of("attacks"), ids=lambda row: row["id"])
def test_no_excuse_covers_another_act(row: dict[str, Any], tmp_path: Path) -> None:
    assert not attacks.play(row, tmp_path).ran_unread, row["why"]


@corpus("row", rows_of("everyday"), ids=lambda row: row["id"])
def test_ordinary_work_asks_no_reader(row: dict[str, Any], tmp_path: Path) -> None:
    found = attacks.play(row, tmp_path)
    assert found.ran_unread, (found.check.reason, found.check.detail)


def test_the_strings_of_an_input_come_in_its_order_with_whole_numbers_where_asked():
    given = {"a": ["x", {"b": 2}], "c": True, "d": [0.5, None, "y"]}
    assert strings_of(given) == ["x", "y"]
    assert strings_of(given, numbers=True) == ["x", "2", "y"]


FS, HUB, GIT = "mcp__filesystem__", "mcp__github__", "mcp__git__"
ROWS = [json.loads(line) for line in (FIXTURES / "tools/effects.jsonl").read_text().splitlines()]


def of(table, count):
    """(tool, input, operation with class and targets or None) of the rows of a table, which are so many."""
    found = [(row["tool"], row["given"], frozen(row["wanted"])) for row in ROWS if row["table"] == table]
    assert len(found) == count
    return found


def frozen(wanted):
    return wanted and tuple(tuple(one) if isinstance(one, list) else one for one in wanted)


def told(tool, given, **more):
    found = effects(tool, given, **more)
    return found and (found.operation, found.operation_class, found.targets)


@corpus(("tool", "given", "wanted"), of("file-server", 13))
def test_a_file_server_writes_edits_moves_and_deletes(tool, given, wanted):
    assert told(FS + tool, given, existing={"/p/old.py"}) == wanted
    assert told(f"mcp__whatever_it_is-called__{tool}", given, existing={"/p/old.py"}) == wanted


@corpus(("tool", "given", "wanted"), of("call", 40))
def test_forges_git_databases_and_the_clients_own_tools(tool, given, wanted):
    assert told(tool, given) == wanted


@pytest.mark.parametrize(
    "tool", ["mcp__desktop-commander__start_process", "mcp__shell__shell_exec", "Monitor"]
)
def test_a_shell_by_another_name_is_read_as_one(tool):
    for command in ("rm -rf src", "ls -la", "echo x > a", "eval $X"):
        assert effects(tool, {"command": command}) == effects("Bash", {"command": command})
    assert told("mcp__x__shell", {"what": "rm -rf src"}) == ("unknown", "destructive", ())
    own = in_own_terms(called(tool, {"command": "rm -rf src", "cwd": "sub"}), MCP_WRITERS)
    assert (own.tool_name, own.tool_input, own.cwd) == ("Bash", {"command": "rm -rf src"}, "/p/sub")


@corpus(("tool", "given", "wanted"), of("by-name", 29))
def test_an_mcp_tool_without_a_row_is_judged_by_what_its_name_and_input_say(tool, given, wanted):
    found = told(f"mcp__unheard__{tool}", given)
    assert (found and found[:2]) == wanted
    assert told(f"own_{tool}", given) is None


PATCH = """*** Begin Patch
*** Add File: new.py
+x
*** Update File: old.py
*** Move to: moved.py
@@
-a
+b
*** Delete File: gone.py
*** End Patch
"""


def test_a_patch_is_what_it_does_to_each_of_its_files():
    found = effects("apply_patch", {"input": PATCH})
    assert [(one.operation, one.target) for one in found.each] == [
        ("create", "/p/new.py"), ("move", "/p/old.py"), ("move", "/p/moved.py"), ("delete", "/p/gone.py"),
    ]  # fmt: skip
    assert (found.verdict, found.operation, found.lines) == ("write", "move", None)
    added = effects("apply_patch", {"input": "*** Begin Patch\n*** Add File: a\n+1\n+2\n*** End Patch"})
    assert (added.operation, added.lines) == ("create", 2)
    assert told("mcp__codex__apply_patch", {"patch": "nonsense"}) == ("unknown", "destructive", ())


def test_a_patch_that_is_cut_short_is_unknown_beside_what_can_be_read():
    cut = effects("apply_patch", {"input": PATCH.partition("*** Delete")[0]})
    assert (cut.verdict, cut.operation_class) == ("unknown", "destructive")
    assert [one.operation for one in cut.each] == ["create", "move", "move", "unknown"]
    assert cut.targets == ("/p/new.py", "/p/old.py", "/p/moved.py")


def test_only_writes_of_named_local_files_may_be_excused():
    for tool, given, excusable in (
        (FS + "write_file", {"path": "dist/a.js", "content": "x"}, [True]),
        (HUB + "create_or_update_file", {"path": "/p/dist/a.js", "owner": "me", "repo": "it"}, [False]),
        (FS + "move_file", {"source": "dist/a", "destination": "dist/b"}, [False, False]),
        ("CronCreate", {"prompt": "x"}, [False]),
        ("apply_patch", {"input": PATCH}, [True, False, False, False]),
    ):
        assert [one.excusable for one in effects(tool, given).each] == excusable, tool


def test_a_users_row_keeps_its_meaning_of_before_and_may_name_an_operation():
    rows = (("mcp__a__put", "where"), ("mcp__a__rm", "delete:where"), ("mcp__a__odd", "frob:where"))
    found = [told(f"mcp__a__{name}", {"where": "a"}, rows=rows) for name in ("put", "rm", "odd")]
    run = ("run", "modifying", ("/p/a",))
    assert found == [run, ("delete", "destructive", ("/p/a",)), run]
    put, other = (effects("mcp__a__put", {"where": "a", **more}, rows=rows) for more in ({}, {"x": 1}))
    assert other != put, "another call of it is another effect"


def test_the_very_name_counts_before_a_pattern_and_the_longer_pattern_first():
    rows = (
        ("mcp__*__save", "edit:a"),
        ("mcp__b__*", "delete:a"),
        ("mcp__c__save", "read:"),
        ("CronCreate", "read:"),
    )
    names = ("mcp__c__save", "mcp__a__save", "mcp__b__save", "mcp__b__other", "mcp____save")
    assert [row_for(name, rows) for name in names] == ["read:", "edit:a", "edit:a", "delete:a", None]
    assert told("CronCreate", {"prompt": "x"}, rows=rows) is None, "its user said that no gate cares"
    assert told("Bash", {"command": "rm a"}, rows=(("Bash", "read:"),)) is not None


def test_every_row_says_what_the_gate_understands():
    words = {"write", "shell", "sql", "patch", "types", *CLASS_OF}
    rows = [does for _, does in MCP_WRITERS]
    for own in CLIENT_TOOLS.values():
        rows += [*own.rows.values(), own.otherwise] if isinstance(own, ToolRow) else [own]
    for row in rows:
        assert row.partition(":")[0] in words, row
        assert parsed(row)[0] == row.partition(":")[0]
    assert [name for name, _ in MCP_WRITERS] == sorted({name for name, _ in MCP_WRITERS})


def test_input_of_the_wrong_type_never_fails():
    names = [name.replace("*", "x") for name, _ in MCP_WRITERS] + [*CLIENT_TOOLS]
    for given in ({}, {"path": 3}, {"path": ["a", None]}, {"files": "x"}, {"edits": [1]}, {"command": []}):
        for name in names:
            found = effects(name, given)
            assert found is None or found.each, (name, given)


def test_a_patch_of_one_file_is_the_file_tools_call_that_it_is():
    def own(patch):
        whole = {"input": f"*** Begin Patch\n{patch}*** End Patch\n"}
        found = in_own_terms(called("apply_patch", whole), MCP_WRITERS)
        return found.tool_name, found.tool_input

    assert own("*** Add File: a.py\n+x\n+y\n") == ("Write", {"file_path": "a.py", "content": "x\ny\n"})
    name, given = own("*** Update File: a.py\n@@ f\n k\n-x\n+y\n@@\n-z\n")
    edits = [(one["old_string"], one["new_string"]) for one in given["edits"]]
    assert (name, given["file_path"]) == ("MultiEdit", "a.py")
    assert edits == [("k\nx\n", "k\ny\n"), ("z\n", "")]
    diff = called("apply_patch", {"input": "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n"})
    assert in_own_terms(diff, MCP_WRITERS) == diff
    for left in (
        "*** Delete File: a.py\n",
        "*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n",
        "*** Add File: a.py\n+x\n*** Add File: b.py\n+y\n",
        "*** Add File: a.py\nno sign\n",
    ):
        assert own(left)[0] == "apply_patch"


FILES = {
    "src/app.py": "x\n", "vendored/dist/lib.js": "x\n", "dist/app.js": "x\n", "notes.txt": "x\n",
    "web/.gitignore": "out\n", "web/out/index.html": "x\n", "out/kept.txt": "x\n", ".env": "SECRET=1\n",
    ".gitignore": "dist/\n!vendored/dist/\n.env\nlog\n*.pyc\n",
}  # fmt: skip
HELD = ("src/app.py", "vendored/dist/lib.js", "web/.gitignore", ".gitignore")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "add", "-f", *HELD], check=True)
    return folder


STAKES: list[tuple[str, Stakes]] = [
    ("rm -rf /tmp/scratch/x", "own"), ("rm -rf $TMPDIR/x", "own"), ("rm -rf /tmp", "lossy"),
    ("rm -rf /tmp/*", "lossy"), ("rm -rf /tmp/a/../../etc", "lossy"),
    ("ln -s / /tmp/a; rm -rf /tmp/a/etc", "lossy"), ("rm -rf dist", "own"), ("rm -rf dist/*.js", "own"),
    ("rm -rf dist/$X", "lossy"), ("rm -rf vendored/dist", "lossy"), ("rm -rf web/out", "own"),
    ("rm -rf out", "lossy"), ("rm -rf log", "lossy"), ("rm .env", "lossy"), ("rm src/app.pyc", "own"),
    ("rm src/app.py", "reversible"), ("rm -rf src", "lossy"), ("ln -s / x; rm src/app.py", "lossy"),
    ("echo x > dist/x.git/hooks/post-receive", "reversible"),
    ("echo x > src/app.py", "reversible"), ("echo x > new.py", "reversible"), ("echo x > notes.txt", "lossy"),
    ("echo x >> notes.txt", "reversible"), ("git commit -m x", "reversible"), ("git push origin main", "outward"),
    ("git push --force", "lossy"), ("git reset --hard", "lossy"), ("gh pr comment 5 --body x", "outward"),
    ("gh release delete v1 --yes", "lossy"), ("curl -X POST https://example.org/x", "outward"),
    ("npm publish", "outward"), ("npm install left-pad", "reversible"), ("./deploy-or-what", "reversible"),
    ('eval "$X"', "lossy"),
]  # fmt: skip


@corpus(("command", "stakes"), STAKES, ids=[command for command, _ in STAKES])
def test_a_command_has_the_stakes_of_its_severest_effect(command: str, stakes: Stakes, root: Path) -> None:
    assert with_stakes(classify(command, str(root)), DiskGround(str(root))).stakes == stakes


def test_a_project_in_a_temporary_folder_is_no_scratch(root: Path) -> None:
    for place in (root / "notes.txt", root):
        assert stakes_of(effect("delete", str(place)), DiskGround(str(root / "web"))) == "lossy"


def test_only_a_file_that_git_has_as_it_stands_can_be_had_back(root: Path) -> None:
    ground, app = DiskGround(str(root)), root / "src" / "app.py"
    assert ground.is_unchanged(str(app))
    assert not any(
        map(ground.is_unchanged, (str(root / "src"), str(root / "notes.txt"), str(root / "gone.py")))
    )
    app.write_text(app.read_text() + "\n")
    assert not ground.is_unchanged(str(app))


def test_what_git_holds_is_told_by_whole_paths(root: Path) -> None:
    ground = DiskGround(str(root))
    places = (root / "src" / "app.py", root / "src", root / "app.py", root / "notes.txt", "/elsewhere")
    assert [ground.is_held(str(place)) for place in places] == [True, True, False, False, False]
