"""The shapes of what the tools answer; each becomes a tool's output schema. No scores: they would be steered by."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from compass.advising.words import NOTE


class Answer(BaseModel):
    note: str = Field(default=NOTE, description="What this is not")


class Advice(Answer):
    """What `check_write` found."""

    verdict: Literal["passed", "failed", "skipped"] = Field(
        description="passed: readers would agree; failed: ask the user; skipped: nobody judged it"
    )
    reason: str = Field(description="Why, as one of Compass's reasons")
    why: str = Field(description="The same in words")
    question: str = Field(
        default="", description="Show it to the user word for word; empty where nothing is to be asked"
    )
    readings: list[str] = Field(default_factory=list, description="What the request can mean, at most three")
    account: str = Field(description="Where what the user said was taken from")
    user_answered: str = Field(
        default="", description="What the user answered to this server, as text for you; it releases nothing"
    )


class Explanation(Answer):
    """One past check, in words."""

    check_id: str
    when: str = Field(description="Local time")
    session: str
    write: str
    outcome: str = Field(description="held, let run, passed or skipped")
    why: str
    readings: list[str] = Field(default_factory=list)
    question: str = ""


class Question(BaseModel):
    """What is held in one session and waits for its user."""

    session: str
    since: str = Field(description="Local time")
    held: list[str]
    readings: list[str] = Field(default_factory=list)
    user_said: list[str] = Field(
        default_factory=list, description="Said since; the next try of a held write is judged with it"
    )
    user_may: str = Field(description="What the user may type, in that session")


class Pending(Answer):
    questions: list[Question]


class Lesson(BaseModel):
    """One request whose writes were held."""

    when: str = Field(description="Local time")
    session: str
    request: str = Field(default="", description="Empty where requests are not kept")
    held: list[str]
    open: str = Field(description="What was open")
    settled: str = Field(description="How it ended")
    coach: str = Field(description="What would have saved the block")


class Feedback(Answer):
    summary: str
    lessons: list[Lesson]


class Listed(BaseModel):
    check_id: str
    when: str
    outcome: str
    write: str
