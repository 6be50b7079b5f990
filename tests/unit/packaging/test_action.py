"""The action's check as a runner runs it: its `run` line, inputs as variables, the real program, readers with noise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from apis.noisyapi import NoisyApi, write_cases
from corpora import corpus
from repository import ROOT
from running.hookrun import Place

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
CHECK = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "check")

# A run that ends early leaves connections to the loopback API that nobody closes any more.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Job:
    """A step of a job in the project's folder."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.temp = place.root / "runner temp"
        self.summary, self.output = place.root / "summary.md", place.root / "output"
        (self.temp / "compass/bin").mkdir(parents=True)
        (self.temp / "compass/bin/compass").symlink_to(Path(sys.executable).parent / "compass")

    def check(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        assert inputs.keys() <= ACTION["inputs"].keys()
        given = {name: inputs.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()}
        self.output.write_text("")
        env = {
            **self.place.environment(),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_OUTPUT": str(self.output),
            **{name: self._value(text, given) for name, text in CHECK["env"].items()},
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", CHECK["run"]]
        return subprocess.run(
            words, env=env, cwd=self.place.project, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=110,
        )  # fmt: skip

    def _value(self, text: str, inputs: dict[str, str]) -> str:
        known = {"runner.temp": str(self.temp), **{f"inputs.{name}": text for name, text in inputs.items()}}
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda found: known[found[1]], text)

    def outputs(self) -> dict[str, str]:
        """As the action's outputs tell them."""
        written = dict(line.split("=", 1) for line in self.output.read_text().splitlines())
        stated = {name: one["value"] for name, one in ACTION["outputs"].items()}
        return {name: written[value[3:-2].strip().rpartition(".")[2]] for name, value in stated.items()}


def calibrated(place: Place, *words: Any) -> None:
    done = place.command("calibrate", "--yes", *map(str, words), timeout=110)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.full
def test_readers_that_stand_pass_and_readers_that_moved_fail(tmp_path: Path) -> None:
    with NoisyApi(seed=7, noise=0.1) as api:
        env = {"COMPASS_EVALUATOR__BASE_URL": api.url, "ANTHROPIC_API_KEY": "test-key"}
        place = Place(tmp_path, env)
        job = Job(place)
        parts = [write_cases(tmp_path / f"cases {n}.jsonl", 15, n, clear=(0.62, 0.65)) for n in (8, 9)]
        baseline = tmp_path / "baseline.json"
        cases = ("--cases", *parts)
        calibrated(place, *cases, "--backend", "anthropic", "--repeats", 3, "--out", baseline)
        given = {
            "cases": "".join(f"  {part}\n" for part in parts),
            "baseline": str(baseline),
            "backend": "anthropic",
        }

        same = job.check(**given)
        assert same.returncode == 0, same.stderr
        assert job.outputs() == {"drift": "false", "exit-code": "0"}
        assert "::error" not in same.stdout and job.summary.read_text().count("| clear |") == 3

        api.shift = -0.08
        elsewhere = tmp_path / "own.md"
        moved = job.check(**given, summary=str(elsewhere))
    assert moved.returncode == 1, moved.stderr
    assert job.outputs() == {"drift": "true", "exit-code": "1"}
    assert "::error title=Compass::The readers have moved" in moved.stdout
    assert "the readers have moved: mean score of clear cases" in elsewhere.read_text()
    assert "have moved" not in job.summary.read_text()


@pytest.mark.full
def test_rules_never_move_and_shipped_cases_need_no_input(tmp_path: Path) -> None:
    place = Place(tmp_path)
    job, baseline = Job(place), tmp_path / "baseline.json"
    calibrated(place, "--backend", "embedded", "--out", baseline)
    done = job.check(baseline=str(baseline), backend="embedded")
    assert (done.returncode, job.outputs()["drift"]) == (0, "false"), done.stderr


def test_what_could_not_be_told_is_no_drift_and_no_pass(tmp_path: Path) -> None:
    job = Job(Place(tmp_path))
    done = job.check(baseline=str(tmp_path / "none.json"), backend="embedded")
    assert (done.returncode, job.outputs()) == (3, {"drift": "", "exit-code": "3"})
    assert "no such baseline" in done.stderr and "(exit code 3)" in done.stdout


@pytest.mark.full
@corpus("hostile", ["$(touch owned)", "`touch owned`", "x; touch owned", "--out=owned", "a\nb' \" c"])
def test_an_input_is_a_word_and_never_a_command(tmp_path: Path, hostile: str) -> None:
    place = Place(tmp_path)
    done = Job(place).check(baseline=hostile, cases=hostile, backend="embedded")
    assert done.returncode in (2, 3), done.stderr
    assert not (place.project / "owned").exists()
