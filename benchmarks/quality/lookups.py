"""What looked-up lines (`evidence.lookups`) change for language-model readers: held with them, and without.

    python benchmarks/quality/lookups.py show SESSIONS.jsonl [--list]
    python benchmarks/quality/lookups.py prompts SESSIONS.jsonl FOLDER --key KEY.jsonl [--seed N] [--cases N]
    python benchmarks/quality/lookups.py record KEY.jsonl ANSWERS.jsonl... > fixtures/readers/lookups.jsonl
    python benchmarks/quality/lookups.py figures SESSIONS.jsonl [--answers FILE] [--json] [--list]

A session is {"id", "prior", "user", "lookups": [{"tool", "input", "result", "failed"?}], "tool", "input"} and, where it
is known, "label" (authorised or unauthorised), "injected" (true: something looked up gives an order), "pair" (its
counterpart has the same) and "exists" (the file is there). It becomes a real transcript, by the host's own writer, and
evidence by the product's own path. `prompts` writes each session twice, with and without its lines, as numbered cases
in an order drawn by the seed; no file holds two cases of one session or pair, and none tells a label. Which case is
which stands in the key alone. A line of ANSWERS is {"case": its number, and a reader's answer}. A verdict is that of
the default thresholds. Where both prompts of a session are the same it is written, and asked, once.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rates import rate

from calibration.cases.sources import case_rows, corpus_dir
from compass.composition.gate import wire
from evaluator.egress import prompt, reader_answer
from evaluator.gate import pipeline
from evaluator.model import Evidence, Thresholds
from evaluator.settings.keys import EvidenceSettings, Settings
from evaluator.verdict.convergence import converge, judge
from hooks import registry

ANSWERS = corpus_dir() / "readers/lookups.jsonl"
OPENING = "Hello, I need help with this project."
CASES_PER_FILE = 40
NONCE_CHARS = 12
GROUPS = ("unauthorised", "authorised")
SPELLED = {"unauthorized": "unauthorised", "authorized": "authorised"}

Row = Mapping[str, Any]
Both = Mapping[bool, Evidence]
"""A session's evidence, with its looked-up lines (True) and without."""


@dataclass(frozen=True, slots=True)
class Item:
    """One case for readers: a session, and whether its lines are shown; None where that makes no difference."""

    session: Row
    lookups: bool | None
    evidence: Evidence


def evidence_of(row: Row, lookups: str) -> Evidence:
    """Raises ValueError for a call that no reader is asked about."""
    with tempfile.TemporaryDirectory() as place:
        project, session = Path(place) / "project", f"session-{row['id']}"
        project.mkdir()
        transcript = Path(place) / "session.jsonl"
        _write(row, transcript, session, project)
        settings = replace(Settings(enabled=True), evidence=EvidenceSettings(lookups=lookups))
        wired = wire({"HOME": place}, place, str(project), settings=settings, keep=False)
        try:
            payload = {
                "session_id": session, "tool_name": row["tool"], "tool_input": row["input"], "cwd": str(project),
                "transcript_path": str(transcript), "prompt_id": "request", "tool_use_id": "pending",
            }  # fmt: skip
            wired.store.add_prompt(session, "request", str(row["user"]), 0.0, opens_turn=True)
            found = pipeline.evidence_of(wired.parts, registry.default_host().pending_write(payload, {}))
        finally:
            wired.close()
    if found is None:
        raise ValueError(f"{row['id']}: the call only reads")
    return found


def _write(row: Row, transcript: Path, session: str, project: Path) -> None:
    written = registry.default_host().sessions().made_up(str(transcript), session)
    if row.get("prior"):
        written.user(OPENING, "opening")
        written.says(str(row["prior"]))
    written.user(str(row["user"]), "request")
    for number, one in enumerate(row["lookups"]):
        written.calls(str(one["tool"]), one["input"], f"look-{number}")
        written.result(f"look-{number}", str(one["result"]), failed=bool(one.get("failed")))
    path = row["input"].get("file_path")
    if row.get("exists") and path:
        target = project / str(path)
        if target.is_relative_to(project):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()


def both_of(row: Row) -> Both:
    return {lookups: evidence_of(row, "targets" if lookups else "off") for lookups in (False, True)}


def items_of(sessions: Sequence[Row]) -> list[Item]:
    found: list[Item] = []
    for row in sessions:
        both = both_of(row)
        if both[True] == both[False]:
            found.append(Item(row, None, both[False]))
        else:
            found += [Item(row, lookups, both[lookups]) for lookups in (True, False)]
    return found


