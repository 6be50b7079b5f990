"""`compass hindsight`: turns of recorded sessions from a replay, and their labels from model readers or by signs."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from calibration.hindsight import questions
from calibration.hindsight.findings import LabelCost
from calibration.hindsight.turns import HandLabel, SessionTurn, TurnLabel, TurnWrite, settled, write_labels
from calibration.measurement.runner import CaseOutcome
from compass.composition.automatic_backend import backend_in_force
from compass.composition.gate import SystemClock
from compass.install.settings_file import replace as replace_file
from compass.measure.measured_gate import Purse
from compass.measure.run import LABELS
from compass.replay.batch import batch_line, read_answers
from compass.replay.recorded_gate import Judged, RecordedRequest, ReplayPlan
from compass.replay.sessions import ReplayTotals, rows_of, settings_by
from evaluator.egress.evidence import cleaner
from evaluator.errors import CompassError, ConfigError, PayloadError
from evaluator.files import append_line
from evaluator.intervention.control import is_wrong
from evaluator.model import AUTO, EMBEDDED
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.response import read_message
from evaluator.readers.sampling import user_id_of
from evaluator.record import replace
from evaluator.settings.keys import Settings
from evaluator.state.history import History
from evaluator.state.store import open_store
from evaluator.text import counted

if TYPE_CHECKING:
    from compass.composition.settings import Here

ANSWERS = "hindsight.answers.jsonl"
TIMEOUT_SECONDS = 60.0
FAILURES_IN_A_ROW = 5
CENT = 0.01
LOCK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Asking:
    """Who labels: `line` writes a request into a file for whoever answers it elsewhere, by `model`."""

    backend: str
    model: str
    settings: Settings

    def request(self, turn: SessionTurn, question: questions.Question) -> ReaderRequest:
        return ReaderRequest(
            system=question.system,
            user=question.user,
            schema=question.schema,
            max_output_tokens=questions.ANSWER_TOKENS,
            temperature=None,
            timeout=max(TIMEOUT_SECONDS, self.settings.evaluator.sample_timeout_seconds),
            user_id=user_id_of(turn.session),
        )

    def line(self, turn: SessionTurn, question: questions.Question) -> str:
        return batch_line(question.custom_id, self.model, self.request(turn, question))


def gathered_turns(
    args: argparse.Namespace,
    place: Here,
    paths: list[str],
    backend: str,
    advance: Callable[[int], None],
    means: Mapping[str, float],
) -> list[SessionTurn]:
    """The turns with writes, in order. The gate is the recorded one, by its means, where it was there, else as it
    stands now: by rules, and by answers that are given."""
    answers = tuple(map(os.path.abspath, args.answers)) or None
    plan = ReplayPlan(
        place.given,
        place.home,
        backend if answers else EMBEDDED,
        args.since or 0.0,
        partial(settings_by, place.given),
        host=args.host,
        answers=answers,
    )
    turns: dict[tuple[str, float, str], SessionTurn] = {}
    began: dict[str, float] = {}
    # All of them before any is looked at: a request is complete once its session was gone through.
    for request, turn, write in list(rows_of(args, plan, paths, seen_write, ReplayTotals(), advance)):
        if (
            args.project
            and os.path.commonpath((args.project, os.path.join("/", turn.project))) != args.project
        ):
            continue
        turn.said_next, turn.interrupted = request.followed_by, request.interrupted
        turn.needless = bool(request.held) and is_wrong(request.answer)
        turn.began = began.setdefault(turn.session, turn.at)
        whole = dataclasses.replace(
            write,
            refused=write.refused or request.refused(write.call),
            taken_back=request.taken_back(write.call),
            mean=means.get(write.call) if write.mean is None else write.mean,
        )
        turns.setdefault((turn.session, turn.at, turn.request), turn).writes.append(whole)
    return list(turns.values())


def seen_write(judged: Judged) -> tuple[RecordedRequest, SessionTurn, TurnWrite] | None:
    """A write and its turn, as they are known before their session was gone through: what came after stands in the
    request by then. None before the first message of a session."""
    check, called, request = judged.check, judged.called, judged.request
    exchange, effects = check.exchange, check.effects
    if not request.text.strip():
        return None
    answered = not judged.batch.unanswered
    by_model = answered and kind_of(check.backend or EMBEDDED).hosted
    judges = answered and check.verdict in ("passed", "failed")
    what = effects.command or ", ".join(map(os.path.basename, effects.targets)) if effects else ""
    write = TurnWrite(
        call=called.tool_use_id or called.uuid,
        line=f"{called.tool_name} {what}".strip(),
        act=f"{effects.operation} ({effects.stakes_class})" if effects else called.tool_name,
        irreversible=effects is not None and effects.stakes_class == "irreversible",
        refused=called.fate == "refused",
        refusal=called.refusal,
        taken_back=False,
        held=called.fate == "held",
        holds=check.verdict == "failed" if judges else None,
        mean=check.convergence.mean if by_model and check.convergence else None,
    )
    prior = exchange.prior_assistant_turn if exchange else ""
    turn = SessionTurn(
        called.session_id, called.project, request.at, request.text, prior, said_next="", interrupted=False
    )
    return request, turn, write


class Answers:
    """What readers said so far, by custom id: in the files that are given, and kept in the project's folder, so that an
    interrupted run goes on from there."""

    def __init__(self, folder: str, given: Sequence[str]) -> None:
        self.path = os.path.join(folder, ANSWERS)
        own = (self.path,) if os.path.exists(self.path) else ()
        self._found = read_answers((*own, *given))

    def reply(self, custom_id: str, model: str) -> ReaderReply | None:
        """A reader's reply from the file of answers. Without a text where the answer is none."""
        message = self._found.get(custom_id)
        if message is None:
            return None
        try:
            return read_message(message, model)
        except UnusableReplyError as error:
            return replace(error.reply, text="")
        except CompassError:
            return ReaderReply("")

    def keep(self, custom_id: str, reply: ReaderReply) -> None:
        """Appends a reader's answer about a turn to the file of answers. Raises OSError."""
        usage = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
        message = {"content": [{"type": "text", "text": reply.text}], "usage": usage}
        row = {"custom_id": custom_id, "result": {"type": "succeeded", "message": message}}
        append_line(self.path, json.dumps(row).encode(), LOCK_SECONDS)
        self._found[custom_id] = json.dumps(message).encode()


