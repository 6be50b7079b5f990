"""The state in memory: `ports.StateStore` for one process. Stands in for a database that cannot be used."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from evaluator.model import Check, KeptPrompt, OperationClass
from evaluator.ports import Cooldown, TurnKey
from evaluator.stages.cooldown import directory_and_stem
from evaluator.state.records import PROMPT_CHARS_MAX, TOKEN_BYTES, bounded_id, record_of
from evaluator.state.sweep import DAY_SECONDS, ENDED_SECONDS, PENDING_SECONDS


@dataclass(slots=True)
class Session:
    heartbeat: float = 0.0
    ended_at: float | None = None
    sequence: int = 0
    turn_ordinal: int = 0
    prompts: list[KeptPrompt] = field(default_factory=list[KeptPrompt])
    agents: dict[str, int] = field(default_factory=dict[str, int])
    checks_taken: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    cooldowns: dict[tuple[int, str, str, OperationClass], float] = field(
        default_factory=dict[tuple[int, str, str, OperationClass], float]
    )


@dataclass(frozen=True, slots=True)
class Judged:
    session_id: str
    ordinal: int
    targets: tuple[str, ...]
    operation_class: OperationClass
    at: float


class MemoryStore:
    """Behaves like the database, for the threads of one process, and forgets all when it ends."""

    def __init__(self, random: Callable[[int], bytes] = os.urandom, faults: Sequence[str] = ()) -> None:
        self.faults: Sequence[str] = faults
        self._random = random
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._judged: dict[str, Judged] = {}
        self._checks: dict[str, tuple[float, Mapping[str, object]]] = {}
        self._tokens: dict[str, float] = {}
        self._notes: dict[str, str] = {}

    def close(self) -> None:
        """Nothing to close."""

    def start_session(self, session_id: str, project_dir: str, now: float) -> None:
        with self._lock:
            session = self._session(session_id, now)
            session.heartbeat = now
            session.ended_at = None

    def end_session(self, session_id: str, now: float) -> None:
        with self._lock:
            self._session(session_id, now).ended_at = now

    def add_prompt(
        self, session_id: str, prompt_id: str | None, text: str, now: float, *, opens_turn: bool
    ) -> int:
        with self._lock:
            session = self._session(session_id, now)
            session.ended_at = None
            session.turn_ordinal += int(opens_turn)
            kept_id = None if prompt_id is None else bounded_id(prompt_id)
            session.prompts.append(KeptPrompt(kept_id, text[:PROMPT_CHARS_MAX], session.turn_ordinal))
            return session.turn_ordinal

    def prompts(self, session_id: str) -> tuple[KeptPrompt, ...]:
        with self._lock:
            session = self._sessions.get(bounded_id(session_id))
            return () if session is None else tuple(session.prompts)

    def turn(self, session_id: str, agent_id: str | None) -> TurnKey:
        with self._lock:
            session = self._sessions.get(bounded_id(session_id))
            if not agent_id:
                return TurnKey(session_id, "", 0 if session is None else session.turn_ordinal)
            session = session or self._session(session_id)
            bound = session.agents.setdefault(bounded_id(agent_id), session.turn_ordinal)
            return TurnKey(session_id, agent_id, bound)

    def take_check(self, turn: TurnKey, limit: int) -> bool:
        with self._lock:
            taken = self._session(turn.session_id).checks_taken
            key = (bounded_id(turn.agent_id), turn.ordinal)
            if taken.get(key, 0) >= limit:
                return False
            taken[key] = taken.get(key, 0) + 1
            return True

    def checks_taken(self, turn: TurnKey) -> int:
        with self._lock:
            session = self._sessions.get(bounded_id(turn.session_id), Session())
            return session.checks_taken.get((bounded_id(turn.agent_id), turn.ordinal), 0)

    def note_judged(
        self,
        tool_use_id: str,
        turn: TurnKey,
        targets: Sequence[str],
        operation_class: OperationClass,
        now: float,
    ) -> None:
        with self._lock:
            self._session(turn.session_id, now)
            self._judged[bounded_id(tool_use_id)] = Judged(
                bounded_id(turn.session_id), turn.ordinal, tuple(targets), operation_class, now
            )

    def settle(self, tool_use_id: str, now: float, *, succeeded: bool) -> None:
        with self._lock:
            judged = self._judged.pop(bounded_id(tool_use_id), None)
            session = None if judged is None else self._sessions.get(judged.session_id)
            if judged is None or session is None or not succeeded:
                return
            for target in judged.targets:
                key = (judged.ordinal, *directory_and_stem(target), judged.operation_class)
                session.cooldowns[key] = now

    def cooldowns(self, turn: TurnKey, since: float) -> tuple[Cooldown, ...]:
        with self._lock:
            session = self._sessions.get(bounded_id(turn.session_id), Session())
            found = [
                Cooldown(directory, stem, operation_class, at)
                for (ordinal, directory, stem, operation_class), at in session.cooldowns.items()
                if ordinal == turn.ordinal and at >= since
            ]
        return tuple(sorted(found, key=lambda cooldown: (cooldown.at, cooldown.directory, cooldown.stem)))

    def save_check(self, check: Check, turn: TurnKey | None, *, store_evidence: bool) -> None:
        record = record_of(check, turn, store_evidence=store_evidence)
        key = bounded_id(check.check_id)
        with self._lock:
            self._session(check.pending.session_id, check.at)
            self._checks.pop(key, None)
            self._checks[key] = (check.at, record)

    def check(self, check_id: str | None) -> Mapping[str, object] | None:
        with self._lock:
            if check_id is None:
                return next((record for _, record in reversed(self._checks.values())), None)
            return self._named(check_id) or self._named(check_id.upper())

    def next_sequence(self, session_id: str) -> int:
        with self._lock:
            session = self._session(session_id)
            session.sequence += 1
            return session.sequence - 1

    def issue_token(self, now: float, seconds: float) -> str:
        token = self._random(TOKEN_BYTES).hex()
        with self._lock:
            self._tokens[token] = now + seconds
        return token

    def holds_token(self, token: str, now: float) -> bool:
        with self._lock:
            return self._tokens.get(token, now) > now

    def revoke_token(self, token: str) -> None:
        with self._lock:
            self._tokens.pop(token, None)

    def get_note(self, key: str) -> str | None:
        with self._lock:
            return self._notes.get(bounded_id(key))

    def set_note(self, key: str, value: str) -> None:
        with self._lock:
            self._notes[bounded_id(key)] = value

    def sweep(self, now: float, retention_days: int) -> None:
        oldest = now - retention_days * DAY_SECONDS
        with self._lock:
            self._checks = {key: kept for key, kept in self._checks.items() if kept[0] >= oldest}
            for session in self._sessions.values():
                session.heartbeat = session.heartbeat or now
                if session.ended_at is not None and session.ended_at < now - ENDED_SECONDS:
                    session.prompts.clear()
                session.cooldowns = {
                    key: at for key, at in session.cooldowns.items() if abs(now - at) <= PENDING_SECONDS
                }
            self._sessions = {key: kept for key, kept in self._sessions.items() if kept.heartbeat >= oldest}
            self._judged = {
                key: judged
                for key, judged in self._judged.items()
                if judged.session_id in self._sessions and abs(now - judged.at) <= PENDING_SECONDS
            }
            self._tokens = {token: end for token, end in self._tokens.items() if end > now}

    def _session(self, session_id: str, now: float = 0.0) -> Session:
        session = self._sessions.setdefault(bounded_id(session_id), Session())
        session.heartbeat = max(session.heartbeat, now)
        return session

    def _named(self, check_id: str) -> Mapping[str, object] | None:
        exact = self._checks.get(bounded_id(check_id))
        if exact is not None or not check_id:
            return None if exact is None else exact[1]
        found = [record for key, (_, record) in self._checks.items() if key.startswith(check_id)]
        return found[0] if len(found) == 1 else None
