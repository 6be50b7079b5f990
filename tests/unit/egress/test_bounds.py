"""What a check costs, whatever it is given: targets and what is sanitized are bounded first."""

import time

import pytest

from compass.arguments import FixedExchange
from compass.composition.gate import wire
from evaluator.effects import effect, folded
from evaluator.egress import evidence, sanitizer
from evaluator.egress.evidence import SOURCE_TIMES, build_evidence
from evaluator.gate import pipeline
from evaluator.model import Exchange, PendingWrite
from evaluator.record import replace
from evaluator.settings.keys import Settings

PARTS = 400_000
SECONDS = 8.0
"""Of a machine under load; unbounded these took 15 to 54 seconds."""


@pytest.mark.spread(2)
@pytest.mark.parametrize(
    ("tool", "given", "request_text"),
    [
        ("Write", {"file_path": "a/" * PARTS + "x.py", "content": "x"}, "do it"),
        ("Write", {"file_path": "a/../" * PARTS + "x.py", "content": "x"}, "do it"),
        ("Bash", {"command": "echo x > " + "a/" * PARTS + "x.py"}, "do it"),
        ("Write", {"file_path": "x.py", "content": "x"}, "A_KEY=" * 100_000),
        ("Write", {"file_path": "x.py", "content": "A_KEY=" * 100_000}, "do it"),
    ],
    ids=["parts", "steps", "command", "request", "content"],
)
def test_a_long_call_takes_no_longer(tmp_path, tool, given, request_text):
    chosen = replace(
        Settings(),
        enabled=True,
        include_file_contents=True,
        deadline_seconds=600.0,
        evaluator=replace(Settings().evaluator, backend="embedded"),
    )
    gate = wire({}, str(tmp_path), str(tmp_path), settings=chosen, keep=False)
    exchange = Exchange((request_text,), request_text)
    parts = replace(gate.parts, transcripts=FixedExchange(exchange), paid=lambda: False)
    began = time.process_time()
    try:
        found = pipeline.check(parts, PendingWrite("case", "s", tool, given, str(tmp_path), str(tmp_path)))
    finally:
        gate.close()
    assert time.process_time() - began < SECONDS
    assert all(len(target) <= 4096 for target in found.effects.targets)


def test_no_more_is_sanitized_than_a_multiple_of_what_is_sent(monkeypatch):
    seen = []

    def counted(text, *given, **named):
        seen.append(len(text))
        return sanitizer.sanitize(text, *given, **named)

    monkeypatch.setattr(evidence.cleaner, "__defaults__", (counted,))
    pending = PendingWrite("case", "s", "Write", {"file_path": "/p/x.py"}, "/p", "/p")
    effects = folded([effect("edit", "/p/x.py")])
    text = (
        "first "
        + "and so on\n" * 60_000
        + "then change x.py in the middle\n"
        + "and so on\n" * 60_000
        + "last"
    )
    chosen = Settings()
    found = build_evidence(pending, effects, Exchange((text,)), chosen)
    assert max(seen) <= SOURCE_TIMES * chosen.context_chars_max + 64
    for kept in ("first", "last"):
        assert kept in found.current_request
    near = "x " * 40_000 + "\nthen change x.py in the middle\n" + "x " * 40_000
    assert (
        "then change x.py in the middle"
        in build_evidence(pending, effects, Exchange((near,)), chosen).current_request
    )