def asking_of(place: Here, backend: str, *, files: bool = False) -> Asking | None:
    """Who is asked about turns. None where rules read, who know nothing of hindsight. `files`: readers are asked
    through files, and need not be ready. Raises ConfigError for readers that are not."""
    settings = place.loaded.settings
    if backend == AUTO:
        backend = backend_in_force(settings, place.env, place.home, place.project_dir)
    if files and kind_of(backend).backend is None:
        backend = "anthropic"
    kind = kind_of(backend)
    if kind.backend is None:
        return None
    if not files and (missing := kind.missing(settings, place.env)):
        raise ConfigError(f"{backend} cannot be used here: {missing}")
    return Asking(backend, kind.model(settings), settings)


Asked = Sequence[tuple[SessionTurn, questions.Question]]


def hindsight_questions(asking: Asking | None, turns: Sequence[SessionTurn]) -> Asked:
    """The questions about turns, none where nobody is asked. Raises ConfigError where settings let no text leave."""
    if asking is None:
        return []
    if not asking.settings.sends_exchange:
        raise ConfigError(
            "the settings let no text from the exchange leave the machine, but hindsight needs that text"
        )
    clean = cleaner(asking.settings)
    return [(turn, question) for turn in turns for question in questions.questions_of(turn, clean)]


def labels_of(
    turns: Sequence[SessionTurn], asked: Asked, answers: Answers, model: str
) -> tuple[dict[str, TurnLabel], LabelCost]:
    """The labels of turns, by turn, and what the answers took; by signs alone where nobody is asked."""
    said: dict[str, dict[questions.Kind, str]] = {turn.id: {} for turn in turns}
    replies: list[ReaderReply] = []
    for turn, question in asked:
        reply = answers.reply(question.custom_id, model)
        if reply is not None:
            said[turn.id][question.kind] = reply.text
            replies.append(reply)
    costs = [reply.cost_usd for reply in replies]
    cost = LabelCost(
        len(replies),
        sum(reply.input_tokens for reply in replies),
        sum(reply.output_tokens for reply in replies),
        None if None in costs else sum(cost or 0.0 for cost in costs),
    )
    return {turn.id: questions.label_of(turn, said[turn.id]) for turn in turns}, cost


