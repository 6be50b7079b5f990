"""What calls of MCP tools, and of the client's own tools beside its file tools and Bash, would do."""

import pytest
from corpora import corpus

from evaluator.effects import CLASS_OF
from evaluator.model import PendingWrite
from evaluator.settings.mcp_writers import MCP_WRITERS
from evaluator.shell.bash import classify
from evaluator.trigger.effects import effects_of
from evaluator.trigger.tools import CLIENT_TOOLS, ToolRow, in_own_terms, parsed, row_for

FS, HUB, GIT = "mcp__filesystem__", "mcp__github__", "mcp__git__"
FORGE = {"owner": "me", "repo": "it"}


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


FILES = [
    ("write_file", {"path": "/p/a.py", "content": "x"}, ("create", "additive", ("/p/a.py",))),
    ("write_file", {"path": "old.py", "content": "x"}, ("overwrite", "modifying", ("/p/old.py",))),
    ("write_file", {"path": "file:///p/old.py"}, ("overwrite", "modifying", ("/p/old.py",))),
    (
        "edit_file",
        {"path": "a.py", "edits": [{"oldText": "x", "newText": "y"}]},
        ("edit", "modifying", ("/p/a.py",)),
    ),
    ("edit_file", {"path": "a.py", "edits": [{"range": 3}]}, ("edit", "modifying", ("/p/a.py",))),
    ("create_directory", {"path": "a"}, ("create", "additive", ("/p/a",))),
    ("move_file", {"source": "a", "destination": "b"}, ("move", "destructive", ("/p/a", "/p/b"))),
    ("delete_file", {"path": "a"}, ("delete", "destructive", ("/p/a",))),
    ("delete_files", {"paths": ["a", "b", 3]}, ("delete", "destructive", ("/p/a", "/p/b"))),
    ("str_replace_based_edit_tool", {"command": "view", "path": "a"}, None),
    ("str_replace_based_edit_tool", {"command": "create", "path": "a"}, ("create", "additive", ("/p/a",))),
    ("read_file", {"path": "a"}, None),
    ("write_file", {}, ("overwrite", "modifying", ())),
]


@corpus(("tool", "given", "wanted"), FILES)
def test_a_file_server_writes_edits_moves_and_deletes(tool, given, wanted):
    assert told(FS + tool, given, existing={"/p/old.py"}) == wanted
    assert told(f"mcp__whatever_it_is-called__{tool}", given, existing={"/p/old.py"}) == wanted


REMOTE = [
    (
        HUB + "push_files",
        {"branch": "b", "files": [{"path": "a", "content": "x"}, {"path": "b"}, 3], **FORGE},
        ("network", "modifying", ("a", "b")),
    ),
    (HUB + "create_or_update_file", {"path": "src/a.py", **FORGE}, ("network", "modifying", ("src/a.py",))),
    (HUB + "delete_file", {"path": "src/a.py", **FORGE}, ("delete", "destructive", ("src/a.py",))),
    (HUB + "merge_pull_request", {"pull_number": 3, **FORGE}, ("network", "modifying", ())),
    (HUB + "create_issue", {"title": "t", **FORGE}, ("network", "modifying", ())),
    (HUB + "delete_branch", FORGE, ("delete", "destructive", ())),
    (HUB + "get_file_contents", {"path": "a", **FORGE}, None),
    (HUB + "search_code", {"q": "x"}, None),
    (GIT + "git_commit", {"repo_path": "/p", "message": "m"}, ("vcs", "modifying", ("/p",))),
    (GIT + "git_add", {"repo_path": "/p", "files": ["a", "b"]}, ("vcs", "modifying", ("/p/a", "/p/b"))),
    (GIT + "git_push", {"path": "/p", "force": True}, ("vcs", "destructive", ("/p",))),
    (GIT + "git_reset", {"repo_path": "/p"}, ("unknown", "destructive", ())),
    (GIT + "git_status", {"repo_path": "/p"}, None),
    ("mcp__db__execute_sql", {"query": "SELECT * FROM users"}, None),
    ("mcp__db__execute_sql", {"sql": "UPDATE users SET a = 1 WHERE id = 7"}, ("network", "modifying", ())),
    ("mcp__db__write_query", {"query": "DELETE FROM users"}, ("delete", "destructive", ())),
    ("mcp__db__execute_sql", {}, ("unknown", "destructive", ())),
    ("mcp__my-postgres__query", {"sql": "DROP TABLE users"}, ("delete", "destructive", ())),
    ("mcp__context__query", {"query": "how do hooks work"}, None),
    ("mcp__k8s__kubectl_delete", {"name": "x"}, ("delete", "destructive", ())),
]


@corpus(("tool", "given", "wanted"), REMOTE)
def test_forges_git_and_databases(tool, given, wanted):
    assert told(tool, given) == wanted


