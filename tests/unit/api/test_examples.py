"""The surface: what importing it brings, the examples as they stand, and what snippets of documents print."""

import asyncio
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import claude_agent_sdk as sdk
import pytest
from anthropic import Anthropic
from apis.loopback_api import LoopbackApi, reply
from repository import ROOT

import compass
from compass import Gate

TESTED = os.environ.get("COMPASS_TESTED", str(ROOT))
"""Where Compass lies: the checkout, or the built wheel where `test_wheel.py` runs this file against it."""
PROMISED = {"CompassError", "Gate", "Heard", "Session", "Verdict", "judge"}
HEAVY = {
    "anthropic", "httpx2", "numpy", "fastapi", "starlette", "uvicorn", "h11", "prometheus_client", "mcp", "rich",
}  # fmt: skip
FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
FENCED = re.compile(r"^```(python|text)\n(.*?)^```$", re.M | re.S)
PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; before = set(sys.modules); {code}"],
        env={**os.environ, "PYTHONPATH": TESTED}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_import_compass_imports_itself_alone():
    assert run("import compass; print(*sorted(set(sys.modules) - before))") == ["compass"]


@pytest.mark.parametrize(
    ("code", "kept_out"),
    [
        ("from compass import Gate, judge", {*HEAVY, "compass.commands", "calibration.report"}),
        (
            "import compass.cli, compass.commands.programs",
            {*HEAVY, "mcp_types", "anyio", "asyncio", "pydantic"},
        ),
        # A service without `--http` and without its page.
        ("import compass.service.process, compass.commands.serve, compass.hook.entry", HEAVY),
    ],
    ids=["judge", "mcp", "serve"],
)
def test_neither_sdk_nor_server_is_imported_before_it_is_needed(code, kept_out):
    assert kept_out.isdisjoint(run(f"{code}; print(*sys.modules)"))


def test_the_surface_is_what_is_promised_of_the_package_that_is_to_be_tested():
    assert set(compass.__all__) == PROMISED
    assert set(dir(compass)) >= PROMISED
    for name in PROMISED:
        assert getattr(compass, name).__module__.startswith(("compass.api", "evaluator.errors")), name
    with pytest.raises(AttributeError, match="no attribute 'gate'"):
        compass.gate  # noqa: B018
    assert Path(compass.__file__).is_relative_to(TESTED)


