"""A session whose prompts are read ahead: a real service, a scripted API that knows who was shown no write."""

from __future__ import annotations

import json
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from apis.loopback_api import Behaviour, LoopbackApi, Received, answer, reply
from running import hookrun
from running.hookrun import denial
from running.serving import Serving, serving

from evaluator.state.store import open_store
from hooks import registry

VARIABLES = {
    "ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789",
    "COMPASS_EVALUATOR__BACKEND": "anthropic",
    "COMPASS_SAMPLING__ANTICIPATE": "true",
    "COMPASS_DEADLINE_SECONDS": "28",
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "28",
}
PATIENCE_SECONDS = 30.0


def foreseen(target: str, score: object = 0.95, **changes: Any) -> str:
    """What a reader answers who was shown no write."""
    said = json.loads(answer(score, target=target, **changes))
    del said["fits"]
    return json.dumps(said)


class PromptApi(LoopbackApi):
    """`ahead` are the answers to those who are shown no write, in turn, the last one again and again; all others
    meet `default`. `delay` is for every answer, in seconds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ahead: deque[Behaviour] = deque([reply(foreseen("src/dates.py"))])
        self.delay = 0.0
        self.blind: list[Received] = []
        self.shown: list[Received] = []

    def take(self, received: Received) -> Behaviour:
        found = super().take(received)
        schema = received.body["output_config"]["format"]["schema"]
        blind = "fits" not in schema["required"]
        (self.blind if blind else self.shown).append(received)
        if blind:
            found = self.ahead.popleft() if len(self.ahead) > 1 else self.ahead[0]
        return found if found.delay or not self.delay else _late(found, self.delay)

    def forget(self) -> None:
        """For the next session: the answers and the requests of the one before."""
        self.default, self.ahead = reply(), deque([reply(foreseen("src/dates.py"))])
        self.delay = 0.0
        for kept in (self.requests, self.blind, self.shown):
            kept.clear()

    def reads(self, *texts: str) -> None:
        self.ahead = deque(reply(text) for text in texts)


class Prompting:
    """Prompts and calls of one session of a service, as its host would tell them; each of its own environment."""

    def __init__(
        self, here: Serving, api: PromptApi, session: str, variables: Mapping[str, str] | None = None
    ) -> None:
        self.here = here
        self.api = api
        self.place = hookrun.Place(here.place.root, {**here.place.env, **(variables or {})})
        self.session = session
        self.transcript = self.place.root / f"{session}.jsonl"
        self.file = registry.default().sessions().made_up(str(self.transcript), session)
        self.prompts = 0
        self._uses = 0
        before = self.spent()
        self.before = before
        api.forget()

    def tell(self, event: str, host_event: str, **more: object) -> subprocess.CompletedProcess[bytes]:
        return self.here.hook(event, {**self.base(), "hook_event_name": host_event, **more}, self.place)

    def prompt(self, text: str, *, write: bool = True) -> float:
        """The seconds that the prompt's hook took. The host writes the prompt once its hook is done."""
        self.prompts += 1
        began = time.monotonic()
        self.tell("user-prompt-submit", "UserPromptSubmit", prompt=text)
        took = time.monotonic() - began
        if write:
            self.file.user(text, f"prompt-{self.prompts}")
        return took

    def call(
        self, tool: str, given: Mapping[str, object], **extra: object
    ) -> subprocess.CompletedProcess[bytes]:
        """The finished hook of a call."""
        self._uses += 1
        use = f"toolu_{self.session}_{self._uses}"
        more = {"tool_name": tool, "tool_input": given, "tool_use_id": use, **extra}
        return self.tell("pre-tool-use", "PreToolUse", **more)

    def edit(self, path: str = "src/dates.py", **extra: object) -> str | None:
        """The reason of the denial of an edit, None where it passes."""
        given = {"file_path": str(self.place.project / path), "old_string": "a = 1", "new_string": "a = 2"}
        return denial(self.call("Edit", given, **extra))

    def read(self) -> str:
        """What the agent is told at a call that only reads."""
        said = self.call("Read", {"file_path": str(self.place.project / "src/dates.py")}).stdout
        return str(json.loads(said)["hookSpecificOutput"]["additionalContext"]) if said else ""

    def settled(self) -> bool:
        """Waits until nothing is being read ahead any more; whether something was read and still counts."""
        store = open_store(str(self.place.state / "compass"), now=time.time()).store
        ends = time.monotonic() + PATIENCE_SECONDS
        try:
            while isinstance(found := store.anticipation(self.session, time.time()), int | float):
                assert time.monotonic() < ends
                time.sleep(0.02)
        finally:
            store.close()
        # The service notes whose agent is to be told right after.
        time.sleep(0.1)
        return found is not None

    def record(self) -> dict[str, Any]:
        """The newest check."""
        store = open_store(str(self.place.state / "compass"), now=time.time()).store
        try:
            found = store.check(None)
        finally:
            store.close()
        return dict(found or {})

    def spent(self) -> tuple[float, int]:
        """Dollars and samples of today."""
        day = time.strftime("%Y-%m-%d", time.gmtime())
        store = open_store(str(self.place.state / "compass"), now=time.time()).store
        try:
            return store.spent(day), store.samples_of(day)
        finally:
            store.close()

    def base(self) -> dict[str, object]:
        return {
            "session_id": self.session,
            "transcript_path": str(self.transcript),
            "cwd": str(self.place.project),
            "prompt_id": f"prompt-{self.prompts}",
        }


@contextmanager
def prompting(root: Path, variables: Mapping[str, str] | None = None) -> Iterator[tuple[Serving, PromptApi]]:
    """A service that runs and has imported what its first reading takes."""
    with PromptApi() as api, serving(root, {**VARIABLES, "COMPASS_EVALUATOR__BASE_URL": api.url}) as here:
        here.place.env |= variables or {}
        path = here.place.project / "src" / "dates.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = 1\n")
        here.start()
        first = Prompting(here, api, "first")
        first.prompt("In src/dates.py, say hello.")
        assert first.settled()
        assert first.edit() is None
        yield here, api


def _late(behaviour: Behaviour, seconds: float) -> Behaviour:
    return replace(behaviour, delay=seconds)
