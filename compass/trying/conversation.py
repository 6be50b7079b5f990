"""One session of the walk: its file grows as a host would write it, and each event goes through the gate."""

from __future__ import annotations

from collections.abc import Callable

from compass.trying.scratch import Scratch
from hooks import registry
from hooks.sessions import Shown


class Conversation:
    def __init__(self, scratch: Scratch, session: str) -> None:
        self._scratch = scratch
        self._host = registry.default().sessions()
        self._session = session
        self._path = scratch.path(f"../home/{session}.jsonl")
        self._file = self._host.made_up(self._path, session)
        self._prompts = self._calls = 0
        self._fire("session-start", source="startup")

    def user(self, text: str) -> Shown:
        """The prompt, as the hook at the prompt answers it."""
        self._prompts += 1
        found = self._fire("user-prompt-submit", prompt=text)
        self._file.user(text, self._prompt_id)
        return found

    def agent(self, text: str) -> None:
        self._file.says(text)

    def call(self, tool: str, given: dict[str, object], effect: Callable[[], None]) -> Shown:
        """A tool call; `effect` is done if the gate lets it run."""
        self._calls += 1
        use = f"toolu_{self._session}_{self._calls}"
        said: dict[str, object] = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        found = self._fire("pre-tool-use", **said)
        self._file.calls(tool, given, use)
        if not found.denied:
            effect()
        self._file.result(use, found.agent if found.denied else "done", failed=found.denied)
        if not found.denied:
            self._fire("post-tool-use", **said, tool_response={})
        return found

    @property
    def _prompt_id(self) -> str:
        return f"{self._session}-{self._prompts}"

    def _fire(self, event: str, **said: object) -> Shown:
        payload: dict[str, object] = {"session_id": self._session, "transcript_path": self._path, **said}
        if self._prompts:
            payload["prompt_id"] = self._prompt_id
        return self._host.shown(self._scratch.hook(event, payload))
