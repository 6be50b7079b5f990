"""`compass calibrate` as a real process in an isolated home: with rules, on engines for bulk work, and with the real
SDK against a loopback API whose readers have a stated noise."""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, Received, answer, reply
from corpora import corpus
from repository import ROOT
from running.atterminal import at_a_terminal
from running.haproxy import free_port
from running.hookrun import MAIN, Place, denial, readers_at
from running.processes import until
from samples.caserows import write_cases
from samples.recordings import Recording

from calibration.cases.sources import corpus_dir
from calibration.report.baseline import baseline_of
from compass.composition.thresholds import rule_of
from compass.measure import DONE, DRIFT, INTERRUPTED, NO_BASELINE, UNMEASURED, USAGE
from compass.parallel import mapped, without_keys
from evaluator.processes import process_of
from evaluator.settings.keys import Settings

TUNE = corpus_dir() / "cases" / "tune.jsonl"


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def calibrate(place: Place, *words: object, code: int = 0) -> Any:
    done = place.command("calibrate", "--json", *map(str, words), timeout=110)
    assert done.returncode == code, (done.returncode, done.stderr.decode())
    found = json.loads(done.stdout)
    return found["error"]["message"] if "error" in found else found


def stored(place: Place) -> Path:
    (file,) = place.state.glob("compass/*/calibration.json")
    return file


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """A place that was calibrated, and what the command said."""
    place = Place(tmp_path_factory.mktemp("tuned"))
    return place, calibrate(place, "--cases", TUNE, "--yes")


def test_the_document_has_what_scripts_read(tuned):
    _, found = tuned
    assert (found["version"], found["backend"], found["n"], found["repeats"]) == (1, "embedded", 1, 1)
    for name in ("auc", "false_block_rate", "detection_rate"):
        assert 0 <= found[name]["low"] <= found[name]["value"] <= found[name]["high"] <= 1
    labels = {json.loads(line)["id"]: json.loads(line)["label"] for line in TUNE.read_text().splitlines()}
    agreed = {name: label for name, label in labels.items() if label != "disputed"}
    assert {case["id"]: case["label"] for case in found["cases"]} == agreed
    clear = []
    for case in found["cases"]:
        gate = found["gate"][case["stakes"]]
        for check in case["checks"]:
            assert 0 <= check["confidence"] <= 1 and 0 <= check["stddev"] <= 0.5
            low = check["confidence"] < gate["confidence"] - 1e-6
            wide = check["stddev"] > gate["deviation"] + 1e-6
            clear += [low or wide] if case["label"] == "clear" else []
    assert found["false_block_rate"]["value"] == pytest.approx(sum(clear) / len(clear), abs=1e-6)


def test_the_gate_reads_what_was_written_and_nobody_else_can(tuned):
    place, found = tuned
    path = stored(place)
    assert path.stat().st_mode & 0o077 == 0
    assert baseline_of(str(path), path.read_text()).backend == "embedded"
    rule = rule_of(Settings(), "embedded", str(path))
    assert not rule.note
    cut = found["recommended"]["reversible"]["cut"]
    assert cut is not None and (rule.reversible.confidence, rule.reversible.alpha) == (cut, 0.10)
    assert path.with_name("thresholds.json").stat().st_mode & 0o077 == 0
    assert path.with_suffix(".html").read_text().startswith("<!")


def test_too_few_clear_units_give_a_floor_and_no_thresholds(tuned, tmp_path):
    """Twelve pairs: enough for a floor, too few for a guarantee, which is said. Thresholds that stand stay."""
    place, _ = tuned
    before = stored(place).read_bytes()
    found = calibrate(place, "--cases", write_cases(tmp_path / "few.jsonl", 12, 1))
    assert found["floor"]["clear"]["mean"]["value"] > 0
    (lacking,) = [one for one in found["recommended"].values() if one["clear_units"]]
    assert all(one["cut"] is None for one in found["recommended"].values())
    assert "12 clear units" in lacking["why"] and "29" in lacking["why"]
    assert stored(place).read_bytes() == before


@corpus(
    ("line", "said"),
    [
        ("{broken", "not JSON"),
        ('{"label": "clear", "user_message": "x"}', "a file_path, a command or an operation"),
        ('{"label": "maybe", "user_message": "x", "file_path": "a.py"}', "label must be one of clear, ambiguous"),
        ('{"label": "clear", "user_message": "x", "file_path": ["a.py"]}', "file_path must be a string"),
    ],
each={"place": Place})  # fmt: skip
def test_a_bad_row_is_named_by_file_and_line(place, tmp_path, line, said):
    file = tmp_path / "cases.jsonl"
    file.write_text('{"label": "clear", "user_message": "x", "file_path": "a.py"}\n\n' + line + "\n")
    told = calibrate(place, "--cases", file, code=2)
    assert f"{file}:3: " in told and said in told
    assert not list(place.state.glob("compass/*/calibration.json"))


