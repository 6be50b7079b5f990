"""Each stage of a check alone. Compare medians within one run; no wall time is asserted."""

import time

import pytest

from evaluator.effects import effect
from evaluator.egress.change_summary import touched
from evaluator.egress.evidence import build_evidence
from evaluator.egress.sanitizer import sanitize
from evaluator.exchange.menu import find_menu
from evaluator.exchange.reply import resolve_reply
from evaluator.model import Effects, Exchange, PendingWrite, Sample, Subject
from evaluator.settings.keys import DEFAULT_SKIP_GLOBS, DEFAULT_STRIP_SEQUENCES, Settings
from evaluator.trigger.calls import skipped_by_globs
from evaluator.verdict.convergence import certain_block, converge

TURN = (
    "I looked at how retries work today.\n\n1. Add a backoff in `src/http.py`\n2. Raise the timeout\n"
    "3. Both\n\nWhich one would you like?"
)
EXCHANGE = Exchange(("Let's do 3, both",), TURN)
PENDING = PendingWrite(
    "claude-code",
    "session",
    "Edit",
    {"file_path": "/p/src/http.py", "old_string": "a = 1", "new_string": "a = 2"},
    cwd="/p",
    project_dir="/p",
)
EFFECT = Effects("write", "edit", "modifying", ("/p/src/http.py",), lines=1)


def test_skip_globs(paced):
    each = [effect("edit", f"/p/src/module{i}/file.py") for i in range(3)]
    assert paced(skipped_by_globs, each, "/p", DEFAULT_SKIP_GLOBS) == []


def test_symbolic_skip(paced):
    def resolve():
        menu = find_menu(TURN)
        assert menu is not None
        return resolve_reply(menu, EXCHANGE.request[0])

    assert paced(resolve) is not None


@pytest.mark.parametrize("size", [1_000, 10_000, 100_000])
def test_sanitizer_growth(paced, size):
    text = ("some words <b>and</b> tags, then [inst] more\n" * (size // 40))[:size]
    assert len(paced(sanitize, text, None, DEFAULT_STRIP_SEQUENCES)) > 0


def test_evidence(paced):
    found = paced(build_evidence, PENDING, EFFECT, EXCHANGE, Settings())
    assert found.targets == ("src/http.py",)


@pytest.mark.parametrize("size", [1_000, 10_000, 100_000])
def test_touched_growth(paced, size):
    """Of one edited line in a file of that many characters; both of its texts are parsed."""
    part = (
        "def work_{0}(queue):\n    for item in queue:\n        handle(item, {0})\n    return len(queue)\n\n"
    )
    text = "".join(part.format(number) for number in range(size // 80))[:size]
    line = "handle(item, 3)"
    given = {"old_string": line, "new_string": "settle(item, 3)"}
    found = paced(touched, "Edit", "/p/src/queue.py", given, text, time.monotonic)
    assert found.names[:2] == ("work_3", "settle")


def test_convergence(paced):
    samples = [Sample(str(i), score=0.1 * i, primary_concern="none") for i in range(9)]
    assert paced(converge, samples, 3) is not None


def test_early_end(paced):
    from evaluator.model import Thresholds

    assert paced(certain_block, [0.1, 0.2, 0.3], 6, Thresholds(0.65, 0.2)) in (True, False)


def test_rules(paced):
    from evaluator.readers.kinds.embedded import Rules

    evidence = build_evidence(PENDING, EFFECT, EXCHANGE, Settings())
    assert len(paced(Rules().collect, Subject(PENDING, EFFECT, EXCHANGE, evidence), 5.0)) == 1
