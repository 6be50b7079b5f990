"""What `init` and `doctor` do on chibi: one executable of ours among its plugins. Satisfies `hooks.setup.Setup`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping

from hooks.hosts.chibi.places import home_of
from hooks.hosts.chibi.plugin import plugin
from hooks.hosts.chibi.protected import NAME, PLUGIN
from hooks.plain_setup import PlainSetup
from hooks.promises import Promises
from hooks.setup import Advice
from hooks.wiring import Wiring

_HOOKS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Bash": ("pre_shell_exec", ("command",)),
    "Write": ("pre_file_write", ("content",)),
    "Edit": ("pre_file_write", ("content",)),
}
"""{tool in Compass's words: the hook that judges it, the fields that it has there by the same name}."""
_TOOLS = {"Bash": "shell_exec", "Write": "write_file", "Edit": "file_edit"}


class ChibiSetup(PlainSetup):
    NAME: str = NAME
    USER_FILE: str = PLUGIN
    SESSIONS: str = "~/.chibi/contexts"
    PROGRAM: str = "chibi"
    WHOLE: bool = True
    EXECUTABLE: bool = True
    PROMISES: Promises = Promises(
        tried="",
        gates_writes=True,
        gates_shell=True,
        closed_on=("crash", "exit code", "missing program", "timeout"),
        shows_person="as the result of the call",
        sees_request=True,
        sees_prior_turn=True,
        answers_count=False,
        ungated="what a tool written in Scheme does by itself",
        notes=("a held call is asked for anew in chibi, with what it is to touch by name, or done by hand",),
    )

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        return os.path.join(home_of({**env, "HOME": home}), "plugins", "compass")

    def whole_file(self, wiring: Wiring) -> str | None:
        return plugin(wiring)

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        hook, fields = _HOOKS.get(tool, ("pre_tool", ()))
        data: dict[str, object] = {"tool_name": _TOOLS.get(tool, tool)}
        if hook == "pre_tool":
            data["arguments"] = given
        else:
            data |= {name: given.get(name) for name in fields}
        if "file_path" in given:
            data["path"] = given["file_path"]
        return json.dumps({"hook": hook, "parent": session, "data": data}).encode()

    def denies(self, answer: Mapping[str, object]) -> bool:
        return answer.get("denied") is True and answer.get("block") is True

    def silent(self, code: int, stdout: bytes) -> bool:
        return code == 0 and stdout.strip() in (b"", b"{}")

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        path = self.user_file(env, home)
        if os.path.isfile(path) and not os.access(path, os.X_OK):
            yield ("plugin", False, f"{path} is not executable, so chibi passes it over: chmod +x it")
        if os.path.lexists(f"{path}.disabled"):
            yield (
                "plugin",
                None,
                f"chibi passes {path}.disabled over; `compass init --host chibi` writes it anew",
            )


SETUP = ChibiSetup()