def dealt(items: Sequence[Item], generator: random.Random, most: int) -> list[list[Item]]:
    """Files of at most `most` cases in random order, no two of one pair or session in a file."""
    by_pair: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_pair[str(item.session.get("pair") or item.session["id"])].append(item)
    count = max(*map(len, by_pair.values()), -(-len(items) // most))
    while True:
        files: list[list[Item]] = [[] for _ in range(count)]
        pairs = list(by_pair.values())
        generator.shuffle(pairs)
        for pair in sorted(pairs, key=len, reverse=True):
            roomy = sorted(files, key=lambda file: (len(file), generator.random()))[: len(pair)]
            generator.shuffle(roomy)
            for item, file in zip(pair, roomy, strict=True):
                file.append(item)
        if max(map(len, files)) <= most:
            break
        count += 1
    for file in files:
        generator.shuffle(file)
    return files


def write_prompts(
    sessions: Sequence[Row], folder: Path, key: Path, seed: int, most: int, *, short: bool
) -> str:
    generator = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    known: list[dict[str, object]] = []
    files = dealt(items_of(sessions), generator, most)
    numbers = list(range(1, sum(map(len, files)) + 1))
    generator.shuffle(numbers)
    for count, file in enumerate(files, 1):
        numbered = [(numbers.pop(), item) for item in file]
        text = page([(number, item.evidence) for number, item in numbered], generator, short=short)
        (folder / f"cases-{count}.md").write_text(text, encoding="utf-8")
        known += [
            {"case": number, "id": item.session["id"], "lookups": item.lookups, "file": count,
             "prompt": prompt.fingerprint(short=short)}
            for number, item in numbered
        ]  # fmt: skip
    key.write_text("".join(json.dumps(row) + "\n" for row in known), encoding="utf-8")
    return f"{len(known)} cases in {len(files)} files"


def page(cases: Sequence[tuple[int, Evidence]], generator: random.Random, *, short: bool = False) -> str:
    """A file of prompts for one reader: (its number, its evidence) for each case, the instructions once at the head."""
    systems: dict[str, str] = {}
    parts: list[str] = []
    for number, evidence in cases:
        built = prompt.build_prompt(evidence, f"{generator.getrandbits(4 * NONCE_CHARS):012x}", short=short)
        name = systems.setdefault(built.system, "AB"[min(len(systems), 1)])
        parts.append(f"# Case {number} (instructions {name})\n\n{built.user}")
    head = [f"# Instructions {name}\n\n{system}" for system, name in systems.items()]
    return "\n\n".join((*head, *parts)) + "\n"


def recorded(key: Iterable[Row], given: Iterable[Row]) -> list[dict[str, object]]:
    """Rows of `fixtures/readers/lookups.jsonl`. Raises ValueError for an answer to a case that the key has not."""
    known = {row["case"]: row for row in key}
    answers: dict[int, list[dict[str, object]]] = defaultdict(list)
    for row in given:
        if row["case"] not in known:
            raise ValueError(f"case {row['case']} is not in the key")
        answers[row["case"]].append({name: value for name, value in row.items() if name != "case"})
    found: list[dict[str, object]] = []
    for number, said in answers.items():
        shown = known[number]["lookups"]
        found += [
            {
                "case": known[number]["id"],
                "prompt": known[number]["prompt"],
                "lookups": lookups,
                "answers": said,
            }
            for lookups in ((False, True) if shown is None else (shown,))
        ]
    return sorted(found, key=lambda row: (str(row["case"]), bool(row["lookups"])))


def held(row: Row) -> bool | None:
    """Whether the gate holds the call on these answers; None where fewer than the least are valid."""
    settings = Settings()
    samples = [
        reader_answer.parse_answer(json.dumps(one), f"reader-{number}")
        for number, one in enumerate(row["answers"], 1)
    ]
    convergence = converge(samples, min(len(samples), settings.evaluator.min_valid_samples))
    if convergence is None:
        return None
    limits = Thresholds(settings.confidence("irreversible"), settings.stddev_threshold)
    return judge(convergence, limits)[0] == "failed"


def figures(sessions: Sequence[Row], answers: Sequence[Row]) -> dict[str, Any]:
    """Held, by label and with or without lines: {k, n, low, high}, over sessions that were answered both ways."""
    fingerprints = {prompt.fingerprint(short=short) for short in (False, True)}
    found: dict[tuple[str, bool], bool | None] = {}
    for row in answers:
        if row["prompt"] in fingerprints:
            found[str(row["case"]), bool(row["lookups"])] = held(row)
    told: dict[str, Any] = {"stale": sum(row["prompt"] not in fingerprints for row in answers)}
    marks: dict[tuple[str, bool], list[bool]] = defaultdict(list)
    changed: dict[str, list[str]] = {"freed": [], "newly held": []}
    for session in sessions:
        name = str(session["id"])
        ends = {lookups: found.get((name, lookups)) for lookups in (False, True)}
        if None in ends.values():
            told.setdefault("not answered both ways", []).append(name)
            continue
        label = SPELLED.get(str(session.get("label")), str(session.get("label", "no label")))
        group = f"{label}, injected" if session.get("injected") else label
        for lookups, end in ends.items():
            marks[group, lookups].append(bool(end))
        if ends[False] != ends[True]:
            changed["freed" if ends[False] else "newly held"].append(f"{name} ({group})")
    order = {label: place for place, label in enumerate(GROUPS)}
    for group, lookups in sorted(marks, key=lambda at: (order.get(at[0].split(",")[0], 9), at)):
        hits = marks[group, lookups]
        found_rate = rate(sum(hits), len(hits))
        told[f"held of {group}, {'with' if lookups else 'without'}"] = {
            name: round(value, 4) for name, value in found_rate.items()
        }
    return {**told, **changed}


def show(sessions: Sequence[Row], *, listed: bool) -> None:
    """How many sessions have lines at all, and which."""
    lengths: list[int] = []
    for row in sessions:
        lines = both_of(row)[True].looked_up
        if lines:
            lengths.append(sum(map(len, lines)))
        if listed:
            print(f"{row['id']}  {row['tool']} {json.dumps(row['input'])[:120]}")
            print("".join(f"    {line}\n" for line in lines) or "    (nothing)\n", end="")
    print(f"{len(lengths)} of {len(sessions)} sessions have lines", end="")
    print(f", {sum(lengths) / len(lengths):.0f} characters on average" if lengths else "")


def report(told: Mapping[str, Any], *, listed: bool) -> None:
    for name, one in told.items():
        if isinstance(one, dict):
            low, high = 100 * one["low"], 100 * one["high"]
            print(f"{name:<44} {one['k']:>4} of {one['n']:<4} [{low:.1f}, {high:.1f}] %")
        elif isinstance(one, list):
            print(f"{name:<44} {len(one):>4}" + (f"  {', '.join(one)}" if listed and one else ""))
        elif one:
            print(f"{name:<44} {one:>4}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    does = parser.add_subparsers(dest="does", required=True)
    for name in ("show", "prompts", "figures"):
        does.add_parser(name).add_argument("sessions", type=Path)
    does.choices["show"].add_argument("--list", action="store_true")
    prompts = does.choices["prompts"]
    prompts.add_argument("folder", type=Path)
    prompts.add_argument("--key", type=Path, required=True, help="not in FOLDER: readers must not see it")
    prompts.add_argument("--seed", type=int, default=1)
    prompts.add_argument("--cases", type=int, default=CASES_PER_FILE, help="in a file, at most")
    prompts.add_argument("--short", action="store_true", help="the words for small models")
    record = does.add_parser("record")
    record.add_argument("key", type=Path)
    record.add_argument("answers", type=Path, nargs="+")
    asked = does.choices["figures"]
    asked.add_argument("--answers", type=Path, default=ANSWERS)
    asked.add_argument("--json", action="store_true")
    asked.add_argument("--list", action="store_true", help="which sessions changed")
    args = parser.parse_args()
    if args.does == "record":
        given = [row for path in args.answers for row in case_rows(path)]
        print("".join(json.dumps(row) + "\n" for row in recorded(case_rows(args.key), given)), end="")
        return 0
    sessions = list(case_rows(args.sessions))
    if args.does == "show":
        show(sessions, listed=args.list)
    elif args.does == "prompts":
        print(write_prompts(sessions, args.folder, args.key, args.seed, args.cases, short=args.short))
    else:
        told = figures(sessions, list(case_rows(args.answers)))
        print(json.dumps(told, indent=1)) if args.json else report(told, listed=args.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
