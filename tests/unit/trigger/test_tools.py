"""What calls of MCP tools, and of the client's own tools beside its file tools and Bash, would do."""

import json

import pytest
from corpora import corpus
from repository import FIXTURES

from evaluator.effects import CLASS_OF
from evaluator.model import PendingWrite
from evaluator.settings.keys import MCP_WRITERS
from evaluator.shell.bash import classify
from evaluator.trigger.call_effects import effects_of
from evaluator.trigger.tools import CLIENT_TOOLS, ToolRow, in_own_terms, parsed, row_for

FS, HUB, GIT = "mcp__filesystem__", "mcp__github__", "mcp__git__"
FORGE = {"owner": "me", "repo": "it"}


ROWS = [json.loads(line) for line in (FIXTURES / "tools/effects.jsonl").read_text().splitlines()]


def of(table, count):
    """(tool, input, operation with class and targets or None) of the rows of a table, which are so many."""
    found = [(row["tool"], row["given"], frozen(row["wanted"])) for row in ROWS if row["table"] == table]
    assert len(found) == count
    return found


def frozen(wanted):
    return wanted and tuple(tuple(one) if isinstance(one, list) else one for one in wanted)


def called(tool, given, rows=MCP_WRITERS):
    return PendingWrite("claude-code", "s", tool, given, cwd="/p", project_dir="/p"), rows


def effects(tool, given, *, existing=(), rows=MCP_WRITERS):
    pending, rows = called(tool, given, rows)
    return effects_of(
        pending,
        classify=classify,
        mcp_tools=rows,
        exists=lambda path: path in existing,
        resolve=lambda path: path,
    )


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
    pending, rows = called(tool, {"command": "rm -rf src", "cwd": "sub"})
    own = in_own_terms(pending, rows)
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
    def excusable(tool, given):
        return [one.excusable for one in effects(tool, given).each]

    assert excusable(FS + "write_file", {"path": "dist/a.js", "content": "x"}) == [True]
    assert excusable(HUB + "create_or_update_file", {"path": "/p/dist/a.js", **FORGE}) == [False]
    assert excusable(FS + "move_file", {"source": "dist/a", "destination": "dist/b"}) == [False, False]
    assert excusable("CronCreate", {"prompt": "x"}) == [False]
    assert excusable("apply_patch", {"input": PATCH}) == [True, False, False, False]


def test_a_users_row_keeps_its_meaning_of_before_and_may_name_an_operation():
    rows = (("mcp__a__put", "where"), ("mcp__a__rm", "delete:where"), ("mcp__a__odd", "frob:where"))
    put, remove, odd = (
        effects(f"mcp__a__{name}", {"where": "a"}, rows=rows) for name in ("put", "rm", "odd")
    )
    assert (put.operation, put.operation_class, put.targets) == ("run", "modifying", ("/p/a",))
    assert (remove.operation, remove.operation_class) == ("delete", "destructive")
    assert odd.operation == "run"
    assert effects("mcp__a__put", {"where": "a", "x": 1}, rows=rows) != put, (
        "another call of it is another effect"
    )


def test_the_very_name_counts_before_a_pattern_and_the_longer_pattern_first():
    rows = (
        ("mcp__*__save", "edit:a"),
        ("mcp__b__*", "delete:a"),
        ("mcp__c__save", "read:"),
        ("CronCreate", "read:"),
    )
    assert row_for("mcp__c__save", rows) == "read:"
    assert row_for("mcp__a__save", rows) == "edit:a"
    assert row_for("mcp__b__save", rows) == "edit:a"
    assert row_for("mcp__b__other", rows) == "delete:a"
    assert row_for("mcp____save", rows) is None
    assert told("CronCreate", {"prompt": "x"}, rows=rows) is None, (
        "the user said that it is none of a gate's concern"
    )
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
        pending, rows = called("apply_patch", {"input": f"*** Begin Patch\n{patch}*** End Patch\n"})
        found = in_own_terms(pending, rows)
        return found.tool_name, found.tool_input

    assert own("*** Add File: a.py\n+x\n+y\n") == ("Write", {"file_path": "a.py", "content": "x\ny\n"})
    name, given = own("*** Update File: a.py\n@@ f\n k\n-x\n+y\n@@\n-z\n")
    assert name == "MultiEdit" and given["file_path"] == "a.py"
    assert given["edits"] == [
        {"old_string": "k\nx\n", "new_string": "k\ny\n"},
        {"old_string": "z\n", "new_string": ""},
    ]
    diff, rows = called("apply_patch", {"input": "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n"})
    assert in_own_terms(diff, rows) == diff
    for left in (
        "*** Delete File: a.py\n",
        "*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n",
        "*** Add File: a.py\n+x\n*** Add File: b.py\n+y\n",
        "*** Add File: a.py\nno sign\n",
    ):
        assert own(left)[0] == "apply_patch"
