"""Every hostile case of `fixtures/injection` goes the whole way into a request, and the request's structure holds."""

from __future__ import annotations

import html
import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import pytest
from corpora import corpus
from repository import ROOT
from samples.caserows import subject_of

from calibration.cases.case import effects_of, exchange_of, pending_of
from compass.arguments import FixedExchange, Given, parts_for
from compass.composition.gate import wire
from evaluator.effects import effect
from evaluator.egress import prompt
from evaluator.egress.evidence import COMMAND_CHARS_MAX, EARLIER_CHARS_MAX, NAMES_MAX, PATH_CHARS_MAX
from evaluator.egress.lookups import TOTAL_CHARS_MAX as LOOKED_UP_CHARS_MAX
from evaluator.egress.sanitizer import sanitize, sanitize_path
from evaluator.gate import pipeline
from evaluator.gate.run import Parts
from evaluator.model import (
    AnsweredQuestion,
    Effects,
    Evidence,
    Exchange,
    KeptPrompt,
    Lookup,
    PendingWrite,
    Plan,
)
from evaluator.ports import Voice
from evaluator.settings.keys import PROMPT_TAGS, EvidenceSettings, Settings
from evaluator.shell.bash import classify
from evaluator.text import width

CORPUS = ROOT / "fixtures/injection/corpus.jsonl"
SETTINGS = Settings(enabled=True, evidence=EvidenceSettings(lookups="targets"))


@dataclass(frozen=True)
class Built:
    """A case on its way: what the readers are given, and the user part of the request that comes of it."""

    evidence: Evidence
    user: str


def _grown(value: object, grow: Sequence[Any]) -> object:
    if isinstance(value, str):
        return value.replace("{grow}", str(grow[0]) * int(grow[1]))
    if isinstance(value, dict):
        return {key: _grown(item, grow) for key, item in value.items()}
    if isinstance(value, list):
        return [_grown(item, grow) for item in value]
    return value


def whole(row: Mapping[str, Any]) -> dict[str, Any]:
    """The case with what its `grow` stands for."""
    grow: Mapping[str, Sequence[Any]] = row.get("grow", {})
    return {key: _grown(value, grow[key]) if key in grow else value for key, value in row.items()}


@lru_cache
def cases() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in CORPUS.read_text(encoding="ascii").splitlines())


def given_of(row: Mapping[str, Any]) -> Given:
    """As `compass check --case` does it, with what only this corpus has."""
    said, answer, plan = exchange_of(row), row.get("answer"), row.get("plan")
    exchange = replace(
        said,
        delegated_task=row.get("delegated_task", ""),
        plans=(Plan(plan, approved=True),) if plan else (),
        questions=(AnsweredQuestion(answer["question"], tuple(answer["options"]), tuple(answer["answers"])),)
        if answer
        else (),
    )
    return Given(pending_of(row), exchange, effects_of(row, classify))


