"""What `init` and `doctor` do on Copilot CLI: one file of ours among the hooks of the user's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from hooks.hosts.copilot.events import EVENTS
from hooks.hosts.copilot.protected import OWN_FILE, REPOSITORY_FILES
from hooks.hosts.copilot.transcript import folder
from hooks.json_file import read_object
from hooks.plain_setup import PlainSetup
from hooks.promises import Promises
from hooks.setup import Advice
from hooks.wiring import Wiring, hook_command

HOOKS_OFF = "disableAllHooks"
OPENING = " || true"
"""Behind a hook that shall stop nothing: the host denies where a hook ends with another code than 0."""


class CopilotSetup(PlainSetup):
    NAME: str = "copilot"
    USER_FILE: str = OWN_FILE
    SESSIONS: str = "~/.copilot/session-state"
    PROGRAM: str = "copilot"
    WRITE_TOOLS: tuple[str, ...] = ("Write", "Edit", "Bash", "apply_patch")
    AGENT_MARKS: tuple[str, ...] = ("COPILOT_CLI",)
    TIMEOUT_SECONDS: int = 60
    WHOLE: bool = True
    COMMAND: str = "bash"
    TOP: Mapping[str, object] = {"version": 1}
    PROMISES: Promises = Promises(
        tried="1.0.102",
        gates_writes=True,
        gates_shell=True,
        closed_on=("crash", "exit code", "missing program"),
        shows_person="in the tool's line, whole",
        sees_request=True,
        sees_prior_turn=True,
        answers_count=True,
        notes=(
            "a repository in a trusted folder can turn off all hooks, the user's too, by `disableAllHooks` in "
            ".github/copilot/settings.json or .claude/settings.json: `doctor` names such a file",
            "what Compass tells beside a denial reaches the person through the agent alone",
        ),
    )

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        return os.path.join(folder(env, home), "hooks", os.path.basename(OWN_FILE))

    def whole_file(self, wiring: Wiring) -> str | None:
        return (
            json.dumps({**self.TOP, "hooks": {k: [v] for k, v in self.entries(wiring).items()}}, indent=2)
            + "\n"
        )

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        """No entry has a matcher: one that the host cannot read would let every tool pass unasked."""
        return {name: self._entry(wiring, event) for event, name in EVENTS.items()}

    def _entry(self, wiring: Wiring, event: str) -> dict[str, object]:
        command = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
        stops = event == "pre-tool-use" and wiring.blocks
        return {
            "type": "command",
            self.COMMAND: command + ("" if stops else OPENING),
            "timeoutSec": self.TIMEOUT_SECONDS,
        }

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        fields = {
            "file_path": "path",
            "content": "file_text",
            "old_string": "old_str",
            "new_string": "new_str",
        }
        named = {fields.get(name, name): value for name, value in given.items()}
        told = {"Write": "create", "Edit": "edit", "Bash": "bash"}.get(tool, tool)
        found = {
            "sessionId": session,
            "timestamp": 0,
            "cwd": project_dir,
            "toolName": told,
            "toolArgs": named,
        }
        return json.dumps(found).encode()

    def denies(self, answer: Mapping[str, object]) -> bool:
        return answer.get("permissionDecision") == "deny"

    def fatal_entries(self, settings: Mapping[str, object]) -> list[str]:
        """1.0.102, tried: a `timeoutSec` of another type drops the whole file."""
        hooks = settings.get("hooks")
        if not isinstance(hooks, dict):
            return ["hooks: must be an object"]
        return [
            f"hooks.{event}: timeoutSec must be a number"
            for event, listed in cast(dict[str, object], hooks).items()
            for one in (cast(list[object], listed) if isinstance(listed, list) else [])
            if isinstance(one, dict) and _is_no_number(cast(dict[str, object], one).get("timeoutSec", 0))
        ]

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterator[Advice]:
        own = self.user_file(env, home)
        held = self.read_object(own)
        if isinstance(held, str):
            yield (
                "hooks file",
                False,
                f"{own} is not loaded ({held}): run `compass init --host copilot` again",
            )
        elif held is not None and (faults := self.fatal_entries(held)):
            yield ("hooks file", False, f"{own}: {faults[0]}, so nothing of it is loaded: run init again")
        if env.get("COPILOT_HOME"):
            yield (
                "COPILOT_HOME",
                None,
                f"is {env['COPILOT_HOME']}: a session that is started without it does not call Compass",
            )
        yield from _switches(home, env, project_dir)

    def sessions_folder(self, home: str, project_dir: str) -> str:
        return os.path.join(home, ".copilot", "session-state")


def _switches(home: str, env: Mapping[str, str], project_dir: str) -> Iterator[Advice]:
    """What turns hooks off; the user's own switch did not with 1.0.102, and is documented to."""
    own = [os.path.join(folder(env, home), name) for name in ("settings.json", "config.json")]
    for path in (*own, *(os.path.join(project_dir, name) for name in REPOSITORY_FILES)):
        found = read_object(path)
        if isinstance(found, dict) and found.get(HOOKS_OFF) is True:
            theirs = path not in own
            yield (
                "hooks",
                not theirs and None,
                f"{path} has {HOOKS_OFF}: "
                + ("where the folder is trusted no hook runs; " if theirs else "")
                + "take it out to have writes checked",
            )


def _is_no_number(value: object) -> bool:
    return not isinstance(value, (int, float)) or isinstance(value, bool)


def silent_in_copilot(env: Mapping[str, str], home: str) -> Iterable[Advice]:
    """What Claude Code's doctor says where Copilot CLI is there, too, and has no wiring of its own."""
    own = SETUP.user_file(env, home)
    if os.path.isdir(os.path.dirname(os.path.dirname(own))) and not os.path.isfile(own):
        yield (
            "Copilot CLI",
            None,
            "Copilot CLI runs the hooks of a trusted project's .claude settings, too, and Compass is silent when it "
            "calls: nothing is gated there until `compass init --host copilot`",
        )


SETUP = CopilotSetup()
