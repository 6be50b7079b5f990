"""Certified cuts as real hook processes hold writes against them, and what a person's answers make of the cut."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from played.client import Conversation
from played.machine import Machine
from running.hookrun import denial
from samples.reportresults import result

from compass.joining.thresholds import standing_of
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict
from evaluator.configuration.loading import thresholds_file
from evaluator.configuration.settings import build
from evaluator.model import Cuts, Score

CUTS = {"": Cuts(0.8, 1.1, 0.1, 0.1)}
ENV = {
    "COMPASS_EVALUATOR__BACKEND": "anthropic",
    "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "30",
    "COMPASS_DEADLINE_SECONDS": "30",
    "COMPASS_MAX_CHECKS_PER_TURN": "100",
    "ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789",
    "NO_PROXY": "127.0.0.1",
}


class Here:
    """One attended session at the hook, with scripted readers and a calibration."""

    def __init__(self, root: Path, api: LoopbackApi, **env: str) -> None:
        self.api = api
        self.machine = Machine.at(root, {**ENV, "COMPASS_EVALUATOR__BASE_URL": api.url, **env}, "shop")
        self.talk = Conversation(self.machine, "certified", attended=True)
        given = self.machine.place.environment()
        self.file = Path(thresholds_file(given, given["HOME"], str(self.machine.project)))
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.calibrate()
        self.talk.begins()
        self.talk.user("Tidy up the configuration of this project, all of it that is out of date.")

    def calibrate(self, date: str = "2026-11-22T00:00:00Z") -> None:
        now = standing_of(build({}), "anthropic")
        certificate = Certificate(Score(), CUTS, CUTS)
        found = Calibrated(now.backend, now.model, now.prompt, date, {now.n: certificate}, {}, {})
        self.file.write_text(json.dumps(as_dict(found)))

    def write(self, name: str, score: float) -> str | None:
        """What the agent is told where the write is held; None where it runs."""
        self.api.default = reply(answer(score))
        call = self.talk.call(
            "Write", {"file_path": str(self.machine.project / name), "content": "x\n"}, None, ""
        )
        reason = denial(self.talk.fire(call))
        if reason is None:
            self.talk.ended(call, worked=True)
        else:
            self.talk.denied(call, reason)
        return reason

    def told(self, *words: str) -> Any:
        done = self.machine.place.command(*words, "--json")
        return json.loads(done.stdout)

    def promise(self) -> str:
        return "\n".join(self.told("status")["calibration"])

    def proceed_after_a_block(self, name: str) -> None:
        assert self.write(name, 0.3) is not None
        self.talk.user("compass: proceed")
        assert self.write(name, 0.3) is None


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    with LoopbackApi() as found:
        yield found


def test_the_cuts_hold_and_no_hook_opens_what_people_read(tmp_path: Path, api: LoopbackApi) -> None:
    """A pipe in its place would keep whoever opens it for ever."""
    here = Here(tmp_path, api)
    os.mkfifo(here.file.with_name("calibration.json"))
    assert here.write("a/one.toml", 0.6) is None, "between the cuts, and the deviation is no veto"
    assert here.write("b/two.toml", 0.3) is not None
    found = here.told("explain")
    assert (found["verdict"], found["reason"], found["thresholds"]["certified"]["cuts"]["block"]) == (
        "failed", "low_confidence", 0.8,
    )  # fmt: skip
    shown = here.machine.place.command("explain").stdout.decode()
    assert "0.550 (certified; blocked under 0.800" in shown
    assert "turned by" in shown
    assert len(api.requests) == 10


def test_two_readers_are_asked_where_they_suffice(tmp_path: Path, api: LoopbackApi) -> None:
    here = Here(tmp_path, api, COMPASS_SAMPLING__STRATEGY="escalate")
    for name, score, calls in (("a/x.toml", 0.95, 2), ("b/x.toml", 0.3, 2), ("c/x.toml", 0.7, 5)):
        before = len(api.requests)
        assert (here.write(name, score) is None) is (score > 0.5)
        assert len(api.requests) - before == calls


def test_what_the_user_lets_through_is_advised_and_moves_nothing_by_itself(
    tmp_path: Path, api: LoopbackApi
) -> None:
    here = Here(tmp_path, api)
    assert "under 0.800" in here.promise()
    for name in ("a/x.toml", "b/x.toml"):
        here.proceed_after_a_block(name)
    promise = here.promise()
    assert "from 0.800 to 0.7" in promise
    assert "`compass config set calibration.follow apply`" in promise
    assert "`compass config set calibration.floor 0.7" in promise
    assert here.write("c/x.toml", 0.54) is not None
    here.calibrate("2026-11-23T00:00:00Z")
    assert "could go" not in here.promise(), "a new calibration starts anew"


def test_applied_the_gate_goes_by_the_moved_cut_no_lower_than_the_floor(
    tmp_path: Path, api: LoopbackApi
) -> None:
    here = Here(tmp_path, api, COMPASS_CALIBRATION__FOLLOW="apply", COMPASS_CALIBRATION__FLOOR="0.77")
    assert here.write("a/x.toml", 0.54) is not None
    for name in ("b/x.toml", "c/x.toml", "d/x.toml"):
        here.proceed_after_a_block(name)
    assert "0.800 -> 0.770" in here.promise()
    told = "under 0.770 a write is blocked (certified is 0.800: at most 10% of clear ones)"
    assert told in here.promise() and "destructive calls: under 0.800" in here.promise()
    assert told in here.machine.place.command("doctor").stdout.decode()
    assert here.write("e/x.toml", 0.54) is None
    assert here.write("f/x.toml", 0.5) is not None
    shown = here.machine.place.command("explain").stdout.decode()
    assert "blocked under 0.772, moved from the certified 0.800, at most 10% of clear writes" in shown
    case = {"user_message": "mend a", "tool_name": "Write", "file_path": "g/x.toml", "content": "x"}
    here.api.default = reply(answer(0.54))
    kept_nothing = here.machine.place.command(
        "check", "--case", "-", "--json", stdin=json.dumps(case).encode()
    )
    assert json.loads(kept_nothing.stdout)["thresholds"]["certified"]["moved_from"] == 0.8


def test_an_agent_that_tries_again_and_what_it_says_move_nothing(tmp_path: Path, api: LoopbackApi) -> None:
    here = Here(tmp_path, api)
    for number in range(4):
        assert here.write(f"{number}/x.toml", 0.3) is not None
    here.talk.agent("compass: proceed")
    here.talk.machine_says("compass: proceed")
    assert here.write("0/x.toml", 0.3) is not None
    assert "could go" not in here.promise()
    here.talk.user("compass: proceed")
    for number in range(4):
        assert here.write(f"{number}/x.toml", 0.3) is None
    # One answer counts once: 0.02 less what its checks took back.
    assert "from 0.800 to 0.78" in here.promise()


def test_a_promise_that_is_broken_is_told(tmp_path: Path, api: LoopbackApi) -> None:
    here = Here(tmp_path, api, COMPASS_CALIBRATION__FOLLOW="advise")
    for number in range(5):
        here.proceed_after_a_block(f"{number}/x.toml")
    assert "its promise no longer holds" in here.promise()


def test_the_cut_of_what_destroys_stays(tmp_path: Path, api: LoopbackApi) -> None:
    here = Here(tmp_path, api)
    api.default = reply(answer(0.3))
    for number in range(3):
        (here.machine.project / f"{number}.toml").write_text("x\n")
        call = here.talk.call("Bash", {"command": f"rm {number}.toml"}, None, "")
        reason = denial(here.talk.fire(call))
        assert reason is not None
        here.talk.denied(call, reason)
        here.talk.user("compass: proceed")
        assert denial(here.talk.fire(call)) is None
    assert "could go" not in here.promise()


def test_a_project_that_asks_more_readers_leaves_the_cuts_in_force_and_is_named(
    tmp_path: Path, api: LoopbackApi
) -> None:
    here = Here(tmp_path, api)
    settings = here.machine.project / ".compass/settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"compass": {"evaluator": {"n": 9}}}))
    assert here.write("a/x.toml", 0.6) is None, "the pair of mean and deviation would hold it"
    assert len(api.requests) == 5
    assert "under 0.800" in here.promise()
    doctor = here.machine.place.command("doctor").stdout.decode()
    assert "evaluator.n: thresholds are calibrated for 5 readers, not for 9" in doctor


def test_a_stated_threshold_is_told_by_status_and_doctor(tmp_path: Path, api: LoopbackApi) -> None:
    """With the rates of the measured cases; as processes, which have to find the statistics by themselves."""
    rule = "certified+agreement"
    here = Here(tmp_path, api, COMPASS_CONFIDENCE_THRESHOLD="0.95", COMPASS_CONVERGENCE__RULE=rule)
    now = standing_of(build({}), "anthropic")
    document = result(history=False).as_json() | {
        "backend": now.backend, "model": now.model, "prompt": now.prompt,
    }  # fmt: skip
    here.file.with_name("calibration.json").write_text(json.dumps(document))
    for told in (here.promise(), here.machine.place.command("doctor").stdout.decode()):
        assert (
            "0.95 (`compass config set confidence_threshold X`) as well, which was not tested: with it"
            in told
        )
        assert "of 80 clear units" in told
    assert here.write("a/x.toml", 0.94) is not None
    shown = here.machine.place.command("explain").stdout.decode()
    assert "0.940 (at least 0.95)" in shown and "(at least 0.50)" in shown and "at most 1.00" not in shown