class LookedUp(FixedExchange):
    """The exchange of a case, what its agent looked up, and what was said before: (user, assistant), newest first."""

    def __init__(
        self, exchange: Exchange, found: Sequence[Mapping[str, Any]], earlier: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(exchange)
        self._found, self._earlier = found, earlier

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        # What the assistant said after a message stands before the next newer one.
        said = zip(self._earlier, [*(reply for _, reply in self._earlier[1:]), ""], strict=False)
        older = (Voice(text, None, typed=True, after=after) for (text, _), after in said)
        return (*super().voices(pending), *older)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return tuple(
            Lookup(one["tool"], one["input"], one["result"], one.get("failed", False)) for one in self._found
        )

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        return ()


def parts_of(row: Mapping[str, Any], given: Given, parts: Parts) -> Parts:
    """The effects are the row's for its own call alone: what was looked up is told to read by the gate's own parts."""
    assert given.exchange is not None

    def effects_of(pending: PendingWrite) -> Effects | None:
        return given.effects if pending is given.pending else parts.effects_of(pending)

    looked = LookedUp(given.exchange, row.get("lookups", ()), row.get("earlier", ()))
    return replace(parts_for(given, parts), transcripts=looked, effects_of=effects_of)


def evidence_for(row: Mapping[str, Any], parts: Parts) -> Evidence:
    """By the pipeline itself; what the turn wrote stands in the store."""
    given = given_of(row)
    store, session = parts.store, given.pending.session_id
    turn = store.turn(session, None)
    known = {file.target for file in store.written(turn)}
    for number, name in enumerate(row.get("turn_so_far", ())):
        target = f"{given.pending.project_dir}/{name}"
        if target not in known:
            use = f"{session}-{number}"
            store.note_call(use, turn, [effect("edit", target)], (), float(number))
            store.settle(use, float(number), succeeded=True)
    found = pipeline.evidence_of(parts_of(row, given, parts), given.pending)
    assert found is not None
    return found


def built_of(row: Mapping[str, Any], parts: Parts, nonce: str | None = None) -> Built:
    evidence = evidence_for(row, parts)
    return Built(evidence, prompt.build_prompt(evidence, nonce or os.urandom(6).hex()).user)


FAMILIES = {
    "forged_slot": 24, "reformed_delimiter": 14, "unicode_delimiter": 29, "confusable": 10,
    "guessed_suffix": 11, "chat_template": 24, "dictated_score": 40, "smuggled_instruction": 25,
    "padding": 16, "hostile_path": 25, "hostile_command": 29, "broken_text": 24,
    "looked_up_order": 40,
}  # fmt: skip
DELIMITER_FAMILIES = ("forged_slot", "reformed_delimiter", "guessed_suffix")
LISTED = SETTINGS.sanitization.strip_sequences

ORDER = (
    "earlier_messages", "prior_assistant_turn", "current_request", "resolved_option", "approved_plan", "delegated_task",
    "turn_so_far", "file_contents", "looked_up", "pending_write",
)  # fmt: skip
FIELD_OF = {slot: slot for slot in ORDER[:-1]} | {"approved_plan": "plan", "file_contents": "contents"}
LIMITS = {
    "current_request": SETTINGS.context_chars_max,
    "prior_assistant_turn": SETTINGS.transcript.prior_turn_chars_max,
    "resolved_option": SETTINGS.context_chars_max, "plan": SETTINGS.context_chars_max,
    "delegated_task": SETTINGS.context_chars_max, "command": COMMAND_CHARS_MAX, "tool_name": 100,
}  # fmt: skip
FRAME_CHARS_MAX = 2000
# A name is quoted as JSON, which can double it; a line of a command is indented.
TOTAL_CHARS_MAX = (
    FRAME_CHARS_MAX
    + 2 * LOOKED_UP_CHARS_MAX
    + EARLIER_CHARS_MAX
    + 6 * sum(LIMITS.values())
    + 2 * (NAMES_MAX + 1) * (2 * PATH_CHARS_MAX + 20)
)

UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-"
    "\u202e\u2060-\u206f\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U0010ffff]"
)
ANY_TAG = re.compile(rf"<\W*({'|'.join(PROMPT_TAGS)})", re.IGNORECASE)
TEMPLATE = re.compile(
    r"<\||\|>|<\s*\|\s*\w+\s*\|\s*>|\[\s*/?\s*inst\s*\]|<\s*<\s*/?\s*sys\s*>\s*>", re.IGNORECASE
)


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parts]:
    place = str(tmp_path_factory.mktemp("place"))
    env = {"HOME": place, "ONLOOKER_DIR": f"{place}/onlooker"}
    settings = replace(SETTINGS, evaluator=replace(SETTINGS.evaluator, backend="embedded"))
    wired = wire(env, place, place, settings=settings, keep=False)
    yield wired.parts
    wired.close()


@pytest.fixture(scope="module")
def built(gate: Parts) -> dict[str, Built]:
    return {row["id"]: built_of(whole(row), gate) for row in cases()}


def parted(user: str, nonce: str) -> tuple[str, list[tuple[str, str]]]:
    """What stands outside of the slots, each slot as its name alone; and (name, text) of each slot."""
    slot = re.compile(rf"<([a-z_]+)-{nonce}>\n(.*?)\n</\1-{nonce}>", re.DOTALL)
    return slot.sub(r"<\1>", user).replace(nonce, "*"), [(m[1], m[2]) for m in slot.finditer(user)]


@lru_cache
def frame_of(slots: tuple[str, ...]) -> str:
    """What stands outside of the slots of a harmless request of the same shape."""
    filled = {
        FIELD_OF[slot]: ("x",) if slot in ("turn_so_far", "looked_up", "earlier_messages") else "x"
        for slot in slots
        if slot in FIELD_OF
    }
    plain = Evidence("Edit", "edit", "modifying", ("x",), **{"current_request": "", **filled})  # type: ignore[arg-type]
    return parted(prompt.build_prompt(plain, "0" * 12).user, "0" * 12)[0]


def shown_tags(text: str) -> list[str]:
    """Names of slots that a reader could take for tags: escapes undone, marks over letters ignored."""
    for _ in range(3):
        text = html.unescape(text)
    text = re.sub(r"\\u003c|\\x3c|%(?:25)*3c", "<", text, flags=re.IGNORECASE)
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return [match[1].lower() for match in ANY_TAG.finditer(bare)]


