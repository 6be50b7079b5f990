"""A project with precedents in a real database, and `compass memory` as a process."""

from __future__ import annotations

import json
import os
import time

import pytest
from running.hookrun import Place

from evaluator.precedents import Precedent
from evaluator.settings.places import project_key
from evaluator.state.store import open_store
from evaluator.text import ulid

DAY = 86_400.0


class Remembering:
    def __init__(self, root):
        self.place = Place(root)
        self.project = self.place.project
        (self.project / ".git").mkdir()
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        for name in ("src/json/parser.py", "src/csv/parser.py", "deploy/prod.yaml"):
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x = 1\n")
        self.key = project_key(str(self.project))
        self.now = time.time()

    def one(self, days_ago=1.0, **changes):
        at = self.now - days_ago * DAY
        fields = {
            "precedent_id": ulid(at, os.urandom(10)), "project": self.key, "checkout": str(self.project),
            "session_id": "session-1", "check_id": ulid(at, os.urandom(10)), "at": at,
            "source": "clarified", "term": "the parser", "said": "the JSON one", "action": "change",
            "target": "src/json/parser.py", "extent": "one_place", "tightens": False,
        }  # fmt: skip
        return Precedent(**{**fields, **changes})

    def store(self):
        return open_store(str(self.place.state / "compass"), now=self.now).store

    def settle(self, *precedents):
        store = self.store()
        for one in precedents:
            store.keep_precedent(one)
        assert list(store.faults) == []
        store.close()
        return precedents

    def kept(self):
        """Those of the project, newest first."""
        store = self.store()
        found = store.all_precedents(self.key)
        store.close()
        return found

    def call(self, *words, code=0, stdin=b"", command="memory"):
        done = self.place.command(command, *words, stdin=stdin)
        assert done.returncode == code, (done.stdout, done.stderr)
        assert b"Traceback" not in done.stderr
        return (done.stdout if code == 0 else done.stderr).decode()

    def told(self, *words, **named):
        return json.loads(self.call(*words, "--json", **named))


@pytest.fixture
def memory(tmp_path):
    return Remembering(tmp_path)
