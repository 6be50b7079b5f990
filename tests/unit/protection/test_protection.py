"""Self-protection: what an agent may not do to the gate, and what stays an ordinary write."""

import json

from corpora import corpus

from evaluator.model import PendingWrite
from evaluator.protection.offences import offence
from evaluator.protection.places import Disk, Protected, above
from evaluator.shell.bash import classify
from evaluator.trigger.call_effects import effects_of
from evaluator.wire import PAGE_SECRET

STATE = "/home/me/.onlooker/compass"
SETTINGS = "/p/.claude/settings.json"
PROTECTED = Protected(
    folders=(STATE, "/opt/compass/evaluator"),
    settings=(SETTINGS, "/home/me/.claude/settings.json"),
    words=(STATE, ".onlooker/compass", ".claude/settings"),
    named=(STATE,),
    keys=((".claude/settings.json", ("hooks", "disableAllHooks", "env", "compass")),),
    programs=("claude",),
    variables=(
        ("~", "/home/me"),
        ("$HOME", "/home/me"),
        ("${HOME}", "/home/me"),
        ("$ONLOOKER_DIR", "/home/me/.onlooker"),
    ),
)
LINK = f"{PAGE_SECRET}{'Ab3-_' * 9}"
BEFORE = {
    "permissions": {"allow": ["Read"]},
    "hooks": {"PreToolUse": [{"matcher": "Write"}]},
    "env": {"A": "1"},
}


def judged(tool, given, files=None):
    pending = PendingWrite("claude-code", "s", tool, given, cwd="/p", project_dir="/p")
    effects = effects_of(
        pending, classify=classify, mcp_tools=(), exists=lambda _: True, resolve=lambda path: path
    )
    assert effects is not None
    read = (files or {SETTINGS: json.dumps(BEFORE)}).get
    return offence(pending, effects, PROTECTED, Disk(read, lambda path: path, lambda _: None, lambda _: ()))


@corpus(
    "command",
    [
        f'curl -d \'{{"secret": "{LINK}"}}\' http://127.0.0.1:40123/page/link',
        f"curl -s -H 'Authorization: Bearer {LINK}' http://127.0.0.1:40123/page/view/checks",
        f"chromium 'http://127.0.0.1:40123/#link={LINK}'",
        f"echo {LINK} > notes.txt",
        f"curl -o x 'http://127.0.0.1:1/#link={LINK[:3]}''{LINK[3:]}'",
    ],
)
def test_a_link_to_the_page_is_denied_in_a_command(command):
    assert judged("Bash", {"command": command})


def test_the_home_around_the_state_is_denied_by_its_own_name():
    assert judged("Bash", {"command": "rm -rf /home/me"})


def test_files_of_the_state_and_the_install_are_denied():
    for path in (f"{STATE}/abc/settings.json", f"{STATE}/compass.db", "/opt/compass/evaluator/pipeline.py"):
        assert judged("Write", {"file_path": path, "content": "x"})
        assert judged("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})


@corpus(
    ("tool", "given"),
    [
        ("Write", {"file_path": "/p/open.py", "content": f"import webbrowser\nwebbrowser.open('{LINK}')\n"}),
        ("Edit", {"file_path": "/p/a.py", "old_string": "a", "new_string": LINK}),
        ("mcp__browser__navigate", {"url": f"http://127.0.0.1:40123/#link={LINK}"}),
        ("mcp__browser__read_page", {"steps": [{"open": {"url": LINK}}]}),
        ("mcp__browser__read_page", {"url": f"http://127.0.0.1:40123/#link=%63{LINK[1:]}"}),
        ("mcp__http__fetch", {"body": '{"secret": "\\u0063' + LINK[1:] + '"}'}),
        ("mcp__http__fetch", {"form": {LINK: ""}}),
    ],
)
def test_a_link_or_a_token_of_the_page_is_denied_in_every_tool(tool, given):
    pending = PendingWrite("claude-code", "s", tool, given, cwd="/p", project_dir="/p")
    disk = Disk({}.get, lambda path: path, lambda _: None, lambda _: ())
    assert offence(pending, None, PROTECTED, disk) == "contains a link to Compass's page, or the page's token"
    effects = effects_of(
        pending, classify=classify, mcp_tools=(), exists=lambda _: True, resolve=lambda path: path
    )
    assert offence(pending, effects, PROTECTED, disk)


def write(values):
    return judged("Write", {"file_path": SETTINGS, "content": json.dumps(values)})


def test_guarded_keys_of_the_hosts_settings_are_denied():
    for change in (
        {"hooks": {}},
        {"disableAllHooks": True},
        {"env": {"A": "2"}},
        {"compass": {"enabled": False}},
    ):
        assert write(BEFORE | change), change
    assert judged("Write", {"file_path": SETTINGS, "content": "{oops"})
    assert write({"permissions": {}})
    edit = {"file_path": SETTINGS, "old_string": '"matcher": "Write"', "new_string": '"matcher": "Nothing"'}
    assert judged("Edit", edit)


def test_other_keys_are_ordinary_writes():
    assert not write(BEFORE | {"permissions": {"allow": ["Read", "Bash(ls)"]}})
    edit = {"file_path": SETTINGS, "old_string": '["Read"]', "new_string": '["Read", "Edit"]'}
    assert not judged("Edit", edit)


def test_a_settings_file_that_is_new_may_hold_other_keys_only():
    files = {"/p/.claude/other.json": ""}
    assert not judged("Write", {"file_path": SETTINGS, "content": '{"permissions": {}}'}, files)
    assert judged("Write", {"file_path": SETTINGS, "content": '{"hooks": {}}'}, files)


@corpus("path", ["//", "//x/y", "s3://bucket/key", "/", "", "x//"])
def test_every_path_has_an_end_above_it(path):
    found = list(above(path))
    assert all(found) and len(found) <= 4


def test_a_key_is_guarded_in_the_files_of_the_host_that_reads_it() -> None:
    known = Protected(
        folders=(),
        settings=("/h/.one/settings.json", "/h/.two/settings.json", "/h/dotfiles/one"),
        words=(),
        keys=((".one/settings.json", ("hooks",)), (".two/settings.json", ("hooks", "tools"))),
    )
    assert known.keys_of("/h/.one/settings.json") == ("hooks",)
    assert known.keys_of("/p/sub/.two/settings.json") == ("hooks", "tools")
    assert known.keys_of("/h/dotfiles/one") == ("hooks", "tools"), "a link led here"