def broken_structure(evidence: Evidence, user: str) -> list[str]:
    """The names of the rules of a request's structure that this one breaks."""
    filled = (slot for slot in ORDER[:-1] if "".join(getattr(evidence, FIELD_OF[slot])).strip())
    slots, nonce = [*filled, "pending_write"], user.split(".\n", 1)[0].rsplit(" ", 1)[1]
    outside, texts = parted(user, nonce)
    inside = "\n".join(text for _, text in texts)
    holds = {
        "a fresh suffix": bool(re.fullmatch(r"[0-9a-f]{12}", nonce)),
        "each expected slot once, in order": [name for name, _ in texts] == slots,
        "every tag is ours": shown_tags(user) == [slot for slot in slots for _ in range(2)],
        "nothing of the case outside of the slots": outside == frame_of(tuple(slots)),
        "no template token": not TEMPLATE.search(inside),
        "no listed sequence": not any(one.casefold() in inside.casefold() for one in LISTED),
        "nothing unseen": not UNSEEN.search(user),
        "bounded": len(user) <= TOTAL_CHARS_MAX,
        "each looked-up line is one quoted line": all(
            isinstance(json.loads(line), str)
            for name, text in texts
            if name == "looked_up"
            for line in text.split("\n")
        ),
        "one fact a line": _facts_hold(evidence, texts[-1][1] if texts else ""),
    }
    return [rule for rule, held in holds.items() if not held]


def _facts_hold(evidence: Evidence, write: str) -> bool:
    """The write's slot says each fact once, and all that a command holds is indented below it."""
    told = [line for line in write.split("\n") if not line.startswith("    ")]
    expected = ["tool", "operation", *(["target"] * max(len(evidence.targets), 1))]
    expected += ["size"] if evidence.lines is not None else []
    expected += ["command"] if evidence.command.strip() else []
    return [line.partition(":")[0] for line in told] == expected


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert Counter(row["family"] for row in cases()) == FAMILIES
    assert len({row["id"] for row in cases()}) == sum(FAMILIES.values())
    told = Counter(field for row in cases() for field in row["where"])
    assert min(told.values()) >= 4 and len(told) == 9


@corpus("family", FAMILIES)
def test_the_structure_of_the_request_holds(family: str, built: dict[str, Built]) -> None:
    of_family = [row["id"] for row in cases() if row["family"] == family]
    broken = {name: broken_structure(built[name].evidence, built[name].user) for name in of_family}
    assert {name: rules for name, rules in broken.items() if rules} == {}


def test_without_the_sanitizer_the_structure_would_break() -> None:
    """The rules above can fail: most delimiter cases break them when they are sent as they are."""
    broken: Counter[str] = Counter()
    for row in cases():
        if row["family"] in DELIMITER_FAMILIES:
            raw = subject_of(whole(row), classify).evidence
            texts = {name: row.get(name, "") for name in ("delegated_task", "plan")}
            turn, option = tuple(row.get("turn_so_far", ())), json.dumps(row.get("answer", ""))
            raw = replace(raw, **texts, turn_so_far=turn, resolved_option=option)
            user = prompt.build_prompt(raw, os.urandom(6).hex()).user
            broken[row["family"]] += bool(broken_structure(raw, user))
    total = sum(FAMILIES[family] for family in DELIMITER_FAMILIES)
    assert sum(broken.values()) >= 0.85 * total, broken


def test_most_orders_in_looked_up_text_reach_the_slot_and_no_other(built, gate):
    """Without lines there is nothing to withstand; what is beside them stays as it is without them."""
    rows = [row for row in cases() if row["family"] == "looked_up_order"]
    assert len([row for row in rows if built[row["id"]].evidence.looked_up]) >= 0.9 * len(rows)
    for row in rows:
        evidence = built[row["id"]].evidence
        plain = evidence_for({**whole(row), "lookups": (), "id": f"{row['id']}-none"}, gate)
        assert plain.looked_up == ()
        assert replace(evidence, looked_up=(), turn_so_far=()) == replace(plain, turn_so_far=())
        assert evidence.identity() == plain.identity()


