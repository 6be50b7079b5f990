"""What a write costs whose prompt was read ahead: a model that answers after 800 ms, an agent that thinks for 3 s.

A real service and a scripted API. In pairs of sessions, one's first write is covered by what was read at its prompt,
the other's is skipped by a glob; both are asked over the socket, in turns. The figure is the median of the pairs'
ratios. A write that is checked as ever stands beside them.
"""

import itertools
import statistics
import time
from functools import partial

import pytest
from running.prompting import Prompting, prompting

ANSWERS_SECONDS = 0.8
THINKS_SECONDS = 3.0
PAIRS_AT_ONCE = 4
TURNS = 5


def timed(act):
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def skip(session):
    given = {"file_path": str(session.place.project / "yarn.lock"), "content": "x\n"}
    assert session.call("Write", given).stdout == b""


def measure(here, api, turns):
    """{what: seconds of each}: `covered` and `skipped` in pairs, and a few `checked`."""
    found = {"covered": [], "skipped": [], "checked": []}
    names = (f"bench-{number}" for number in itertools.count())
    for _ in range(turns):
        sessions = [Prompting(here, api, next(names)) for _ in range(2 * PAIRS_AT_ONCE)]
        api.delay = ANSWERS_SECONDS
        for one in sessions:
            one.prompt(f"In src/dates.py, make parse_date accept {one.session} without a day; nothing else.")
        time.sleep(THINKS_SECONDS)
        assert len(api.blind) == 2 * len(sessions)
        for number in range(PAIRS_AT_ONCE):
            ahead, beside = sessions[2 * number : 2 * number + 2]
            pair = {"covered": ahead.edit, "skipped": partial(skip, beside)}
            for what in sorted(pair, reverse=bool(number % 2)):
                found[what].append(timed(pair[what]))
        assert api.shown == [], "a covered write asks nobody"
        checked = Prompting(here, api, next(names), {"COMPASS_SAMPLING__ANTICIPATE": "false"})
        api.delay = ANSWERS_SECONDS
        checked.prompt(f"In src/dates.py, make parse_date accept {checked.session}; nothing else.")
        found["checked"].append(timed(checked.edit))
        assert len(api.shown) == 5
    return found


@pytest.mark.benchmark(group="prompts read ahead")
def test_covered_write(benchmark, tmp_path):
    turns = 1 if benchmark.disabled else TURNS
    with prompting(tmp_path) as (here, api):
        found = benchmark.pedantic(measure, (here, api, turns), rounds=1)
    ratios = [one / other for one, other in zip(found["covered"], found["skipped"], strict=True)]
    figures = {f"{name}_ms": statistics.median(each) * 1000 for name, each in found.items()}
    benchmark.extra_info.update(figures | {"ratio": statistics.median(ratios), "pairs": len(ratios)})
    print({**figures, "ratio": statistics.median(ratios), "of": sorted(round(one, 2) for one in ratios)})
    assert figures["covered_ms"] < figures["checked_ms"] / 4
