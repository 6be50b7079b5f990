"""The record of a precedent. Depends on nothing but `Record`."""

from __future__ import annotations

from typing import Literal

from evaluator.record import Record

Source = Literal["chosen", "clarified", "cancelled", "glossary", "edited", "imported"]
SOURCES: tuple[Source, ...] = ("chosen", "clarified", "cancelled", "glossary", "edited", "imported")

TEXT_CHARS_MAX = 200
"""Of a term, of what was said and of a target."""


class Precedent(Record):
    """What open words of a request turned out to mean. All texts stood in the user's words or name a known file.

    `precedent_id` is a ULID, `at` seconds since the epoch. `project` is the project key, `checkout` the resolved root
    of the work tree in which it was settled, `branch` the branch at that time, empty where it is not known. `check_id`
    is the check whose hold was answered, empty for what no check led to. `term` and `said` are as the user typed them,
    at most `TEXT_CHARS_MAX` characters each. `action` and `extent` are of the closed lists of readings, empty for
    unknown. `target` is relative to the root of the work tree. `tightens`: the user did not want `target` for `term`.
    """

    precedent_id: str
    project: str
    checkout: str
    branch: str
    session_id: str
    check_id: str
    at: float
    source: Source
    term: str
    said: str
    action: str
    target: str
    extent: str
    tightens: bool
