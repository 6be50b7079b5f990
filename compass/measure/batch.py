"""A measurement through the Message Batches API: gather, send, wait, judge. Taken up again after any interruption.

A batch is noted before it is sent and again when its id is known. One whose id is not known is looked for among the
account's newest batches, so that nothing is paid for twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from calibration.measurement.batch import (
    Answer,
    Batches,
    Noting,
    Replaying,
    Sent,
    forget_batches,
    portions,
    read_batches,
    request_id,
    text_of,
)
from calibration.measurement.journal import Journal
from calibration.measurement.judging import Outcome, prepare, read
from calibration.measurement.runner import Job, StoppedError
from compass.install.settings_file import replace as replace_file
from compass.measure.parts import Bench, Purse
from compass.measure.screen import Progress
from evaluator.errors import ReaderError
from evaluator.ports import Backend, ReaderRequest
from evaluator.record import replace as changed

if TYPE_CHECKING:
    from evaluator.readers.anthropic_batches import AnthropicBatches, BatchState

T = TypeVar("T")

FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 1.0, 60.0
TROUBLES_MAX = 10
"""Failed looks at a batch, in a row, before the wait is given up."""
CLOCKS_APART_SECONDS = 120.0
BACKEND = "anthropic"


def run_batch(
    at: Bench, jobs: Sequence[Job], kept: Journal, path: str, progress: Progress, purse: Purse
) -> dict[str, Outcome]:
    """As `runner.run`, for the `anthropic` backend. Raises StoppedError, ConfigError, ValueError."""
    from evaluator.readers.anthropic_batches import AnthropicBatches

    api = AnthropicBatches(at.readers.model, at.env, base_url=at.settings.evaluator.base_url)
    with asyncio.Runner() as runner:
        work = _Work(at, jobs, kept, path, progress, purse, api, runner.run)
        try:
            return work.run()
        except ReaderError as fault:
            raise StoppedError(f"the Message Batches API: {fault}") from fault
        finally:
            runner.run(api.aclose())


class _Work:
    def __init__(
        self,
        at: Bench,
        jobs: Sequence[Job],
        kept: Journal,
        path: str,
        progress: Progress,
        purse: Purse,
        api: AnthropicBatches,
        wait: Callable[[Coroutine[Any, Any, Any]], Any],
    ) -> None:
        self._at = at
        self._jobs = {job.key: job for job in jobs}
        self._kept = kept
        self._path = path
        self._progress = progress
        self._purse = purse
        self._api = api
        self._wait = wait
        self._state = read_batches(path)
        self._failed: dict[str, Outcome] = {}

    def run(self) -> dict[str, Outcome]:
        if self._state.cold:
            self._api.refuse_temperature()
        self._find_lost()
        self._send()
        self._collect()
        if self._state.cold and self._failed:
            # The first answer to a temperature was no; without it they are asked once more.
            self._failed.clear()
            self._send()
            self._collect()
        forget_batches(self._path)
        found = {key: self._kept.found[key] for key in self._jobs if key in self._kept.found}
        return {**self._failed, **found}

    def _note(self, state: Batches) -> None:
        self._state = state
        replace_file(self._path, text_of(state), private=True)

    def _find_lost(self) -> None:
        lost = [sent for sent in self._state.sent if not sent.id]
        if not lost:
            return
        recent: Sequence[BatchState] = self._wait(self._api.recent())
        known = {sent.id for sent in self._state.sent}
        for sent in lost:
            fitting = [
                one
                for one in recent
                if one.id not in known
                and one.total == len(sent.keys) * sent.n
                and one.at >= sent.at - CLOCKS_APART_SECONDS
            ]
            rest = tuple(other for other in self._state.sent if other is not sent)
            if len(fitting) > 1:
                names = ", ".join(one.id for one in fitting)
                raise StoppedError(
                    f"an interrupted run sent one of these batches: {names}; cancel the others"
                )
            found = (replace(sent, id=fitting[0].id),) if fitting else ()
            known.update(one.id for one in found)
            self._note(replace(self._state, sent=(*rest, *found)))

    def _send(self) -> None:
        covered = {key for sent in self._state.sent for key in sent.keys}
        left = [job for key, job in self._jobs.items() if key not in covered and key not in self._kept.found]
        self._purse.guard(None)
        for part in portions({job.key: self._requests(job) for job in left}):
            sent = Sent("", time.time(), self._at.readers.n, tuple(part))
            before = self._state
            self._note(replace(before, sent=(*before.sent, sent)))
            asked = {
                request_id(key, number): request
                for key, requests in part.items()
                for number, request in enumerate(requests)
            }
            try:
                name: str = self._wait(self._api.submit(asked))
            except ReaderError as fault:
                if fault.kind not in ("timeout", "transport"):
                    self._note(before)
                raise
            self._note(replace(before, sent=(*before.sent, replace(sent, id=name))))
            self._progress.say(f"batch {name}: {len(asked)} requests sent")

    def _requests(self, job: Job) -> list[ReaderRequest]:
        noting = Noting(BACKEND, self._at.readers.model)
        self._judged(job, noting)
        return noting.asked

    def _collect(self) -> None:
        for sent in self._state.sent:
            self._until_ended(sent.id)
            answers: Mapping[str, Answer] = self._wait(self._api.results(sent.id))
            for key in sent.keys:
                job = self._jobs.get(key)
                if job is None or key in self._kept.found:
                    continue
                mine = [
                    answers[name] for number in range(sent.n) if (name := request_id(key, number)) in answers
                ]
                self._take(job, mine)
            rest = tuple(other for other in self._state.sent if other.id != sent.id)
            self._note(replace(self._state, sent=rest))

    def _take(self, job: Job, answers: Sequence[Answer]) -> None:
        if any(isinstance(one, ReaderError) and "temperature" in one.detail.lower() for one in answers):
            self._api.refuse_temperature()
            self._state = replace(self._state, cold=True)
        outcome = self._judged(job, Replaying(BACKEND, self._at.readers.model, answers))
        self._purse.guard(outcome)
        if outcome.was_read:
            self._kept.keep(job.key, job.case, job.repeat, outcome)
            self._progress.tick(len(self._kept.found), 0)
        else:
            self._failed[job.key] = outcome

    def _until_ended(self, name: str) -> None:
        seconds, troubles = FIRST_WAIT_SECONDS, 0
        while True:
            try:
                state: BatchState = self._wait(self._api.state(name))
                troubles = 0
            except ReaderError as fault:
                troubles += 1
                if (not fault.retryable and fault.kind != "timeout") or troubles >= TROUBLES_MAX:
                    raise
            else:
                if state.ended:
                    return
                self._progress.say(f"batch {name}: {state.done} of {state.total} done")
            time.sleep(seconds)
            seconds = min(2 * seconds, LONGEST_WAIT_SECONDS)

    def _judged(self, job: Job, backend: Backend) -> Outcome:
        """Through the steps of the gate, with sampling over this backend."""
        readers = self._at.sampled(backend)
        return read(prepare(changed(self._at.parts, readers=lambda: readers), job.case))
