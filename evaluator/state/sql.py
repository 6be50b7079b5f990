"""The state in SQL: `ports.StateStore` over SQLite. Opened by `evaluator.state.store`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar

from evaluator.breaker.state import (
    Admission,
    BreakerRules,
    BreakerState,
    Closed,
    EvaluationOutcome,
    Transition,
)
from evaluator.intervention.held import Intervention
from evaluator.model import Check, Effect, KeptPrompt, OperationClass
from evaluator.ports import Landed, TurnKey, Written
from evaluator.state.precedents import KeptPrecedents
from evaluator.state.tables import (
    breakers,
    checks,
    exchanges,
    flights,
    interventions,
    notes,
    sessions,
    turns,
    writes,
)
from evaluator.state.tables.records import TOKEN_BYTES
from evaluator.state.tables.sweep import sweep
from evaluator.trigger.cooldown import Cooldown

if TYPE_CHECKING:
    from sqlite3 import Connection

    from evaluator.breaker.outages import Outage, ReadersBack
    from evaluator.intervention.owed import Owed
    from evaluator.state.transactions import Transactions

T = TypeVar("T")


class SqlStore(KeptPrecedents):
    """Every method is one transaction, safe among threads and processes.

    When the database fails in use (locked, full, gone), a method notes the fault and returns its safe
    answer, which each docstring names; nothing was changed then. `random` gives that many random bytes.
    `own` keeps what is a developer's own, where that is another database.
    """

    def __init__(
        self,
        database: Transactions,
        faults: Sequence[str],
        random: Callable[[int], bytes] = os.urandom,
        own: Transactions | None = None,
    ) -> None:
        self._database = database
        self._own = own or database
        self._faults = faults
        self._random = random

    @property
    def faults(self) -> Sequence[str]:
        """The faults of this process, oldest first."""
        return self._faults

    def close(self) -> None:
        """A later operation opens the database again."""
        self._database.close()

    def together(self) -> AbstractContextManager[None]:
        """On failure nothing of what was written within has happened."""
        return self._database.together("record")

    def start_session(self, session_id: str, project_dir: str, now: float) -> None:
        """Also resumes: prompts, ordinals and sequence of the session go on. Nothing on failure."""
        self._database.write(
            "start_session", lambda db: sessions.start(db, session_id, project_dir, now), None
        )

    def note_mode(self, session_id: str, mode: str, rests: float, now: float) -> None:
        """Nothing on failure: the session's last known mode stands."""
        self._database.write(
            "note_mode", lambda db: sessions.note_mode(db, session_id, mode, rests, now), None
        )

    def set_backend(self, session_id: str, backend: str) -> None:
        """Nothing on failure: who reads is then found out at each call."""
        self._database.write("set_backend", lambda db: sessions.set_backend(db, session_id, backend), None)

    def backend_of(self, session_id: str) -> str:
        """Empty on failure."""
        return self._database.read("backend_of", lambda db: sessions.backend_of(db, session_id), "")

    def end_session(self, session_id: str, now: float) -> None:
        """Nothing on failure: the session then ends by idling."""
        self._database.write("end_session", lambda db: sessions.end(db, session_id, now), None)

    def add_prompt(
        self, session_id: str, prompt_id: str | None, text: str, now: float, *, opens_turn: bool
    ) -> int:
        """0 on failure: the prompt is then known from the transcript alone."""
        return self._database.write(
            "add_prompt",
            lambda db: sessions.add_prompt(db, session_id, prompt_id, text, now, opens_turn=opens_turn),
            0,
        )

    def prompts(self, session_id: str) -> tuple[KeptPrompt, ...]:
        """None of them on failure."""
        return self._database.read("prompts", lambda db: sessions.prompts(db, session_id), ())

    def turn(self, session_id: str, agent_id: str | None) -> TurnKey:
        """Ordinal 0 on failure: no cooldown and no check of the real turn then counts."""
        if not agent_id:
            ordinal = self._database.read("turn", lambda db: sessions.ordinal_of(db, session_id), 0)
            return TurnKey(session_id, "", ordinal)
        bound = self._database.read("turn", lambda db: sessions.agent_ordinal(db, session_id, agent_id), None)
        if bound is None:
            bound = self._database.write("turn", lambda db: sessions.bind_agent(db, session_id, agent_id), 0)
        return TurnKey(session_id, agent_id, bound)

    def take_check(self, turn: TurnKey, limit: int, *, act: bool = False) -> bool:
        """True on failure: a check too many costs less than a write that nobody looked at."""
        return self._database.write("take_check", lambda db: turns.take_check(db, turn, limit, act=act), True)

    def give_back_check(self, turn: TurnKey, *, act: bool = False) -> None:
        self._database.write("give_back_check", lambda db: turns.give_back_check(db, turn, act=act), None)

    def checks_taken(self, turn: TurnKey) -> int:
        """0 on failure: the turn's first check is never cancelled."""
        return self._database.read("checks_taken", lambda db: turns.checks_taken(db, turn), 0)

    def note_call(
        self,
        tool_use_id: str,
        turn: TurnKey,
        each: Sequence[Effect],
        judged: Sequence[Effect],
        now: float,
    ) -> None:
        """Nothing on failure: the call is then not known as written, and starts no cooldown."""
        self._database.write(
            "note_call", lambda db: turns.note_call(db, tool_use_id, turn, each, judged, now), None
        )

    def settle(self, tool_use_id: str, now: float, *, succeeded: bool) -> None:
        """An id that was never judged, or is settled, changes nothing. No cooldown on failure."""
        self._database.write(
            "settle", lambda db: turns.settle(db, tool_use_id, now, succeeded=succeeded), None
        )

    def written(self, turn: TurnKey) -> tuple[Written, ...]:
        """Nothing on failure."""
        return self._database.read("written", lambda db: writes.of_turn(db, turn), ())

    def made(self, session_id: str, targets: Sequence[str]) -> frozenset[str]:
        """Nothing on failure."""
        return self._database.read("made", lambda db: writes.made(db, session_id, targets), frozenset())

    def note_judged(self, turn: TurnKey, targets: Sequence[str]) -> None:
        """Nothing on failure: it is judged again."""
        self._database.write("note_judged", lambda db: writes.note_judged(db, turn, targets), None)

    def open_coverage(
        self, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass, calls: int
    ) -> None:
        """Nothing on failure: later writes are then checked."""
        self._database.write(
            "open_coverage",
            lambda db: writes.open_coverage(db, turn, directories, operation_class, calls),
            None,
        )

    def use_coverage(
        self, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass
    ) -> bool:
        """False on failure."""
        return self._database.write(
            "use_coverage", lambda db: writes.use_coverage(db, turn, directories, operation_class), False
        )

    def note_attended(self, session_id: str) -> None:
        """Nothing on failure."""
        if not self.was_attended(session_id):
            self._database.write("note_attended", lambda db: sessions.attend(db, session_id), None)

    def was_attended(self, session_id: str) -> bool:
        """True on failure: prompts that came through the client's SDK then resolve nothing."""
        return self._database.read("was_attended", lambda db: sessions.attended(db, session_id), True)

    def intervention(self, session_id: str) -> Intervention | None:
        """None on failure: the call is then judged anew."""
        return self._database.read("intervention", lambda db: interventions.load(db, session_id), None)

    def change_intervention(
        self,
        session_id: str,
        change: Callable[[Intervention | None], tuple[Intervention | None, T]],
        otherwise: T,
    ) -> T:
        """`otherwise` on failure: nothing is remembered then, and nothing released."""

        def act(db: Connection) -> T:
            before = interventions.load(db, session_id)
            after, answer = change(before)
            if after != before:
                interventions.save(db, session_id, after)
            return answer

        return self._database.write("change_intervention", act, otherwise)

    def owe(self, session_id: str, owed: Owed) -> None:
        """Nothing on failure: the person then reads it in the subagent's own transcript."""
        from evaluator.state.tables import owed as owing

        self._database.write("owe", lambda db: owing.add(db, session_id, owed), None)

    def owes(self, session_id: str) -> bool:
        from evaluator.state.tables import owed as owing

        return self._database.read("owes", lambda db: owing.any_of(db, session_id), False)

    def take_owed(self, session_id: str) -> tuple[Owed, ...]:
        """Nothing on failure."""
        from evaluator.state.tables import owed as owing

        if not self._database.read("take_owed", lambda db: owing.any_of(db, session_id), False):
            return ()
        return self._database.write("take_owed", lambda db: owing.take(db, session_id), ())

    def enter_flight(
        self, session_id: str, identity: str, token: str, since: float, now: float, seconds: float
    ) -> bool:
        """True on failure: everybody then checks for themselves."""
        return self._database.write(
            "enter_flight",
            lambda db: flights.enter(db, session_id, identity, token, since, now, seconds),
            True,
        )

    def land_flight(self, session_id: str, identity: str, token: str, now: float, check: Check) -> None:
        """Nothing on failure: those who wait take over when the flight's time is up."""
        outcome = flights.outcome_of(check)
        self._database.write(
            "land_flight", lambda db: flights.land(db, session_id, identity, token, now, outcome), None
        )

    def leave_flight(self, session_id: str, identity: str, token: str) -> None:
        """Nothing on failure: the flight then ends with its time."""
        self._database.write("leave_flight", lambda db: flights.leave(db, session_id, identity, token), None)

    def flight(self, session_id: str, identity: str) -> Landed | None:
        """None on failure."""
        return self._database.read("flight", lambda db: flights.landed(db, session_id, identity), None)

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        """Nothing on failure: that spend is then not counted."""
        self._database.write("add_spend", lambda db: notes.add_spend(db, day, usd, samples), None)

    def spent(self, day: str) -> float:
        """0 on failure."""
        return self._database.read("spent", lambda db: notes.spent(db, day), 0.0)

    def samples_of(self, day: str) -> int:
        """0 on failure."""
        return self._database.read("samples_of", lambda db: notes.samples_of(db, day), 0)

    def cooldowns(self, turn: TurnKey, since: float) -> tuple[Cooldown, ...]:
        """Those of the turn's session and ordinal, of all its agents, oldest first. None on failure."""
        return self._database.read("cooldowns", lambda db: turns.cooldowns(db, turn, since), ())

    def save_check(self, check: Check, turn: TurnKey | None, *, store_evidence: bool) -> None:
        """A check that was saved before is replaced, and is then the newest. Nothing on failure."""
        row = checks.row_of(check, turn, store_evidence=store_evidence)
        session_id = check.pending.session_id
        self._database.write("save_check", lambda db: checks.save(db, session_id, check.at, row), None)

    def check(self, check_id: str | None) -> Mapping[str, object] | None:
        """The record (`records.record_of`) with that id, or with the only id that begins so.

        The one saved last for None. None where there is no such record, and on failure.
        """
        return self._database.read("check", lambda db: checks.find(db, check_id), None)

    def next_sequence(self, session_id: str) -> int:
        """0 on failure."""
        return self._database.write("next_sequence", lambda db: sessions.next_sequence(db, session_id), 0)

    def issue_token(self, now: float, seconds: float, holder: str = "") -> str:
        """An empty token on failure, which `holds_token` never holds."""
        token = f"{self._random(TOKEN_BYTES).hex()}@{holder}"
        return self._database.write("issue_token", lambda db: notes.add_token(db, token, now + seconds), "")

    def holds_token(self, token: str, now: float) -> bool:
        """False on failure."""
        return self._database.read("holds_token", lambda db: notes.holds_token(db, token, now), False)

    def revoke_token(self, token: str) -> None:
        """Nothing on failure: the token then ends with its time."""
        self._database.write("revoke_token", lambda db: notes.drop_token(db, token), None)

    def admit(self, key: str, rules: BreakerRules, now: float) -> Admission:
        """Closed on failure: a database at fault must not keep the readers from being asked."""
        token = self._random(TOKEN_BYTES).hex()
        return self._database.write(
            "admit", lambda db: breakers.admit(db, key, rules, now, token), Admission("closed")
        )

    def report(
        self, key: str, rules: BreakerRules, now: float, outcome: EvaluationOutcome, token: str | None
    ) -> Transition | None:
        """Nothing on failure: the outcome is not counted, and a probe ends with its lease."""
        return self._database.write(
            "report", lambda db: breakers.report(db, key, rules, now, outcome, token), None
        )

    def breaker(self, key: str) -> BreakerState:
        """Closed on failure."""
        closed: BreakerState = Closed()
        return self._database.read("breaker", lambda db: breakers.get(db, key), closed)

    def breakers(self) -> Mapping[str, BreakerState]:
        """None of them on failure."""
        return self._database.read("breakers", breakers.every, {})

    def meet_outage(
        self, session_id: str, key: str, now: float, cause: str | None
    ) -> tuple[Outage, bool] | None:
        """None on failure: the session is then told at its next call."""
        from evaluator.state.tables import outages

        return self._database.write(
            "meet_outage", lambda db: outages.meet(db, session_id, key, now, cause), None
        )

    def readers_back(self, session_id: str, key: str, now: float) -> ReadersBack | None:
        """None on failure, too."""
        from evaluator.state.tables import outages

        if not self._database.read("readers_back", lambda db: outages.is_out(db, session_id, key), False):
            return None
        return self._database.write("readers_back", lambda db: outages.back(db, session_id, key, now), None)

    def outages(self) -> tuple[Outage, ...]:
        """None of them on failure."""
        from evaluator.state.tables import outages

        return self._database.read("outages", outages.every, ())

    def recall_exchange(self, session_id: str, agent_id: str) -> str | None:
        """What `remember_exchange` last kept of that session's transcript. None on failure."""
        return self._database.read(
            "recall_exchange", lambda db: exchanges.recall(db, session_id, agent_id), None
        )

    def remember_exchange(self, session_id: str, agent_id: str, data: str) -> None:
        """Until the session is swept. Nothing on failure: the transcript is then read again."""
        self._database.write(
            "remember_exchange", lambda db: exchanges.remember(db, session_id, agent_id, data), None
        )

    def get_note(self, key: str) -> str | None:
        """What `set_note` last kept under the key, for the whole machine. None on failure."""
        return self._database.read("get_note", lambda db: notes.get(db, key), None)

    def set_note(self, key: str, value: str) -> None:
        """Nothing on failure."""
        self._database.write("set_note", lambda db: notes.put(db, key, value), None)

    def change_note(self, key: str, make: Callable[[str | None], tuple[str | None, T]], otherwise: T) -> T:
        """`otherwise` on failure: the note stays what it is."""
        return self._database.write("change_note", lambda db: notes.change(db, key, make), otherwise)

    def sweep(self, now: float, retention_days: int) -> None:
        """Nothing on failure: the next sweep takes it along."""
        self._database.write("sweep", lambda db: sweep(db, now, retention_days), None)