def example(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def calls(line, number, text="On it."):
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": "sh", "input": {"line": line}}
    return reply("", content=[{"type": "text", "text": text}, block], stop_reason="tool_use")


@pytest.fixture
def sources(project):
    for name in ("old_auth.py", "legacy_auth.py"):
        (project / "src" / name).write_text("x = 1\n")
    yield project / "src"


def results(api, number):
    """The tool results that a request ends in."""
    return api.requests[number].body["messages"][-1]["content"]


def digit_of(reading, shown):
    """Under which it stands in the question that the person was shown."""
    (question,) = [one for one in shown if one.startswith("Compass held back")]
    (line,) = [line for line in question.splitlines() if line.endswith(f". {reading}")]
    return line.split(".")[0].strip()


def test_an_agent_loop_over_the_anthropic_sdk_is_held_asked_and_answered_by_a_digit(sources):
    loop = example("anthropic_loop")
    said = ["Which files are unused?", "Just delete it.", "compass: status", "DIGIT", ""]
    shown = []

    def ask():
        text = said.pop(0)
        return digit_of("delete src/old_auth.py", shown) if text == "DIGIT" else text

    with LoopbackApi() as api, Gate(tools=loop.TOOLS) as gate:
        api.queue(
            reply(FOUND),
            calls("rm src/old_auth.py", 1),
            reply("Which one?\n1. delete src/old_auth.py\n2. delete src/legacy_auth.py"),
            calls("rm src/legacy_auth.py", 2),
            calls("rm src/old_auth.py", 3),
            reply("Deleted src/old_auth.py."),
        )
        client = Anthropic(base_url=api.url, api_key="none", max_retries=0)
        loop.converse(client, gate.session("terminal"), ask, shown.append)
        client.close()
        assert "temperature" not in api.requests[0].body
        assert len(api.requests) == 6, "a control costs no model turn"
        (held,) = results(api, 2)
        assert held["is_error"] and held["content"].startswith("Compass held back")
        (other,) = results(api, 4)
        assert other["is_error"] and "does not match what the user chose" in other["content"]
        (done,) = results(api, 5)
        assert done == {"type": "tool_result", "tool_use_id": "toolu_3", "content": "", "is_error": False}
    assert sorted(path.name for path in sources.iterdir()) == ["legacy_auth.py"]
    assert any(one.startswith("Compass: mode enforce") for one in shown)


def given(event, **more):
    """A callback's input, as the SDK documents it."""
    return {"session_id": "s1", "transcript_path": "", "cwd": os.getcwd(), "hook_event_name": event, **more}


def test_hooks_of_the_claude_agent_sdk_hold_ask_and_release(sources):
    """By their inputs alone; `tests/e2e/test_agent_sdk.py` runs the client that calls them."""
    hooks_of = example("agent_sdk_hooks")
    shown = []

    async def play():
        with Gate() as gate:
            hooks = hooks_of.Hooks(gate, shown.append)

            async def call(command, number):
                asked = given(
                    "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id=number
                )
                return await hooks.before(asked, number, {"signal": None})

            async def user(text):
                return await hooks.prompt(given("UserPromptSubmit", prompt=text), None, {"signal": None})

            assert await user("Find unused files") == {}
            found = sdk.AssistantMessage(content=[sdk.TextBlock(FOUND)], model="m", session_id="s1")
            hooks_of.hear(gate, found)
            assert await user("Just delete it.") == {}
            assert shown == []
            held = await call("rm src/old_auth.py", "t1")
            assert held["hookSpecificOutput"]["permissionDecision"] == "deny"
            assert held["hookSpecificOutput"]["permissionDecisionReason"].startswith("Compass held back")
            assert len(shown) == 1 and "could mean more than one thing" in shown[0]
            status = await user("compass: status")
            assert status["decision"] == "block" and "Held in this session" in status["reason"]
            assert shown[1:] == [status["reason"]]
            told = await user("compass: proceed")
            assert "allowed" in told["hookSpecificOutput"]["additionalContext"]
            assert await call("rm src/old_auth.py", "t2") == {}
            bash = {"tool_name": "Bash", "tool_input": {}}
            failed = given("PostToolUseFailure", **bash, tool_use_id="t2", error="no")
            assert await hooks.failed(failed, "t2", {"signal": None}) == {}
            assert await call("rm src/old_auth.py", "t3") == {}
            done = given("PostToolUse", **bash, tool_use_id="t3", tool_response={})
            assert await hooks.after(done, "t3", {"signal": None}) == {}
            assert await call("rm src/old_auth.py", "t4") != {}
            json.dumps(held)

    asyncio.run(play())


def snippets(page):
    """Each snippet, and the text block that follows it, if one does before the next."""
    found = []
    for kind, text in FENCED.findall((ROOT / page).read_text(encoding="utf-8")):
        if kind == "python":
            found.append((text, None))
        elif found and found[-1][1] is None:
            found[-1] = (found[-1][0], text)
    return found


WITH_SNIPPETS = [page for page in PAGES if snippets(page)]


def test_the_pages_of_the_surface_have_snippets():
    assert {"docs/python.md"} <= set(WITH_SNIPPETS)


@pytest.mark.parametrize("page", WITH_SNIPPETS)
def test_snippets_print_what_the_page_says(project, page):
    """In one interpreter after another, as a reader would: what an earlier one named is there."""
    mark = "--- next ---"
    found = snippets(page)
    program = f"\nprint({mark!r})\n".join(code for code, _ in found)
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": TESTED, "PYTHONSAFEPATH": "1"},
        cwd=project, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    printed = done.stdout.split(f"{mark}\n")
    assert len(printed) == len(found)
    for (code, expected), given in zip(found, printed, strict=True):
        assert given == (expected or ""), code
