"""Recorded sessions of Claude Code, for replay and calibration. Satisfies `hooks.sessions.Sessions`."""

from __future__ import annotations

from hooks.hosts.claude_code.replay.files import find_transcripts
from hooks.hosts.claude_code.replay.session import session_moments
from hooks.hosts.claude_code.replay.showing import shown
from hooks.hosts.claude_code.replay.then import TranscriptThen
from hooks.hosts.claude_code.replay.writing import WrittenSession, transcript
from hooks.hosts.claude_code.transcript.chain import walk
from hooks.lines import Tail

__all__ = ["find_transcripts", "made_up", "session_moments", "shown", "standing", "then", "transcript"]


def then() -> TranscriptThen:
    return TranscriptThen()


def standing(path: str) -> frozenset[str]:
    return frozenset(step.entry.uuid for step in walk(Tail(path)) if step.on_chain)


def made_up(path: str, session_id: str) -> WrittenSession:
    return WrittenSession(path, session_id)
