"""What model readers are asked about a turn: the prompts, their ids, and the answers. Pure but for the wording's files.

The second question is blind: it is shown nothing that came after the writes. Texts come in sanitized.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, Literal, cast

from calibration.hindsight.turns import DUES, HINDSIGHTS, SessionTurn, TurnLabel, TurnWrite, by_signs

Kind = Literal["hindsight", "due"]
WORDING: Final = Path(__file__).parent.parent / "wording"
CHARS_MAX: Final = 2000
"""Of each text of the session."""
LINE_CHARS_MAX: Final = 200
WRITES_MAX: Final = 30
ANSWER_TOKENS: Final = 300
USUAL_ANSWER_TOKENS: Final = 60
Clean = Callable[[str, int | None], str]
"""(text, the most characters) -> what may leave of it."""

_WHY: Final = {"type": "string"}
SCHEMAS: Final[Mapping[Kind, Mapping[str, object]]] = {
    "hindsight": {
        "type": "object",
        "properties": {
            "why": _WHY,
            "hindsight": {"type": "string", "enum": ["intent", "quality", "fine", "unknown"]},
            "calls": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["why", "hindsight", "calls"],
        "additionalProperties": False,
    },
    "due": {
        "type": "object",
        "properties": {"why": _WHY, "due": {"type": "string", "enum": ["yes", "maybe", "no"]}},
        "required": ["why", "due"],
        "additionalProperties": False,
    },
}


@dataclass(frozen=True, slots=True)
class Question:
    """`custom_id` depends on the turn and on what is asked, so an answer serves every later run."""

    kind: Kind
    custom_id: str
    system: str
    user: str

    @property
    def schema(self) -> Mapping[str, object]:
        return SCHEMAS[self.kind]


def questions_of(turn: SessionTurn, clean: Clean) -> tuple[Question, Question]:
    """The questions that readers are asked about a turn: hindsight first, then whether a question was due."""
    nonce = turn.id[:12]
    before = [
        _question_slot("agent_said_before", nonce, clean(turn.prior[-2 * CHARS_MAX :], CHARS_MAX)),
        _question_slot("user_asked", nonce, clean(turn.request, CHARS_MAX)),
    ]
    lines = [
        f"{number}. {clean(write.line, LINE_CHARS_MAX)}"
        for number, write in enumerate(turn.writes[:WRITES_MAX], 1)
    ]
    if len(turn.writes) > WRITES_MAX:
        lines.append(f"... and {len(turn.writes) - WRITES_MAX} more")
    told = [
        line + _question_write_sign(write, clean) for line, write in zip(lines, turn.writes, strict=False)
    ]
    told += [*lines[len(told) :], *["The user interrupted the agent here."] * turn.interrupted]
    after = [
        _question_slot("calls", nonce, "\n".join(told)),
        _question_slot(
            "user_said_next", nonce, clean(turn.said_next, CHARS_MAX) or "(nothing: the session ends)"
        ),
    ]
    blind = [_question_slot("calls", nonce, "\n".join(lines))]
    return _question("hindsight", turn, [*before, *after]), _question("due", turn, [*before, *blind])


def label_of(turn: SessionTurn, answers: Mapping[Kind, str]) -> TurnLabel:
    """A turn's label by the readers' answers, by signs where there is none that can be read."""
    signs = by_signs(turn)
    if signs.due == "no":
        # The person's own word stands above what readers would say.
        return signs
    seen = _parse_question_answer(answers.get("hindsight", ""))
    hindsight, due = seen.get("hindsight"), _parse_question_answer(answers.get("due", "")).get("due")
    if hindsight not in HINDSIGHTS:
        hindsight = None
    numbers = seen.get("calls")
    named = [
        turn.writes[one - 1].call
        for one in (cast(list[object], numbers) if isinstance(numbers, list) else [])
        if isinstance(one, int) and 0 < one <= len(turn.writes)
    ]
    calls = tuple(dict.fromkeys(named)) if hindsight == "intent" else ()
    return replace(
        signs,
        hindsight=hindsight or signs.hindsight,
        due=due if due in DUES else "unknown",
        calls=calls if hindsight else signs.calls,
        by="readers" if hindsight else "signs",
        why=" ".join(str(seen.get("why", "")).split())[:LINE_CHARS_MAX] if hindsight else signs.why,
    )


def tokens_of(question: Question) -> int:
    """How many tokens a question takes, as a rough count for English."""
    return round((len(question.system) + len(question.user) + len(json.dumps(question.schema))) / 3.6)


def _question_write_sign(write: TurnWrite, clean: Clean) -> str:
    if write.refused:
        said = f' and said: "{clean(write.refusal, CHARS_MAX)}"' if write.refusal else ""
        return f" (the user refused this call{said})"
    return " (later taken back)" if write.taken_back else ""


def _question(kind: Kind, turn: SessionTurn, slots: list[str]) -> Question:
    system, user = _wording(kind), "\n\n".join(slots)
    said = "\0".join((turn.id, kind, system, user))
    digest = hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()
    return Question(kind, f"{kind}-{digest[:40]}", system, user)


@cache
def _wording(kind: Kind) -> str:
    return (WORDING / f"{kind}.md").read_text(encoding="utf-8").strip()


def _question_slot(name: str, nonce: str, text: str) -> str:
    return f"<{name}-{nonce}>\n{text}\n</{name}-{nonce}>"


def _parse_question_answer(text: str) -> Mapping[str, object]:
    """The JSON object of a reader's answer, whatever stands around it; empty for none."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        found: object = json.loads(text[begin : end + 1]) if begin >= 0 else None
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}
