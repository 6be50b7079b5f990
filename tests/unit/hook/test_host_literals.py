"""The names of a host's world stand in its package alone: what else of the code names them is listed, with a reason."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
NAMES = re.compile(
    r"claude|PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|SessionEnd|SubagentStop|PermissionRequest"
    r"|BeforeAgent|BeforeTool|AfterTool|SubmitPrompt|pre_file_write|pre_shell_exec|tool\.execute"
    r"|\.(?:codex|gemini|copilot|cursor|chibi)/",
    re.IGNORECASE,
)
SEARCHED = ("compass", "evaluator", "calibration")
BACKEND = re.compile(r"claude[-_]cli|ClaudeCli", re.IGNORECASE)
"""The backend that asks readers through a client of that name: its own name, in every form."""
MODEL = re.compile(r"\"claude-(?:[\w-]+-)?\d[\w-]*\"|\"claude-(?:fable|mythos|haiku|opus|sonnet)-[\d-]+\"")
ADDRESS = re.compile(r"platform\.claude\.com/docs/[\w/-]+")

ALLOWED = {
    "evaluator/readers/claude_cli.py": "the backend's own module: it runs that client",
    "hooks/registry.py": "the host's row",
    "evaluator/readers/claude_warm.py": "the same, kept between samples",
    "evaluator/readers/kinds/claude_cli.py": "the row of that backend says whom it runs",
    "evaluator/events.py": "the public event schema names the hosts that it knows",
}
"""Files that may hold a name beside those of the backend, of models and of the vendor's pages."""


def python_files():
    for name in SEARCHED:
        yield from sorted((ROOT / name).rglob("*.py"))
    yield from sorted((ROOT / "hooks").glob("*.py"))


def named_in(text):
    """(line number, line) of each line that names a host's world."""
    for number, line in enumerate(text.splitlines(), 1):
        rest = ADDRESS.sub("", MODEL.sub("", BACKEND.sub("", line)))
        if NAMES.search(rest):
            yield number, line.strip()


def test_no_other_file_names_the_hosts_world():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in python_files()
        if str(path.relative_to(ROOT)) not in ALLOWED
        for number, line in named_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_each_file_that_may_still_does():
    idle = [name for name in ALLOWED if not list(named_in((ROOT / name).read_text(encoding="utf-8")))]
    assert idle == []


def test_the_search_finds_what_it_looks_for():
    text = "\n".join(('x = ".claude/settings.json"', 'os.environ["CLAUDE_PID"]', 'if event == "PreToolUse":'))
    assert [number for number, _ in named_in(text)] == [1, 2, 3]
    assert list(named_in('Price("claude-opus-4-5"), settings.claude_cli, "claude-cli"')) == []