def keep_labels(place: Here, labels: Iterable[TurnLabel], hand: Mapping[str, HandLabel]) -> None:
    """Writes this project's labels as the user's own word leaves them. Raises PayloadError where kept ones broke."""
    path = os.path.join(place.folder, LABELS)
    told = (settled(label, hand.get(label.turn)) for label in labels)
    try:
        replace_file(path, write_labels(path, told, TurnLabel), private=True)
    except ValueError as error:
        raise PayloadError(str(error)) from None


def turns_of(asked: Asked) -> str:
    """How many turns are asked about, in words."""
    return counted(len({turn.id for turn, _ in asked}), "turn")


def cost_of(asking: Asking, asked: Asked) -> str:
    """What asking about turns costs, in words, by list prices."""
    price = kind_of(asking.backend).price(asking.model)
    if price is None:
        return "no known price"
    tokens, said = (
        sum(questions.tokens_of(question) for _, question in asked),
        len(asked) * questions.USUAL_ANSWER_TOKENS,
    )
    usd = price.usd(tokens, said)
    return f"{'less than 0.01' if usd < CENT else f'about {usd:.2f}'} USD at list prices"


def hindsight_plan(asking: Asking, place: Here, open_: Asked) -> list[str]:
    """What it takes, and what leaves, before anything does."""
    kind = kind_of(asking.backend)
    tokens = sum(questions.tokens_of(question) for _, question in open_)
    return [
        f"{len(open_)} requests to {asking.backend} ({asking.model}) about {turns_of(open_)}, some {tokens:,} "
        f"tokens: {cost_of(asking, open_)}.",
        f"Sent to {kind.goes(asking.settings, place.env)}, sanitized: what you asked for, what was said before it, the "
        "writes by tool and target or command, which of them you refused or undid, and what you said "
        "next. Never file contents.",
    ]


def ask_hindsight(
    asking: Asking, place: Here, open_: Asked, answers: Answers, advance: Callable[[int], None]
) -> None:
    """Each answer is kept at once. Raises CompassError where readers keep failing, StoppedError at the day's cap."""
    make = kind_of(asking.backend).backend
    assert make is not None
    slots = asyncio.Semaphore(max(1, asking.settings.evaluator.max_concurrent_samples - 2))
    failed = 0

    async def ask(turn: SessionTurn, question: questions.Question) -> None:
        nonlocal failed
        async with slots:
            purse.guard(None)
            try:
                reply = await backend.ask(asking.request(turn, question))
            except CompassError as error:
                failed += 1
                if failed >= FAILURES_IN_A_ROW:
                    raise CompassError(
                        f"the readers are not answering: {error}; the answers so far have been kept"
                    ) from error
                return
            failed = 0
            answers.keep(question.custom_id, reply)
            purse.guard(CaseOutcome(calls=1, usd=reply.cost_usd))
            advance(1)

    async def ask_all() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for turn, question in open_:
                    group.create_task(ask(turn, question))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            await backend.aclose()

    with (
        closing(Purse(place.state_dir, asking.settings)) as purse,
        closing(open_store(place.state_dir, now=time.time()).store) as store,
    ):
        backend = make(asking.settings, place.env, store, SystemClock())
        asyncio.run(ask_all())


def recorded_means(history: History) -> dict[str, float]:
    """The means of recorded checks that models read, by the id of their call."""
    found: dict[str, float] = {}
    for record in history.records():
        pending, convergence = record.get("pending"), record.get("convergence")
        if isinstance(pending, dict) and isinstance(convergence, dict):
            mean = cast(Mapping[str, object], convergence).get("mean")
            if isinstance(mean, float) and record.get("backend") != EMBEDDED:
                found[str(cast(Mapping[str, object], pending).get("tool_use_id"))] = mean
    return found
