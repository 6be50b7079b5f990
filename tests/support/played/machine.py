"""Where a played session runs: an isolated home, state and project, and a wall clock that can be moved."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from running.hookrun import Place
from running.serving import Serving

from compass.cli import main
from evaluator.settings.places import FLAG, RECORDED, VARIABLE

Json = dict[str, Any]


@dataclass
class Within(Place):
    """Calls that are made in a folder of the project's."""

    folder: Path = Path()

    @property
    def project(self) -> Path:
        return self.folder


@dataclass
class Machine:
    """Where sessions run: an isolated home, state and project, and the wall clock."""

    place: Any
    project: Path
    served: Serving | None = None
    """Who is asked in place of a process for each call, if there is one."""
    clock_shift: float = 0.0
    host: str = ""
    """Whose hooks these are, as its entry names it; empty for Claude Code."""

    @classmethod
    def at(cls, root: Path, env: Mapping[str, str], project: str, served: Serving | None = None) -> Machine:
        place = Place(root, dict(env))
        folder = Path(place.project) / project
        folder.mkdir(parents=True, exist_ok=True)
        place.env["CLAUDE_PROJECT_DIR"] = str(folder)
        return cls(place, folder, served)

    def hook(
        self, event: str, payload: Json, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """`variables` are another host's own, which stand in the place of Claude Code's."""
        place, words = self.place, ()
        if self.host:
            others = {name: value for name, value in place.env.items() if not name.startswith("CLAUDE_")}
            wired = (RECORDED, f"HOST={self.host}")
            # The service is told as the entry's own process tells it.
            env = {**others, **(variables or {}), VARIABLE: " ".join(wired)}
            place, words = Within(place.root, env, folder=self.project), (FLAG, *wired)
        if self.clock_shift:
            # A service keeps its own clock: what happens later happens without one.
            place = replace(place, env=place.env | {"COMPASS_SERVICE__ENABLED": "false"})
        elif self.served is not None:
            return self.served.hook(event, payload, place)
        done: subprocess.CompletedProcess[bytes] = place.hook(
            event, payload, words=words, shift=self.clock_shift
        )
        return done

    def newest_check(self) -> Json | None:
        """The private record of the newest check, as `compass explain` tells it; None where there is none.

        In this process, since a start of Python for each call would double the time of a session.
        """
        told, complaint = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.place.environment(), clear=True),
            contextlib.redirect_stdout(told),
            contextlib.redirect_stderr(complaint),
        ):
            code = main(["explain", "--json"])
        found: Json | None = json.loads(told.getvalue()) if code == 0 else None
        return found
