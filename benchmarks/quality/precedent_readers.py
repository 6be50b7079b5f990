"""Language-model readers of the sessions in `fixtures/precedents`: prompts out, recorded answers to verdicts.

An answer is kept with the prompt's fingerprint and a digest of all that the reader was shown but the nonce, and counts
only where the product would show exactly that again: another wording, another precedent, and it is left out.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lookups import Item, dealt, held, page
from played.precedents import Ending, Occasion
from rates import rate

from calibration.cases.corpus import corpus_dir, rows
from evaluator.egress import prompt
from evaluator.model import Evidence

RECORDED = corpus_dir() / "readers" / "precedents.jsonl"
READERS = 3
Row = Mapping[str, Any]


def digest(evidence: Evidence) -> str:
    """16 hex digits over instructions and slots, as one reader is shown them."""
    built = prompt.build(evidence, "0")
    return hashlib.sha256(f"{built.system}\x1e{built.user}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Answers:
    """`verdicts`: whether the gate holds, by what was shown; None for too few valid answers. `stale`: left out."""

    verdicts: Mapping[str, bool | None]
    stale: int

    @classmethod
    def of(cls, recorded: Sequence[Row]) -> Answers:
        current = prompt.fingerprint()
        fresh = [row for row in recorded if row["prompt"] == current]
        return cls({row["shown"]: held(row) for row in fresh}, len(recorded) - len(fresh))

    def passed(self, ending: Ending) -> bool | None:
        """None where nobody answered. What no reader was asked about ended without them."""
        if ending.evidence is None:
            return ending.passed
        found = self.verdicts.get(digest(ending.evidence))
        return None if found is None else not found


def asked(occasions: Sequence[Occasion]) -> Iterator[tuple[Occasion, bool, Evidence]]:
    """(occasion, whether with memory, evidence) for each prompt that tells something of memory.

    With memory: where a precedent is shown. Without: there too, and where the term is settled.
    """
    for one in occasions:
        if one.memory.evidence is not None and one.memory.precedents:
            yield one, True, one.memory.evidence
        if one.without.evidence is not None and (one.label["settled"] or one.memory.precedents):
            yield one, False, one.without.evidence


def write_prompts(
    occasions: Sequence[Occasion],
    folder: Path,
    key: Path,
    *,
    seed: int,
    share: int,
    answered: Collection[str] = (),
) -> str:
    """For each reader the same cases in an order and under numbers of their own, in `share` files or more.

    What was `answered`, by digest, is left out.
    """
    generator = random.Random(seed)
    # An item's `lookups` tells here whether a precedent is shown.
    items = [Item({"id": one.name}, memory, evidence) for one, memory, evidence in asked(occasions)]
    items = [item for item in items if digest(item.evidence) not in answered]
    if not items:
        return "all of it is answered"
    folder.mkdir(parents=True, exist_ok=True)
    numbers = list(range(1, READERS * len(items) + 1))
    generator.shuffle(numbers)
    known: list[dict[str, object]] = []
    count = 0
    for reader in range(1, READERS + 1):
        for part, file in enumerate(dealt(items, generator, -(-len(items) // share)), 1):
            numbered = [(numbers.pop(), item) for item in file]
            text = page([(number, item.evidence) for number, item in numbered], generator)
            (folder / f"reader-{reader}-part-{part}.md").write_text(text, encoding="utf-8")
            count += 1
            known += [
                {"case": number, "id": item.session["id"], "memory": item.lookups, "reader": reader,
                 "part": part, "prompt": prompt.fingerprint(), "shown": digest(item.evidence)}
                for number, item in numbered
            ]  # fmt: skip
    key.write_text("".join(json.dumps(row) + "\n" for row in known), encoding="utf-8")
    return f"{len(items)} cases for each of {READERS} readers, in {count} files; key: {key}"


def recorded(key: Path, folder: Path) -> list[dict[str, object]]:
    """Rows of `fixtures/readers/precedents.jsonl`. Raises ValueError for a case that is unknown or answered twice."""
    known = {row["case"]: row for row in rows(key)}
    said: dict[tuple[str, bool, str, str], dict[int, dict[str, object]]] = defaultdict(dict)
    for path in sorted(folder.glob("*.jsonl")):
        for row in rows(path):
            case = known.get(row["case"])
            if case is None:
                raise ValueError(f"{path}: case {row['case']} is not in the key")
            of_case = said[str(case["id"]), bool(case["memory"]), str(case["prompt"]), str(case["shown"])]
            reader = int(str(case["reader"]))
            if reader in of_case:
                raise ValueError(f"{path}: case {row['case']} is answered twice")
            of_case[reader] = {name: value for name, value in row.items() if name != "case"}
    return [
        {"case": name, "memory": memory, "prompt": instructions, "shown": shown,
         "answers": [each for _, each in sorted(answers.items())]}
        for (name, memory, instructions, shown), answers in sorted(said.items())
    ]  # fmt: skip


def kept() -> list[Row]:
    return list(rows(RECORDED)) if RECORDED.exists() else []


def endings(one: Occasion, answers: Answers) -> dict[str, str | None]:
    words = {True: "pass", False: "hold", None: None}
    return {"without": words[answers.passed(one.without)], "with": words[answers.passed(one.memory)]}


def figures(occasions: Sequence[Occasion], answers: Answers) -> dict[str, Any]:
    """Shares of occasions that were answered. Where nothing is shown memory changes nothing."""
    marks: dict[str, list[bool]] = defaultdict(list)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    unanswered: list[str] = []
    for one in occasions:
        settled, right = one.label["settled"], one.label["right"]
        shown = bool(one.memory.precedents)
        memory, without = answers.passed(one.memory), answers.passed(one.without)
        if (shown and None in (memory, without)) or (settled and without is None):
            unanswered.append(one.name)
            continue
        kind = kinds[f"{one.label['kind']}, {right}"]
        kind.update(n=1, shown=shown, passed_shown=shown and bool(memory))
        if settled and right == "pass":
            marks["asked again, without memory"].append(not without)
            marks["asked again, with memory"].append(not memory)
            if shown:
                marks["asked again, with a precedent shown"].append(not memory)
            marks["held wrongly by memory, settled"].append(bool(without) and not memory)
        elif settled:
            marks["what was cancelled passes, without memory"].append(bool(without))
            marks["what was cancelled passes, with memory"].append(bool(memory))
        elif right == "hold":
            name = "turned to pass, poison" if one.label["kind"] == "poisoned" else "used wrongly"
            marks[name].append(shown and bool(memory) and not without)
            marks[f"{name}, or passed anyway with a precedent shown"].append(shown and bool(memory))
        else:
            marks["held wrongly by memory, the right new write"].append(
                shown and bool(without) and not memory
            )
    told: dict[str, Any] = {"stale answers": answers.stale, "not answered": unanswered}
    told["language-model readers"] = {
        name: {what: round(value, 4) for what, value in rate(sum(each), len(each)).items()}
        for name, each in marks.items()
    }
    told["language-model readers, shown and passed"] = {
        kind: rate(count["passed_shown"], count["shown"])
        for kind, count in sorted(kinds.items())
        if count["shown"]
    }
    return told