def test_a_missing_file_and_nonsense_are_wrong_usage(place, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert "no such file" in calibrate(place, "--cases", tmp_path / "none.jsonl", code=2)
    assert "no labelled cases" in calibrate(place, "--cases", empty, code=2)
    assert "--baseline" in calibrate(place, "--cases", TUNE, "--baseline", "x", code=2)
    assert "between 0 and 1" in calibrate(place, "--cases", TUNE, "--target", "1.5", code=2)


@pytest.mark.full
def test_check_without_a_baseline_with_a_stale_one_and_with_other_cases(place, tmp_path):
    assert "no such baseline" in calibrate(place, "--check", "--cases", TUNE, code=3)
    calibrate(place, "--cases", TUNE)
    same = calibrate(place, "--check", "--cases", TUNE)
    assert (same["drift"], same["tested"]) == (False, True)

    other = write_cases(tmp_path / "other.jsonl", 12, 1)
    assert "none of these cases" in calibrate(place, "--check", "--cases", other, code=3)

    document = json.loads(stored(place).read_text())
    stale = tmp_path / "stale.json"
    for name, value in (("prompt", "0" * 16), ("n", 31)):
        stale.write_text(json.dumps({**document, name: value}))
        assert "stale" in calibrate(place, "--check", "--cases", TUNE, "--baseline", stale, code=3)
    stale.write_text("{}")
    assert "not a result" in calibrate(place, "--check", "--cases", TUNE, "--baseline", stale, code=3)


def test_two_runs_at_once_do_not_mix(tuned):
    """The second is told so while the first holds the journal."""
    import fcntl

    place, _ = tuned
    with (stored(place).parent / "calibrate.unfinished.jsonl.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "already running" in calibrate(place, "--cases", TUNE, code=4)


def test_the_documents_exit_codes_are_those_of_the_command():
    codes = re.findall(r"^\| (\d+) \| .* \|$", (ROOT / "docs/calibration.md").read_text(), re.M)
    assert {*map(int, codes)} == {DONE, DRIFT, USAGE, NO_BASELINE, UNMEASURED, INTERRUPTED}


# With hosted readers, through the real SDK

CLEAR, VAGUE = (0.36, 0.39), (0.05, 0.25)
"""Means of readers, on both sides of what holds a write; the default threshold of an edit, 0.40, lies above both."""

# A run that is killed leaves connections to the loopback API that nobody closes any more.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class NoisyApi(LoopbackApi):
    """Each reader's score is the centre of its case plus normal noise of that standard deviation, cut to [0, 1].

    The draw depends on the case and on how often it was asked about, not on the order in which requests arrive.
    """

    def __init__(self, seed: int = 0, noise: float = 0.08) -> None:
        super().__init__()
        self.noise = noise
        self.asked: list[str] = []
        self._seed = seed
        self._draws = threading.Lock()

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        found = re.search(r"(clear|vague)-\d+-c(\d{3})", received.body["messages"][0]["content"])
        assert found, received.body
        with self._draws:
            draw = random.Random(f"{self._seed}/{found[0]}/{self.asked.count(found[0])}")
            self.asked.append(found[0])
        score = int(found[2]) / 1000 + draw.gauss(0, self.noise)
        return reply(answer(score=round(min(1.0, max(0.0, score)), 3)))


@pytest.fixture
def noisy(place):
    with NoisyApi(seed=2) as found:
        place.env |= readers_at(found.url)
        yield found


def denied(place: Place, session: str) -> bool:
    """What the real hook answers, in a fresh session, to a write whose readers all say 0.37."""
    name = "src/clear-0-c370.py"
    place.say(f"change the retry limit in {name} to five attempts and nothing else please, as agreed before")
    given = {"file_path": str(place.project / name), "old_string": "a", "new_string": "b"}
    return denial(place.hook("pre-tool-use", place.payload("Edit", given, session_id=session))) is not None


@pytest.mark.full
def test_the_gate_itself_lets_through_what_the_project_is_used_to(place, noisy, tmp_path):
    """The real hook denies a mean of 0.37 at first, and allows it once the project is calibrated."""
    cases = write_cases(tmp_path / "cases.jsonl", 30, 3, clear=CLEAR, vague=VAGUE)
    noisy.noise = 0.0
    assert denied(place, "before")
    noisy.noise = 0.08
    calibrate(place, "--yes", "--cases", cases, "--repeats", 1)
    noisy.noise = 0.0
    assert not denied(place, "after")


def test_nothing_is_sent_before_somebody_said_yes(place, noisy, tmp_path):
    refused = place.command("calibrate", "--cases", str(write_cases(tmp_path / "cases.jsonl", 12, 5)))
    told = refused.stderr.decode()
    assert refused.returncode == 2
    assert "Measures 24 cases, 3 times each, with 5 readers" in told and "Calls to make: 360" in told
    assert "USD" in told and "your request" in told and "command or targets" in told and "--yes" in told
    assert noisy.asked == []


@pytest.mark.parametrize(("said", "code", "asked"), [(b"n\n", 2, 0), (b"y\n", 0, 20)])
def test_a_terminal_is_asked_and_a_no_sends_nothing(place, noisy, tmp_path, said, code, asked):
    words = ("calibrate", "--cases", str(write_cases(tmp_path / "cases.jsonl", 2, 6)), "--repeats", "1")
    ended, _, shown = at_a_terminal(place.environment(), place.project, said, *words)
    assert (ended, len(noisy.asked)) == (code, asked) and "Send it?" in shown


def test_repeats_that_are_judged_side_by_side_share_no_sample(place, noisy, tmp_path):
    place.env["COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES"] = "40"
    calibrate(place, "--yes", "--cases", write_cases(tmp_path / "cases.jsonl", 1, 6), "--repeats", 3)
    assert len(noisy.asked) == 2 * 3 * 5


def test_the_days_budget_stops_a_run_that_goes_on_later(place, noisy, tmp_path):
    """What a measurement costs is the machine's own spending."""
    words = ("--yes", "--cases", write_cases(tmp_path / "cases.jsonl", 30, 12), "--repeats", 1)
    place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = "0.02"
    assert "daily_budget_usd" in calibrate(place, *words, code=4)
    assert 0 < len(noisy.asked) < 300
    place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = "5"
    calibrate(place, *words)
    assert len(noisy.asked) == 300


FEW, MANY = 480, 2000
TWO = ("--jobs", "2")
SESSIONS, TURNS = 40, 16
"""Enough text that processes are worth starting."""
ASKED = ("Create {} that says hello", "make it better", "review {}, no changes", "Create {} with a greeting")


def many_cases(folder: Path, count: int) -> Path:
    """A file of the shipped ones, over and over under other names."""
    text = (corpus_dir() / "cases" / "test.jsonl").read_text(encoding="utf-8")
    rows = [row for row in map(json.loads, text.splitlines()) if row["label"] != "disputed"]
    file = folder / f"cases{count}.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for n in range(count):
            row = rows[n % len(rows)]
            names = {"id": f"{row['id']}-{n}", "pair": f"{row['pair']}-{n // len(rows)}"}
            out.write(json.dumps(row | names) + "\n")
    return file


def sessions(folder: Path, project: Path) -> Path:
    """A folder of recorded ones; each tenth repeats the lines of the one before, as one that was resumed does."""
    for number in range(SESSIONS):
        if number % 10 != 9:
            made = Recording(str(project))
        made.name = f"s{number:05d}"
        for turn in range(TURNS):
            request = ASKED[(number + turn) % len(ASKED)].format(f"part{turn}.txt")
            made.prompt(request, f"{made.name}-{turn}")
            for use in "ab":
                made.write_of(f"part{turn}.txt", f"{made.name}-{turn}{use}")
        made.save(folder)
    return folder


# What judges in other processes


def squares() -> Callable[[int], tuple[int, int, int]]:
    made_in = os.getpid()

    def judge(number: int) -> tuple[int, int, int]:
        if number < 0:
            raise ValueError("not this one")
        return number * number, made_in, os.getpid()

    return judge


def test_work_comes_back_in_order_by_a_function_that_each_process_makes_once():
    args = argparse.Namespace(engine="processes", jobs=2)
    found = list(mapped(args, squares, range(300)))
    assert [one[0] for one in found] == [number * number for number in range(300)]
    workers = {one[2] for one in found}
    assert len(workers) <= 2 and os.getpid() not in workers
    assert all(made_in == ran_in for _, made_in, ran_in in found)
    with pytest.raises(ValueError, match="not this one"):
        list(mapped(args, squares, [1, 2, -1]))


def test_an_unknown_engine_is_told(tmp_path):
    wrong = Place(tmp_path).command("calibrate", "--engine", "dask")
    assert wrong.returncode == 2 and b"processes or ray://HOST:PORT" in wrong.stderr


def test_workers_are_given_no_keys():
    kept = {"HOME": "/h", "COMPASS_MODE": "observe"}
    assert without_keys({**kept, "ANTHROPIC_API_KEY": "a", "GH_TOKEN": "b", "my_secret": "c"}) == kept


@pytest.fixture
def cluster(tmp_path_factory):
    """Of one machine; it ends with all that it started."""
    port = free_port()
    folder = tmp_path_factory.getbasetemp().parent / "ray"
    words = (
        *("start", "--head", "--block", f"--port={free_port()}", f"--ray-client-server-port={port}"),
        *("--node-ip-address=127.0.0.1", "--num-cpus=2", "--object-store-memory=80000000"),
        *("--include-dashboard=false", f"--temp-dir={folder}"),
    )
    with subprocess.Popen(
        [Path(sys.executable).with_name("ray"), *words], env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as head:  # fmt: skip
        yield f"ray://127.0.0.1:{port}"
        with suppress(ProcessLookupError):
            os.killpg(head.pid, signal.SIGKILL)


def measured(place: Place, file: Path, *words: object) -> str:
    words = ("calibrate", "--json", "--cases", str(file), "--out", "x", *map(str, words))
    done = place.command(*words, timeout=300)
    assert done.returncode == 0 and not unfinished(place), done.stderr
    return re.sub(r'"date": "[^"]*"', "", done.stdout.decode())


def unfinished(place: Place) -> list[Path]:
    return list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))


@pytest.mark.full
@pytest.mark.timeout(600)
def test_any_engine_writes_the_same_result_as_one_process(tmp_path, cluster):
    place, file = Place(tmp_path, forked=False), many_cases(tmp_path, FEW)
    one = measured(place, file, "--jobs", 1)
    assert measured(place, file, *TWO) == one
    assert measured(place, file, *TWO, "--engine", cluster) == one


@pytest.mark.full
@pytest.mark.timeout(200)
def test_two_processes_replay_to_the_document_of_one_and_pass_over_what_a_resumed_session_repeats(tmp_path):
    place = Place(tmp_path)
    words = ("replay", str(sessions(tmp_path / "kept", place.project)), "--json", "--jobs")
    one, two = (place.command(*words, jobs, timeout=110) for jobs in ("1", "2"))
    assert (one.returncode, one.stderr) == (two.returncode, two.stderr) == (0, b"")
    assert two.stdout == one.stdout
    found = json.loads(one.stdout)
    assert found["sessions"] == SESSIONS and found["calls"] == found["writes"] == SESSIONS * TURNS * 2


def workers_of(pid: int) -> list[int]:
    texts = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    found = [int(one) for text in texts for one in text.split()]
    return [one for one in found if b"popen_loky" in Path(f"/proc/{one}/cmdline").read_bytes()]


@pytest.mark.full
@pytest.mark.timeout(300)
@pytest.mark.parametrize("killed", ["a worker", "the command"])
def test_a_killed_process_ends_the_command_with_all_it_started_and_the_next_run_goes_on(tmp_path, killed):
    place, file = Place(tmp_path), many_cases(tmp_path, MANY)
    words = ("calibrate", "--json", "--cases", str(file), "--out", "x", *TWO)
    with subprocess.Popen(
        [sys.executable, "-I", MAIN, *words],
        env=place.environment(), cwd=place.project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as running:  # fmt: skip
        until(lambda: bool(unfinished(place)) and unfinished(place)[0].stat().st_size > 10_000, 60)
        workers = workers_of(running.pid)
        os.kill(workers[-1] if killed == "a worker" else running.pid, signal.SIGKILL)
        said, _ = running.communicate(timeout=60)
    assert len(workers) == 2
    if killed == "a worker":
        assert running.returncode == 2 and b"run the same command again" in said
    until(lambda: not any(process_of(str(pid)) for pid in workers), 20)
    assert unfinished(place)
    if killed == "a worker":
        assert measured(place, file, *TWO) == measured(place, file, "--jobs", 1)


@pytest.mark.full
def test_a_thousand_cases_take_less_than_twenty_seconds_of_a_processor(tmp_path):
    place, file = Place(tmp_path), many_cases(tmp_path, 1000)
    before = os.times()
    measured(place, file)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 20.0
