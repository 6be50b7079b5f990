"""Sessions of one project whose holds are answered, and what is remembered of them: real hooks over a real database."""

from __future__ import annotations

import atexit
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from apis.loopback_api import Behaviour, LoopbackApi, Received, answer, reply
from played.client import Conversation
from played.machine import Machine
from played.outcome import Outcome, outcome_of
from played.readers import shown
from running.hookrun import readers_at
from running.serving import Serving, serving

from evaluator.precedents import Precedent
from evaluator.settings.places import recorded_key
from evaluator.state.store import open_store

FILES = ("src/report/reader.py", "src/billing/reader.py", "src/billing/rates.py", "README.md")
OLD = "def read(lines):\n    return lines\n"
MEANT = ("report folder", 'meant "src/report/reader.py"')


class Knowing(LoopbackApi):
    """Readers who pass an edit of the one reader once they are shown that it was meant, and doubt all else."""

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        text = shown(received)
        write = text.rpartition("<pending_write")[2]
        knows = FILES[0] in write and FILES[1] not in write and any(one in text for one in MEANT)
        if knows:
            return reply(answer(0.95, action="fix", target=FILES[0]))
        doubt = {"primary_concern": "target", "rationale": "two files could be meant"}
        return reply(answer(0.2, action="fix", target="the parser", **doubt))


@cache
def around() -> tuple[Knowing, Serving]:
    """Those readers, and a service for the hooks of all projects; both end with this process."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    served = stack.enter_context(serving(Path(folder)))
    served.start()
    return stack.enter_context(Knowing()), served


class Project:
    """A checkout, whose sessions a person attends; `env` chooses the readers.

    Its hooks are asked of a service on its socket, as their processes would ask it.
    """

    def __init__(self, root: Path, env: dict[str, str] | None = None) -> None:
        knowing, served = around()
        own = {
            "CLAUDE_CODE_SESSION_ATTENDED": "1", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2",
            "COMPASS_MEMORY__SHARE": "true", **readers_at(knowing.url),
        }  # fmt: skip
        self.machine = Machine.at(root, {**served.place.env, **own, **(env or {})}, "", served)
        self.root = root
        self.sessions = 0
        self.folder = self.machine.project
        for name in FILES:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(OLD)
        (self.folder / ".git").mkdir()

    def within(self, folder: str) -> None:
        """Sessions start in this folder of the checkout from now on."""
        self.machine.project = self.folder / folder
        self.machine.place.env["CLAUDE_PROJECT_DIR"] = str(self.machine.project)

    def session(self, *, attended: bool = True) -> Talk:
        self.sessions += 1
        session = Conversation(self.machine, f"{self.root}/{self.sessions}", attended=attended)
        session.begins()
        return Talk(self, session)

    @property
    def key(self) -> str:
        return recorded_key(str(self.root / "state" / "compass"), str(self.folder))

    def kept(self) -> tuple[Precedent, ...]:
        opened = open_store(str(self.root / "state" / "compass"), now=0.0)
        assert opened.fault is None
        try:
            return opened.store.all_precedents(None)
        finally:
            opened.store.close()

    def keep(self, *found: Precedent) -> None:
        opened = open_store(str(self.root / "state" / "compass"), now=0.0)
        for one in found:
            opened.store.keep_precedent(one)
        opened.store.close()

    def settles(self, request: str, answer: str, path: str = FILES[0]) -> tuple[Precedent, ...]:
        """A session in which a write is held, the user answers, and the write is tried again."""
        talk = self.session()
        talk.user(request)
        assert talk.edits(path).decision == "deny"
        talk.agent("It is on hold.")
        talk.user(answer)
        talk.edits(path)
        return self.kept()


class Talk:
    """One session."""

    def __init__(self, project: Project, session: Conversation) -> None:
        self.project = project
        self.session = session
        self.user = session.user
        self.agent = session.agent

    def edits(self, path: str, *, agent_id: str | None = None, task: str = "") -> Outcome:
        given = {"old_string": "return lines", "new_string": "return list(lines)"}
        return self.calls("Edit", {"file_path": str(self.project.folder / path), **given}, agent_id, task)

    def calls(self, tool: str, given: dict[str, Any], agent_id: str | None = None, task: str = "") -> Outcome:
        call = self.session.call(tool, given, agent_id, task)
        found = outcome_of(self.session.fire(call), None, ())
        if found.decision == "deny":
            self.session.denied(call, found.message)
        else:
            self.session.ended(call, worked=True)
        return found