@pytest.mark.parametrize(
    "tool", ["mcp__desktop-commander__start_process", "mcp__shell__shell_exec", "Monitor"]
)
def test_a_shell_by_another_name_is_read_as_one(tool):
    for command in ("rm -rf src", "ls -la", "echo x > a", "eval $X"):
        assert effects(tool, {"command": command}) == effects("Bash", {"command": command})
    pending, rows = called(tool, {"command": "rm -rf src", "cwd": "sub"})
    own = in_own_terms(pending, rows)
    assert (own.tool_name, own.tool_input, own.cwd) == ("Bash", {"command": "rm -rf src"}, "/p/sub")


def test_a_shell_tool_whose_command_is_not_found_is_unknown():
    assert told("mcp__x__shell", {"what": "rm -rf src"}) == ("unknown", "destructive", ())


OWN = [
    ("CronCreate", {"cron": "* * * * *", "prompt": "compass: proceed"}, ("unknown", "destructive", ())),
    ("CronDelete", {"id": "x"}, ("delete", "destructive", ())),
    ("ScheduleWakeup", {"delaySeconds": 60, "prompt": "go on"}, ("unknown", "destructive", ())),
    ("ScheduleWakeup", {"stop": True, "prompt": "go on"}, None),
    ("RemoteTrigger", {"action": "create", "body": {"prompt": "x"}}, ("unknown", "destructive", ())),
    ("RemoteTrigger", {"action": "list_runs"}, None),
    ("SendMessage", {"to": "helper", "message": "look at the log"}, None),
    ("SendMessage", {"to": "helper", "message": "Compass: Proceed"}, ("unknown", "destructive", ())),
    ("Monitor", {"ws": {"url": "wss://x"}}, None),
    ("PowerShell", {"command": "Remove-Item x"}, ("unknown", "destructive", ())),
    ("REPL", {"code": "1"}, ("unknown", "destructive", ())),
    ("EnterWorktree", {"name": "x"}, ("vcs", "modifying", ())),
    ("ExitWorktree", {"action": "keep"}, None),
    ("ExitWorktree", {"action": "remove"}, ("delete", "destructive", ())),
    ("Artifact", {"file_path": "a.html"}, ("network", "modifying", ("a.html",))),
    ("Artifact", {"action": "list"}, None),
    ("Config", {"setting": "theme"}, None),
    ("Config", {"setting": "theme", "value": "dark"}, ("permissions", "modifying", ())),
    ("Agent", {"prompt": "x"}, None),
    ("CronList", {}, None),
]


@corpus(("tool", "given", "wanted"), OWN)
def test_the_clients_own_tools(tool, given, wanted):
    assert told(tool, given) == wanted


BY_NAME = [
    ("update_page", {"id": 3}, ("network", "modifying")),
    ("closeTicket", {"id": 3}, ("network", "modifying")),
    ("API-archive-thing", {}, ("network", "modifying")),
    ("get_or_create_user", {}, ("network", "modifying")),
    ("search_and_replace_all", {}, ("network", "modifying")),
    ("purge_cache", {}, ("delete", "destructive")),
    ("ticket", {"action": "close"}, ("network", "modifying")),
    ("ticket", {"action": "list"}, None),
    ("ticket", {"delete": True}, ("delete", "destructive")),
    ("whiteboard", {"content": "x"}, ("network", "modifying")),
    ("fetch_url", {"url": "https://x.org", "method": "POST"}, ("network", "modifying")),
    ("fetch_url", {"url": "https://x.org", "method": "DELETE"}, ("delete", "destructive")),
    ("fetch_url", {"url": "https://x.org", "method": "GET"}, None),
    ("fetch_data", {"sql": "UPDATE users SET a = 1 WHERE id = 7"}, ("network", "modifying")),
    ("fetch_data", {"query": "-- all\nDROP TABLE users"}, ("delete", "destructive")),
    ("fetch_data", {"query": "mutation { close(id: 3) }"}, ("network", "modifying")),
    ("run_report", {"sql": "SELECT 1"}, None),
    ("run_report", {"name": "weekly"}, ("network", "modifying")),
    ("sandbox", {"command": "rm -rf src"}, ("delete", "destructive")),
    ("sandbox", {"command": "ls"}, ("read", "additive")),
    ("get_issue", {"number": 3}, None),
    ("issue_read", {"method": "get_comments"}, None),
    ("list_updates", {}, None),
    ("search", {"query": "how to delete from a list in python"}, None),
    ("check_status", {}, None),
    ("resolve-library-id", {"libraryName": "react"}, None),
    ("browser_close", {}, None),
    ("sequentialthinking", {"thought": "delete it"}, None),
    ("translate", {"text": "create"}, None),
]


@corpus(("tool", "given", "wanted"), BY_NAME)
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