def in_the_past(row: dict[str, Any]) -> dict[str, Any]:
    """The case's hostile texts said earlier, answered so, and given to calls of this turn."""
    held = [row[field] for field in row["where"] if row.get(field)]
    said = [one if isinstance(one, str) else json.dumps(one) for one in held]
    said += [one["result"] for one in row.get("lookups", ())]
    calls = [
        call
        for text in said[:1]
        for call in (
            {"tool": "Bash", "input": {"command": f"rm -f {text}"}, "result": text},
            {"tool": "Write", "input": {"file_path": text, "content": ""}, "result": ""},
            {"tool": f"mcp__x__delete_{text}", "input": {"path": text}, "result": "", "failed": True},
        )
    ]
    return {**row, "earlier": [("carry on with it", ""), *((text, text) for text in said)], "lookups": calls}


@pytest.mark.spread(1)
@pytest.mark.parametrize("part", range(6))
def test_every_case_said_before_or_done_before_breaks_no_structure(gate: Parts, part: int) -> None:
    """The slots of what happened in the session before are fences like all others, and no part of the question."""
    filled: Counter[str] = Counter()
    tried = cases()[part::6]
    for row in map(whole, tried):
        past = built_of(in_the_past({**row, "id": f"{row['id']}-past"}), gate)
        evidence = past.evidence
        assert broken_structure(evidence, past.user) == [], row["id"]
        assert evidence.identity() == replace(evidence, earlier_messages=(), turn_so_far=()).identity()
        assert sum(map(width, evidence.earlier_messages)) <= EARLIER_CHARS_MAX
        for message in evidence.earlier_messages:
            assert re.fullmatch(r'user: "[^"\n]*"( assistant: "[^"\n]*")?', message) is not None, row["id"]
        for line in (*evidence.earlier_messages, *evidence.turn_so_far):
            assert sanitize(line, None, LISTED) == line, row["id"]
        filled["earlier"] += len(evidence.earlier_messages) > 1
        filled["turn"] += bool(evidence.turn_so_far)
    assert min(filled.values()) >= 0.9 * len(tried), filled


def test_without_the_suffix_a_forged_slot_would_stand_but_for_the_sanitizer(gate: Parts) -> None:
    """Each fence holds alone: a case that knows the suffix is stopped by the sanitizer."""
    nonce = "0123456789ab"
    known = [row for row in cases() if nonce in json.dumps(row)]
    assert len(known) >= 5
    for row in map(whole, known):
        one = built_of(row, gate, nonce)
        assert broken_structure(one.evidence, one.user) == []
    raw = subject_of(next(row for row in known if "The write:" in row["user_message"]), classify).evidence
    assert "each expected slot once, in order" in broken_structure(raw, prompt.build_prompt(raw, nonce).user)


def test_each_field_keeps_to_its_bound_and_sanitizing_it_again_changes_nothing(built):
    for name, one in built.items():
        evidence = one.evidence
        for field, text in ((name, getattr(evidence, name)) for name in LIMITS):
            assert len(text) <= LIMITS[field], (name, field)
            assert sanitize(text, None, LISTED) == text, (name, field)
        assert sum(map(width, evidence.looked_up)) <= LOOKED_UP_CHARS_MAX, name
        for line in evidence.looked_up:
            assert "\n" not in line and sanitize(line, None, LISTED) == line, name
        for names in (evidence.targets, evidence.turn_so_far):
            assert len(names) <= NAMES_MAX + 1, name
            for path in names:
                assert len(path) <= PATH_CHARS_MAX and "\n" not in path, name
                assert sanitize_path(path, None, LISTED) == path, name
        one.user.encode("utf-8")


def test_what_must_not_be_sent_is_absent_and_what_matters_is_still_there(built: dict[str, Built]) -> None:
    """Heredoc bodies and inline code never leave; an attack does not push the request or the target out."""
    checked = 0
    for row in cases():
        user = built[row["id"]].user
        plain = user.replace("\\\\", "\\").replace('\\"', '"')
        for text in row.get("absent", ()):
            assert text not in user, row["id"]
        for text in row.get("present", ()):
            assert text in plain or text in user, row["id"]
        checked += len(row.get("absent", ())) + len(row.get("present", ()))
    assert checked >= 70


def test_an_exchange_that_is_not_sent_leaves_no_trace_of_a_hostile_one(gate: Parts) -> None:
    quiet = replace(
        SETTINGS,
        context_chars_max=0,
        transcript=replace(SETTINGS.transcript, prior_turn_chars_max=0),
        evaluator=replace(SETTINGS.evaluator, backend="embedded"),
    )
    held = ("earlier_messages", "looked_up", "current_request", "prior_assistant_turn", "resolved_option")
    for row in cases():
        if row["where"] in (["prior_assistant_turn"], ["user_message"], ["lookups"]):
            evidence = evidence_for(in_the_past(whole(row)), replace(gate, settings=quiet))
            assert not any(getattr(evidence, name) for name in held)
