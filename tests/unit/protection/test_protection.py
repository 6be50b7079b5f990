"""Self-protection of single calls: links to the page, keys of settings, other agents and Compass's own commands."""

import json

from corpora import corpus
from repository import FIXTURES

from compass.cli import COMMANDS, parser_with
from evaluator.model import PendingWrite
from evaluator.protection.indirect import CONTROL_COMMANDS, READING_BELOW, UNDER_OTHER_RULES
from evaluator.protection.offences import offence
from evaluator.protection.places import Disk, Protected, above
from evaluator.shell.bash import classify, explain
from evaluator.shell.handlers import agents
from evaluator.shell.handlers.agents import CONTROLS
from evaluator.trigger.calls import effects_of
from evaluator.wire import PAGE_SECRET
from hooks.registry import guarded_hosts

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
        ("~", "/home/me"), ("$HOME", "/home/me"), ("${HOME}", "/home/me"),
        ("$ONLOOKER_DIR", "/home/me/.onlooker"),
    ),
)  # fmt: skip
LINK = f"{PAGE_SECRET}{'Ab3-_' * 9}"
HOOKS = {"PreToolUse": [{"matcher": "Write"}]}
BEFORE = {"permissions": {"allow": ["Read"]}, "hooks": HOOKS, "env": {"A": "1"}}


def judged(tool, given, files=None):
    pending = PendingWrite("claude-code", "s", tool, given, cwd="/p", project_dir="/p")
    read = (files or {SETTINGS: json.dumps(BEFORE)}).get
    return offence(pending, done_by(pending), PROTECTED, disk(read))


def disk(read):
    return Disk(read, lambda path: path, lambda _: None, lambda _: ())


def done_by(pending):
    return effects_of(pending, classify=classify, mcp_tools=(), exists=lambda _: True, resolve=str)


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
    why = "contains a link to Compass's page, or the page's token"
    for effects in (None, done_by(pending)):
        assert offence(pending, effects, PROTECTED, disk({}.get)) == why


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


HOST = guarded_hosts()[0].PROTECTED
NOWHERE = Protected((), (), (), host_variables=HOST.variables, programs=HOST.programs)
CAUSES = {
    "lifts": agents.LIFTS, "changes": agents.CHANGES, "resumes": agents.RESUMES, "away": agents.AWAY,
    "speaks": agents.SPEAKS, "under-other-rules": UNDER_OTHER_RULES,
}  # fmt: skip
ROWS = [json.loads(line) for line in (FIXTURES / "bash/words/agents.jsonl").read_text().splitlines()]


def of(family):
    """The commands of a family."""
    return [row["command"] for row in ROWS if row["family"] == family]


def cause_of(command):
    pending = PendingWrite("claude-code", "s", "Bash", {"command": command}, cwd="/repo", project_dir="/repo")
    return offence(pending, classify(command, "/repo"), NOWHERE, disk({}.get))


def kinds(command):
    return {one.kind for one in classify(command, "/repo").each}


@corpus("command", of("starts"))
def test_what_starts_another_agent_is_of_a_family_of_its_own(command):
    found = classify(command, "/repo")
    assert "agent" in kinds(command)
    assert found.verdict == "write"
    assert cause_of(command) == ""


@corpus("command", of("reads"))
def test_what_only_looks_reads(command):
    assert classify(command, "/repo").verdict == "read_only"


@corpus(("cause", "command"), [(cause, command) for name, cause in CAUSES.items() for command in of(name)])
def test_what_takes_another_agent_out_of_the_gate_is_denied(cause, command):
    assert cause_of(command) == cause


@corpus(
    "command",
    [
        "codex exec '--full-auto is what the README describes'",
        "claude -p 'Why does the settings page hang?'", "claude -p 'Compare src/a.py with HOME/b.py'",
        "ANTHROPIC_API_KEY=k claude -p x", "GEMINI_API_KEY=k gemini -p x", "GOOSE_MODEL=m goose run -t x",
    ],
)  # fmt: skip
def test_ordinary_words_beside_an_agent_are_not_held_against_it(command):
    assert kinds(command) == {"agent"}
    assert cause_of(command) == ""


@corpus("command", of("types"))
def test_what_types_or_schedules_is_unknown_and_destructive(command):
    found = classify(command, "/repo")
    assert "keyboard" in kinds(command)
    assert (found.operation, found.operation_class) == ("unknown", "destructive")


WRAPPED = (
    "{}", "sh -c '{}'", "env A=1 {}", "echo x | xargs {}", "timeout 9 nohup {}", "sudo -u me {}",
    "cd /tmp && {}", "( {} )", "eval '{}'", 'echo "$({})"',
)  # fmt: skip
WAYS = (
    "compass {}", "/home/me/.venv/bin/compass {}", "/odd/place/compass {}", "python -m compass {}",
    "uvx --from compass-gate compass {}", "uvx compass-gate {}", "pipx run compass-gate {}",
    "pipx run --spec compass-gate compass {}", "uv tool run compass-gate {}",
)  # fmt: skip
CONTROL = tuple(name for name, command in COMMANDS.items() if command.touches == "controls")


@corpus("way", WAYS)
def test_no_wrapper_lets_a_tool_call_run_a_control(way):
    controls = [way.format(verb) for verb in (*CONTROL, "no-such-command")]
    commands = (wrapped.format(control) for control in controls for wrapped in WRAPPED)
    assert [command for command in commands if not cause_of(command)] == []


def test_a_control_is_named_as_one_behind_more_commands_than_are_shown():
    assert cause_of("true;" * 300 + "compass trust") == CONTROLS


def _leaves(parser, words):
    """(words of a command, what it declares) of every parser that has no commands of its own."""
    below = [action for action in parser._actions if hasattr(action, "_name_parser_map")]
    if not below:
        yield words, parser.get_default("touches")
    for action in below:
        for name, sub in action._name_parser_map.items():
            yield from _leaves(sub, (*words, name))


def test_every_command_declares_whether_it_reads_or_controls():
    declared = dict(_leaves(parser_with(COMMANDS), ()))
    assert len(declared) >= len(COMMANDS)
    assert set(declared.values()) == {"reads", "controls"}
    for words, touches in declared.items():
        found = explain("compass " + " ".join(words), "/repo")
        reads = touches == "reads"
        assert (found.effects.verdict == "read_only") is reads, words
        assert found.offence == ("" if reads else CONTROLS), words
    reading = [words for words, touches in declared.items() if touches == "reads"]
    assert {words[0] for words in reading if len(words) == 1} == agents.READING
    longer = [words for words in reading if len(words) > 1]
    below = {words[0]: {one[1] for one in reading if one[0] == words[0]} for words in longer}
    assert agents.READING_BELOW == below == {verb: set(names) for verb, names in READING_BELOW.items()}
    assert set(CONTROL_COMMANDS) == {words[0] for words, told in declared.items() if told == "controls"}


def test_the_corpora_do_not_shrink():
    lines = (FIXTURES / "bash/cases.jsonl").read_text().splitlines()
    families = [json.loads(line)["family"] for line in lines]
    assert len(ROWS) == 216 and min(families.count("agent"), families.count("keyboard")) >= 30
