"""Days, charts and the choice of a project, without a service."""

import math
import re
import time
from itertools import pairwise

import pytest
from corpora import corpus
from running import paged
from running.hookrun import Place

from calibration.report.charts import DAYS_NAMED_MAX, WIDTH, bars, scores, whiskers
from compass.page import pages, views
from compass.page.project_choice import ALL, PageScope, chosen
from evaluator.state.history import History

DAY = 86_400.0


def new_place(tmp_path):
    return Place(tmp_path)


place = pytest.fixture(new_place, name="place")


def scope_of(place):
    return PageScope(place.environment(), str(place.project))


def test_days_of_the_history_are_local_and_complete(place):
    now = time.time()
    paged.fill(place.state, place.project, days=7, now=now)
    history = History(str(place.state / "compass"), now)
    found = history.days(None, now - 10 * DAY)
    newest = history.newest(None, 1000)
    assert sum(one.checks for one in found) == len(newest)
    for one in found:
        of_day = [kept for kept in newest if time.strftime("%Y-%m-%d", time.localtime(kept.at)) == one.day]
        assert one.checks == len(of_day) == one.passed + one.held + one.let_run + one.unjudged
        assert one.released == sum(kept.record["reason"] == "released" for kept in of_day)
        assert one.durations == tuple(sorted(kept.duration_ms for kept in of_day))
        costs = [kept.cost_usd for kept in of_day if kept.cost_usd is not None]
        assert (one.cost_usd or 0) == pytest.approx(sum(costs))
    assert history.days("/nowhere", 0.0) == []
    assert [one.day for one in found] == sorted(one.day for one in found)


def test_projects_are_listed_newest_first(place, tmp_path):
    other = tmp_path / "other"
    paged.fill(place.state, other, days=1)
    history = History(str(place.state / "compass"), time.time())
    first = history.projects(5)
    assert [one.project_dir for one in first] == [str(other)]
    assert first[0].checks == len(history.newest(None, 1000))
    assert history.projects(0) == []


def test_a_project_is_chosen_from_those_listed_alone(place, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    paged.fill(place.state, other, days=1)
    scope = scope_of(place)
    assert chosen(scope, "").project == str(place.project)
    assert chosen(scope, ALL).project is None
    assert chosen(scope, str(other)).here.project_dir == str(other)
    other.rmdir()
    assert chosen(scope, str(other)).here.project_dir == str(other)
    for named in ("/etc", "\x00", str(tmp_path), "../other"):
        assert chosen(scope, named).here.project_dir == str(place.project)


def test_days_go_over_a_change_of_the_clock(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        for at in ("2026-03-30 00:30", "2026-10-26 00:30", "2026-03-29 23:59", "2026-01-01 00:00"):
            now = time.mktime(time.strptime(at, "%Y-%m-%d %H:%M"))
            found = pages.last_days(30, now)
            assert len(set(found)) == 30 and found[-1] == at[:10]
            assert found == sorted(found)
            assert time.strftime("%H:%M", time.localtime(pages.start_of(found[0]))) == "00:00"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_held_check_stands_with_what_was_said_shown_and_done(place):
    paged.fill(place.state, place.project, days=1)
    found = chosen(scope_of(place), "")
    held = found.here.history.newest(found.project, 100, denied=True)
    rows = "".join(views.row(one, everywhere=False) for one in held)
    for text in ("Just delete it.", "Two readings are possible; ask the user which.", "rm "):
        assert text in rows
    passed = next(
        one for one in found.here.history.newest(found.project, 100) if one.record["verdict"] == "passed"
    )
    assert "You said" not in views.row(passed, everywhere=False)


@corpus("given", ["", "7", "14", "30", "365", "-1", "x", "９"], each={"place": new_place})
def test_only_offered_spans_are_shown(place, given):
    paged.fill(place.state, place.project, days=2)
    html = pages.days_view(chosen(scope_of(place), ""), given)
    span = given if given in ("7", "14", "30") else "14"
    assert f'href="#/days?n={span}" aria-current="true"' in html


def test_news_begin_behind_the_mark_and_anew_in_another_database(place):
    paged.fill(place.state, place.project, days=1)
    found = chosen(scope_of(place), "")
    last = found.here.history.last_place()
    assert views.since(found, "", last) == ([], last)
    fresh, now = views.since(found, "", last - 2)
    assert [one.place for one in fresh] == [last - 1, last] and now == last
    assert len(views.since(found, "", last + 50)[0]) == last
    held, _ = views.since(found, "held", 0)
    assert held and all(one.record["decision"] == "deny" for one in held)
    assert [views.place_of(mark) for mark in ("12.ab", "", "x.1", "-1.a", "９.a")] == [
        12,
        None,
        None,
        None,
        None,
    ]


def numbers(html, name):
    return [float(one) for one in re.findall(rf' {name}="(-?[\d.]+)"', html)]


@corpus("count", [1, 7, 14, 30])
@corpus("most", [0, 1, 3, 17, 990, 123_456])
def test_charts_stay_within_their_frame_and_labels_apart(count, most):
    rows = [
        (f"11-{day:02}", {"passed": most * day // count, "held": 1 if most else 0})
        for day in range(1, count + 1)
    ]
    html = bars(rows, "what", "checks")
    height = float(re.search(rf'viewBox="0 0 {WIDTH} ([\d.]+)"', html)[1])
    assert all(0 <= x <= WIDTH for x in numbers(html, "x"))
    assert all(0 <= y <= height for y in numbers(html, "y"))
    named = [float(one) for one in re.findall(r'<text class="mid" x="([\d.]+)"', html)]
    assert len(named) <= DAYS_NAMED_MAX and all(b - a > 34 for a, b in pairwise(named))
    assert f">{rows[-1][0]}<" in html
    ticks = re.findall(r'<text class="end"[^>]*>([\d.k]+)</text>', html)
    assert 2 <= len(ticks) <= 6 and ticks[0] == "0"
    both = whiskers([(label, (most / 2, most) if most else None) for label, _ in rows], "what", "ms")
    assert all(0 <= y <= height for y in numbers(both, "cy"))


def test_equal_scores_lie_beside_each_other():
    html = scores({f"reader-{place}": 0.9 for place in range(5)}, 0.9, 0.0, 0.65)
    dots = list(zip(numbers(html, "cx"), numbers(html, "cy"), strict=True))
    assert len(set(dots)) == 5
    assert all(math.dist(a, b) >= 7 for at, a in enumerate(dots) for b in dots[:at])
    assert "passes from 0.65" in html and "reader-3 0.90" in html


@corpus("mean", [0.0, 0.5, 1.0])
@corpus("limit", [None, 0.0, 0.65, 1.0])
def test_a_score_chart_holds_at_the_edges(mean, limit):
    html = scores({"reader-1": mean}, mean, 1.0, limit)
    assert all(0 <= x <= WIDTH for x in (*numbers(html, "x"), *numbers(html, "cx")))
