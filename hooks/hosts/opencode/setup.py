"""What `init` and `doctor` do on OpenCode: one plugin of ours, a whole file. Satisfies `hooks.setup.Setup`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluator.settings.places import config_dir, state_dir
from hooks.hosts.opencode.protected import FOLDER, PLUGIN
from hooks.hosts.opencode.tools import DELEGATES, READS, WRITES
from hooks.plain_setup import PlainSetup
from hooks.promises import FAILURES, Promises
from hooks.setup import Advice
from hooks.wiring import Wiring

MESSAGES: int = 150
"""Of a session, as many of the newest as the plugin passes on."""
TEMPLATE = Path(__file__).with_name("plugin.js")


class OpenCodeSetup(PlainSetup):
    NAME: str = "opencode"
    WHOLE: bool = True
    USER_FILE: str = os.path.join(".config", FOLDER, PLUGIN)
    SESSIONS: str = "~/.local/share/opencode/opencode.db"
    PROGRAM: str = "opencode"
    OLDEST: tuple[int, ...] = (1, 0, 0)
    AGENT_MARKS: tuple[str, ...] = ("OPENCODE", "OPENCODE_PID", "OPENCODE_COMPASS_SESSION")
    PROMISES: Promises = Promises(
        tried="1.18.33",
        gates_writes=True,
        gates_shell=True,
        closed_on=FAILURES,
        shows_person="the whole text, below the call; the question also as a message in the corner of the screen",
        sees_request=True,
        sees_prior_turn=True,
        answers_count=True,
        notes=(
            "OpenCode loads no plugin with `--pure` or OPENCODE_PURE, and says nothing where one cannot be loaded: "
            "`compass doctor --host opencode` looks",
        ),
    )

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        return os.path.join(_config(env, home), FOLDER, PLUGIN)

    def whole_file(self, wiring: Wiring) -> str:
        """The plugin, told how to ask, what it need not ask about, and what holds where nobody answers."""
        named = {name: value for name, _, value in (pair.partition("=") for pair in wiring.said)}
        home = named.get("HOME", "")
        bases = (state_dir(named, home), config_dir(home)) if home else ()
        gate: dict[str, object] = {
            "program": wiring.interpreter,
            "before": ["-I", "-S", wiring.script, "hook"],
            "after": list(wiring.said),
            "records": [os.path.join(base, "projects") for base in bases],
            "closed": wiring.blocks,
            "seconds": self.TIMEOUT_SECONDS,
            "messages": MESSAGES,
            "reads": list(READS),
            "plain": [*WRITES, DELEGATES],
        }
        lines = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in gate.items())
        return TEMPLATE.read_text(encoding="utf-8").replace("__GATE__", f"{{\n{lines}}}", 1)

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        if env.get("OPENCODE_PURE"):
            yield "plugins", False, "OPENCODE_PURE is set, so OpenCode loads no plugin: unset it"
        if not os.path.isdir(
            os.path.join(_config(env, home), FOLDER, "node_modules", "@opencode-ai", "plugin")
        ):
            yield (
                "plugins",
                None,
                "OpenCode fetches its package @opencode-ai/plugin at its next start, because a plugin is there; "
                "without a network that start takes over a minute",
            )

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        """Of a call in Compass's words."""
        known = {name: own for own, name in {**READS, **WRITES}.items()}
        found = {
            "session": session,
            "project": project_dir,
            "tool": known.get(tool, tool),
            "args": given,
            "call": session,
        }
        return json.dumps(found).encode()

    def denies(self, answer: Mapping[str, object]) -> bool:
        return bool(answer.get("deny"))


def _config(env: Mapping[str, str], home: str) -> str:
    named = env.get("XDG_CONFIG_HOME", "")
    return named if os.path.isabs(named) else os.path.join(home, ".config")


SETUP = OpenCodeSetup()
