"""What `init` and `doctor` do on a host whose hooks stand in one file of the user's. Satisfies `hooks.setup.Setup`.

A host's own setup is a subclass. It is wired in one of two ways: by entries among other people's in a JSON file, each
in a list under `{"hooks": {EVENT: [...]}}`, where an element is a handler or a group `{"matcher", "hooks": [handler]}`;
or by a whole file of ours (`whole_file`). An entry is ours if its command calls this program for this host.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from evaluator.errors import ConfigError
from hooks.json_file import read_object
from hooks.promises import Promises
from hooks.setup import Advice, Handlers, Seen
from hooks.wiring import Wiring

OWN_PROGRAM = os.path.join("compass", "__main__.py")


class PlainSetup:
    """`COMMAND` names the field of a handler that holds its command line, `TOP` what else a new file must hold.
    `WHOLE`: the file is ours alone.
    """

    NAME: str
    USER_FILE: str
    SESSIONS: str
    PROGRAM: str
    PROMISES: Promises
    OLDEST: tuple[int, ...] = (0,)
    WRITE_TOOLS: tuple[str, ...] = ("Write", "Edit", "Bash")
    AGENT_MARKS: tuple[str, ...] = ()
    TIMEOUT_SECONDS: int = 30
    MCP_PREFIX: str = "mcp__"
    WHOLE: bool = False
    EXECUTABLE: bool = False
    COMMAND: str = "command"
    TOP: Mapping[str, object] = MappingProxyType({})

    LOCAL_FILE: str = ""
    HEARD_TOOLS: tuple[str, ...] = ()
    COMMAND_ONLY: tuple[str, ...] = ()
    HOOKS_OFF: str = ""
    MANAGED_ONLY: str = ""
    HTTP_URLS: str = ""
    HTTP_VARIABLES: str = ""

    def user_file(self, env: Mapping[str, str], home: str) -> str:
        return os.path.join(home, self.USER_FILE)

    def whole_file(self, wiring: Wiring) -> str | None:
        return None

    def entries(self, wiring: Wiring) -> dict[str, dict[str, object]]:
        return {}

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterable[Advice]:
        return ()

    def payload(self, tool: str, given: Mapping[str, object], project_dir: str, session: str) -> bytes:
        raise NotImplementedError

    def refuses(self, code: int, stdout: bytes, stderr: bytes) -> bool:
        """An answer that is no JSON object, or follows other text, refuses nothing."""
        try:
            found = cast(object, json.loads(stdout))
        except ValueError:
            return False
        return code == 0 and isinstance(found, dict) and self.denies(cast(dict[str, object], found))

    def denies(self, answer: Mapping[str, object]) -> bool:
        return False

    def silent(self, code: int, stdout: bytes) -> bool:
        return code == 0 and not stdout.strip()

    def is_own_file(self, text: str) -> bool:
        return self.WHOLE and OWN_PROGRAM in text

    def is_own(self, handler: object) -> bool:
        if not isinstance(handler, dict):
            return False
        command = cast(dict[str, object], handler).get(self.COMMAND)
        return isinstance(command, str) and OWN_PROGRAM in command and f"HOST={self.NAME}" in command

    def merge(
        self, settings: Mapping[str, object], wanted: Mapping[str, dict[str, object]]
    ) -> dict[str, object]:
        """An entry of ours is replaced where it stands, so that what a host keeps by place stays true."""
        named = settings.get("hooks", {})
        if not isinstance(named, dict):
            raise ConfigError("hooks must be an object; correct it, or remove it, and run init again")
        hooks = cast(dict[str, object], named)
        merged = {event: self._others(listed) for event, listed in hooks.items()}
        for event, entry in wanted.items():
            listed = hooks.get(event, [])
            if not isinstance(listed, list):
                raise ConfigError(
                    f"hooks.{event} must be a list; correct it, or remove it, and run init again"
                )
            merged[event] = self._placed(cast(list[object], listed), entry)
        kept = {event: listed for event, listed in merged.items() if listed or not hooks.get(event)}
        return {**self.TOP, **settings, "hooks": kept}

    def remove(self, settings: Mapping[str, object], keep: Sequence[str] = ()) -> dict[str, object]:
        named = settings.get("hooks")
        if not isinstance(named, dict):
            return dict(settings)
        hooks = cast(dict[str, object], named)
        left: dict[str, object] = {}
        for event, listed in hooks.items():
            rest = self._others(listed)
            if rest or rest == listed or f"hooks.{event}" in keep:
                left[event] = rest
        others = {key: value for key, value in settings.items() if key != "hooks"}
        if not left and left != hooks and "hooks" not in keep:
            stood = any(key in keep for key in self.TOP)
            return {} if others == dict(self.TOP) and not stood else others
        return {**settings, "hooks": left}

    def empty_containers(self, settings: Mapping[str, object]) -> tuple[str, ...]:
        """With what of `TOP` stood there: then it is not ours to take out."""
        top = tuple(key for key in self.TOP if key in settings)
        named = settings.get("hooks")
        if not isinstance(named, dict):
            return top
        hooks = cast(dict[str, object], named)
        empty = tuple(f"hooks.{event}" for event, listed in hooks.items() if listed == [])
        return (*top, *(empty if hooks else ("hooks",)))

    def own_handlers(self, settings: Mapping[str, object]) -> Handlers:
        named = settings.get("hooks")
        found: Handlers = []
        for event, listed in cast(dict[str, object], named).items() if isinstance(named, dict) else ():
            for element in cast(list[object], listed) if isinstance(listed, list) else ():
                for handler in _handlers(element):
                    if self.is_own(handler):
                        matcher = cast(dict[str, object], element).get("matcher")
                        found.append((event, matcher, cast(dict[str, object], handler)))
        return found

    def _others(self, listed: object) -> object:
        """A list without what is ours; a group that holds nothing else goes as a whole."""
        if not isinstance(listed, list):
            return listed
        found: list[object] = []
        for element in cast(list[object], listed):
            handlers = _handlers(element)
            others = [handler for handler in handlers if not self.is_own(handler)]
            if len(others) == len(handlers):
                found.append(element)
            elif others:
                found.append({**cast(dict[str, object], element), "hooks": others})
        return found

    def _placed(self, listed: Sequence[object], entry: dict[str, object]) -> list[object]:
        placed: list[object] = []
        done = False
        for element in listed:
            rest = cast(list[object], self._others([element]))
            if rest == [element]:
                placed.append(element)
                continue
            if not done and not rest:
                placed.append(entry)
                done = True
            placed += rest
        return placed if done else [*placed, entry]

    def settings_files(self, home: str, project_dir: str) -> tuple[str, ...]:
        return (os.path.join(home, self.USER_FILE),)

    def managed_file(self) -> str:
        return ""

    def read_object(self, path: str) -> dict[str, object] | str | None:
        return read_object(path)

    def with_status_line(
        self, settings: Mapping[str, object], wiring: Wiring, hidden: Sequence[Mapping[str, object]]
    ) -> dict[str, object]:
        raise ConfigError("this host has no status line that a program may fill; leave --statusline out")

    def without_status_line(self, settings: Mapping[str, object]) -> dict[str, object]:
        return dict(settings)

    def has_status_line(self, settings: Mapping[str, object]) -> bool:
        return False

    def is_http(self, handler: Mapping[str, object]) -> bool:
        return False

    def matcher_of(self, event: str, mcp_tools: Sequence[str] = ()) -> str | None:
        return None

    def matches(self, matcher: object, tool_name: str) -> bool:
        return True

    def wires(self, settings: object, event: str) -> bool:
        held = cast(dict[str, object], settings) if isinstance(settings, dict) else {}
        return any(name == event for name, _, _ in self.own_handlers(held))

    def is_called(
        self, settings: Mapping[str, object], event: str, tool: str, commands: frozenset[str]
    ) -> bool:
        return False

    def ungated(self, home: str, project_dir: str, *, plugin: bool = False) -> tuple[str, ...]:
        return ()

    def plugin_enabled(self, settings: Mapping[str, object]) -> bool | None:
        return None

    def fatal_entries(self, settings: Mapping[str, object]) -> list[str]:
        return []

    def ignored_entries(self, settings: Mapping[str, object]) -> list[str]:
        return []

    def dead_matchers(self, settings: Mapping[str, object]) -> list[str]:
        return []

    def sessions_folder(self, home: str, project_dir: str) -> str:
        return ""

    def seen_tools(self, home: str, project_dir: str) -> Mapping[str, Seen]:
        return {}

    def mcp_servers(self, home: str, project_dir: str, settings: Iterable[Mapping[str, object]]) -> list[str]:
        return []


def _handlers(element: object) -> list[object]:
    """The handlers of a group; a handler that stands alone is its own."""
    held = cast(dict[str, object], element).get("hooks") if isinstance(element, dict) else None
    return cast(list[object], held) if isinstance(held, list) else [element]
