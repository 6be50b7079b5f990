"""The state in SQLite: `ports.StateStore` over one database file. Opened by `evaluator.state.store`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from evaluator.model import Check, KeptPrompt, OperationClass
from evaluator.ports import Cooldown, TurnKey
from evaluator.state import checks, notes, sessions, turns
from evaluator.state.database import Database
from evaluator.state.faults import FaultLog
from evaluator.state.records import TOKEN_BYTES
from evaluator.state.sweep import sweep


class SqliteStore:
    """Every method is one transaction, safe among threads and processes.

    When the database fails in use (locked, full, gone), a method notes the fault and returns its safe
    answer, which each docstring names; nothing was changed then. `random` gives that many random bytes.
    """

    def __init__(
        self, database: Database, faults: FaultLog, random: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._database = database
        self._faults = faults
        self._random = random

    @property
    def faults(self) -> Sequence[str]:
        """The faults of this process, oldest first."""
        return self._faults.lines

    def close(self) -> None:
        """A later operation opens the database again."""
        self._database.close()

    def start_session(self, session_id: str, project_dir: str, now: float) -> None:
        """Also resumes: prompts, ordinals and sequence of the session go on. Nothing on failure."""
        self._database.write(
            "start_session", lambda db: sessions.start(db, session_id, project_dir, now), None
        )

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

    def take_check(self, turn: TurnKey, limit: int) -> bool:
        """True on failure: a check too many costs less than a write that nobody looked at."""
        return self._database.write("take_check", lambda db: turns.take_check(db, turn, limit), True)

    def checks_taken(self, turn: TurnKey) -> int:
        """0 on failure: the turn's first check is never cancelled."""
        return self._database.read("checks_taken", lambda db: turns.checks_taken(db, turn), 0)

    def note_judged(
        self,
        tool_use_id: str,
        turn: TurnKey,
        targets: Sequence[str],
        operation_class: OperationClass,
        now: float,
    ) -> None:
        """Nothing on failure: the call then starts no cooldown."""
        self._database.write(
            "note_judged",
            lambda db: turns.note_judged(db, tool_use_id, turn, targets, operation_class, now),
            None,
        )

    def settle(self, tool_use_id: str, now: float, *, succeeded: bool) -> None:
        """An id that was never judged, or is settled, changes nothing. No cooldown on failure."""
        self._database.write(
            "settle", lambda db: turns.settle(db, tool_use_id, now, succeeded=succeeded), None
        )

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

    def issue_token(self, now: float, seconds: float) -> str:
        """An empty token on failure, which `holds_token` never holds."""
        token = self._random(TOKEN_BYTES).hex()
        return self._database.write("issue_token", lambda db: notes.add_token(db, token, now + seconds), "")

    def holds_token(self, token: str, now: float) -> bool:
        """False on failure."""
        return self._database.read("holds_token", lambda db: notes.holds_token(db, token, now), False)

    def revoke_token(self, token: str) -> None:
        """Nothing on failure: the token then ends with its time."""
        self._database.write("revoke_token", lambda db: notes.drop_token(db, token), None)

    def get_note(self, key: str) -> str | None:
        """What `set_note` last kept under the key, for the whole machine. None on failure."""
        return self._database.read("get_note", lambda db: notes.get(db, key), None)

    def set_note(self, key: str, value: str) -> None:
        """Nothing on failure."""
        self._database.write("set_note", lambda db: notes.put(db, key, value), None)

    def sweep(self, now: float, retention_days: int) -> None:
        """Nothing on failure: the next sweep takes it along."""
        self._database.write("sweep", lambda db: sweep(db, now, retention_days), None)
