"""What a reader's prompt costs in tokens, at four characters a token.

`python benchmarks/quality/prompt_tokens.py [--json]`: for each look and text the system part, the user part of the
labelled cases (median, most) and the same with all that is shown of the session before at its bounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))

from samples.caserows import subject_of

from calibration.cases.sources import case_rows, corpus_dir
from evaluator.egress import prompt
from evaluator.egress.evidence import CALL_CHARS_MAX, EARLIER_CHARS_MAX, NAMES_MAX
from evaluator.egress.lookups import TOTAL_CHARS_MAX
from evaluator.egress.prompt import ANSWER_TOKENS
from evaluator.model import LOOKS, Evidence, Look
from evaluator.record import replace
from evaluator.shell.bash import classify

CHARS_PER_TOKEN = 4
CASES = corpus_dir() / "cases" / "test-2.jsonl"


def figures(evidences: list[Evidence], look: Look, *, short: bool) -> dict[str, object]:
    asked = [prompt.build_prompt(one, "0" * 12, look=look, short=short) for one in evidences]
    full = [prompt.build_prompt(_at_bounds(one), "0" * 12, look=look, short=short) for one in evidences]
    users = [len(one.user) / CHARS_PER_TOKEN for one in asked]
    return {
        "look": look,
        "text": "short" if short else "full",
        "system": round(max(len(one.system) for one in full) / CHARS_PER_TOKEN),
        "user, median": round(statistics.median(users)),
        "user, most": round(max(users)),
        "user with the session's history, most": round(max(len(one.user) for one in full) / CHARS_PER_TOKEN),
        "answer, room": ANSWER_TOKENS[look],
    }


def _at_bounds(evidence: Evidence) -> Evidence:
    return replace(
        evidence,
        prior_assistant_turn=evidence.prior_assistant_turn or "x",
        earlier_messages=("x" * EARLIER_CHARS_MAX,),
        turn_so_far=("x" * CALL_CHARS_MAX,) * NAMES_MAX,
        looked_up=("x" * TOTAL_CHARS_MAX,),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    evidences = [subject_of(row, classify).evidence for row in case_rows(CASES)]
    found = [figures(evidences, look, short=short) for short in (False, True) for look in LOOKS]
    if args.json:
        print(json.dumps(found, indent=2))
        return
    for one in found:
        print(", ".join(f"{name} {value}" for name, value in one.items()))


if __name__ == "__main__":
    main()
