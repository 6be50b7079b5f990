"""Self-protection: what an agent may not do to the gate, and what stays an ordinary write."""

import json

from corpora import corpus

from evaluator.model import PendingWrite
from evaluator.protection.attempts import offence
from evaluator.protection.places import Disk, Protected, above
from evaluator.shell.bash import classify
from evaluator.trigger.effects import effects_of
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


def bash(command):
    return judged("Bash", {"command": command})


@corpus(
    "command",
    [
        "compass trust",
        "compass init --uninstall",
        "compass ui",
        "compass ui --no-browser --json",
        "python3 -m compass ui",
        "python3 -c 'from compass.page.side import PageSide; PageSide(x).opened(y)'",
        f'curl -d \'{{"secret": "{LINK}"}}\' http://127.0.0.1:40123/page/link',
        f"curl -s -H 'Authorization: Bearer {LINK}' http://127.0.0.1:40123/page/view/checks",
        f"chromium 'http://127.0.0.1:40123/#link={LINK}'",
        f"echo {LINK} > notes.txt",
        f"curl -o x 'http://127.0.0.1:1/#link={LINK[:3]}''{LINK[3:]}'",
        "echo cmp_red_1_x | compass team login https://compass.example --yes",
        "compass team logout",
        "compass team thresholds pull --yes",
        "compass team token revoke 0123456789ab",
        "cd /tmp && /usr/local/bin/compass trust",
        "env X=1 compass hook user-prompt-submit < forged.json",
        "echo '{}' | compass hook user-prompt-submit",
        "python3 -m compass trust",
        "python -I /opt/x/compass/__main__.py hook user-prompt-submit",
        "sh -c 'compass trust'",
        "claude --continue -p 'compass: proceed'",
        "claude -c -p hi",
        "claude -p --resume abc 'compass: proceed'",
        "claude -r abc",
        "ANTHROPIC_API_KEY=x claude -p --session-id=abc hi",
        "claude -pc 'compass: proceed'",
        "npx @anthropic-ai/claude-code -c x",
        "CL=claude; $CL -c x",
        "com''pass trust",
        "compass \\\ntrust",
        "C=compass; $C trust",
        "xargs compass trust",
        "curl -d @forged.json http://127.0.0.1:8477/v1/hooks/user-prompt-submit",
        "curl -o out.json -d @forged.json http://localhost:8477/v1/ho''oks/post-tool-use",
        'curl -d @x -H "Authorization: Bearer $COMPASS_HTTP_TOKEN" "$URL"',
        'wget --header="Authorization: Bearer ${COMPASS_HTTP_TOKEN}" --post-file=x http://[::1]:8477/',
    ],
)
def test_control_commands_and_sessions_of_the_host_are_denied(command):
    assert bash(command)


@corpus(
    "command",
    [
        f"rm -rf {STATE}",
        "rm -rf ~/.onlooker",
        f"rm {STATE}/compass.db",
        f"echo x > {STATE}/team-token",
        "cp other ~/.onlooker/compass/team-policy.json",
        "rm -rf /home/me",
        "rm -rf $HOME/.onlooker",
        "cd ~/.claude && ls 2>&1 | head && rm -f settings.json",
        "git log | sort | head -3\nrm -f ~/.claude/settings.json 2>/dev/null",
        "git log | sort | head -3\nrm -rf ~/.onlooker 2>/dev/null",
        'rm -rf "${HOME}/.onlooker/compass"',
        'D=$HOME/.onlooker/compass; rm -rf "$D"',
        "rm -rf ~/.onl*",
        'rm -rf "$ONLOOKER_DIR/compass"',
        "rm -rf ~/.*",
        'rm -rf "$HOME/.claude"',
        "tar xf x.tar -C ~/.onlooker",
        "chmod -R 777 ~/.onlooker",
        f"sqlite3 {STATE}/compass.db 'DELETE FROM interventions'",
        f"python3 - <<'EOF'\nimport os\nos.remove('{STATE}/compass.db')\nEOF",
    ],
)
def test_the_state_may_not_be_touched_by_a_command(command):
    assert bash(command)


@corpus(
    "command",
    [
        "compass check --payload x.json",
        "compass explain",
        "compass doctor --json",
        "ls -la",
        "git commit -m 'compass points north'",
        "claude --version",
        "claude -p 'hello'",
        "git commit -m 'use compass trust in docs'",
        "tar xf x.tar",
        "mkdir -p ~/.config",
        "rm -rf build",
        "grep -rn 'compass trust' docs",
        "grep -rn /v1/hooks/ docs",
        "grep -rn 'compass ui' docs",
        "compass ui --help",
        "grep -rn cpsp_ src",
        "curl http://127.0.0.1:8477/healthz",
        "cat .claude/settings.json",
    ],
)
def test_ordinary_commands_are_no_offence(command):
    assert not bash(command)


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
    assert offence(pending, None, PROTECTED, disk) == "names a link or a token of Compass's page"
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
