"""Recorded sessions, through the gate once more: what it would have decided of each call, had it only watched.

The sessions went on as they are recorded, so nothing is held back: each call is judged as the first that would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compass.replay.stage import Judged, ReplayPlan, Stage, Tally
from evaluator.configuration import loading
from hooks.moments import Called, Ended, Moment, Spoken


class Replay:
    """Replays session after session. Settings are those of each session's own project, as they stand now."""

    def __init__(self, plan: ReplayPlan) -> None:
        self.tally = Tally()
        self._plan = plan
        self._loaded: dict[str, loading.Loaded] = {}
        self._seen: set[tuple[str, str, int]] = set()

    def session(self, transcript: str, moments: Iterable[Moment]) -> Iterator[Judged]:
        """The write-class calls from `since` on, in order. A call that another file held already is passed over:
        a resumed session may repeat the lines of the one before."""
        stage: Stage | None = None
        try:
            for moment in moments:
                if isinstance(moment, Ended):
                    if stage is not None:
                        stage.hear(moment)
                    continue
                if stage is None:
                    stage = self._stage(transcript, moment.project)
                if isinstance(moment, Spoken):
                    stage.hear(moment)
                else:
                    yield from self._call(stage, moment)
        finally:
            if stage is not None:
                stage.close()

    def _stage(self, transcript: str, project: str) -> Stage:
        self.tally.sessions += 1
        if project not in self._loaded:
            self._loaded[project] = self._plan.load(project)
        return Stage(self._plan, self._loaded[project], transcript, project, self.tally)

    def _call(self, stage: Stage, called: Called) -> Iterator[Judged]:
        place = (called.uuid, called.tool_use_id, called.index)
        if called.at < self._plan.since or place in self._seen or not called.tool_name:
            return
        if called.uuid:
            self._seen.add(place)
        self.tally.calls += 1
        found = stage.judge(called)
        if found is not None:
            yield found
