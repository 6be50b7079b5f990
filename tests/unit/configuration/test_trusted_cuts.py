"""Cuts that a team committed decide nothing until each user took them over, and then only as they were."""

import json
import os
from pathlib import Path

import pytest
from corpora import corpus

from compass.cli import main
from compass.composition.settings import load
from compass.composition.thresholds import rule_of, standing_of
from evaluator.calibrated import Calibrated, as_dict
from evaluator.model import Thresholds
from evaluator.record import replace
from evaluator.settings.layers import calibration_file, thresholds_file

BACKEND = "embedded"


class Team:
    def __init__(self, home, project):
        self.home, self.project = home, project
        self.committed = project / ".compass" / "thresholds.json"
        self.committed.parent.mkdir()

    def commits(self, confidence, **changes):
        settings = self.loaded().settings
        now = standing_of(settings, BACKEND)
        cuts = {"reversible": Thresholds(confidence, 1.0, alpha=0.1)}
        made = Calibrated(BACKEND, now.model, now.prompt, "2026-01-02T03:04:05Z", {now.n: cuts})
        self.committed.write_text(json.dumps(as_dict(replace(made, **changes))))

    def loaded(self):
        return load({"HOME": str(self.home)}, str(self.home), str(self.project))

    def file(self, name=thresholds_file):
        return Path(name({"HOME": str(self.home)}, str(self.home), str(self.project)))

    def confidence(self):
        """What a check is held against here."""
        return rule_of(
            self.loaded().settings, BACKEND, str(self.file(calibration_file))
        ).reversible.confidence


@pytest.fixture
def team(tmp_path, monkeypatch):
    home, project = tmp_path / "home", tmp_path / "project"
    for folder in (home, project):
        folder.mkdir()
    for name in list(os.environ):
        if name.startswith(("COMPASS_", "ONLOOKER_", "CLAUDE", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.chdir(project)
    return Team(home, project)


@pytest.fixture
def trust(capsys):
    def call(*words, code=0):
        capsys.readouterr()
        assert main(["trust", *words]) == code
        return capsys.readouterr()

    return call


def test_they_count_once_trusted_and_only_as_they_were(team, trust):
    usual = team.confidence()
    team.commits(0.41)
    assert team.confidence() == usual, "not read at all"
    said = trust().out
    assert ".compass/thresholds.json, measured 2026-01-02" in said
    assert "with 1 readers, reversible calls: a mean of at least 0.41 (by default 0.40)" in said
    assert team.confidence() == 0.41
    team.commits(0.22)
    assert team.confidence() == 0.41, "what was committed since is not trusted"
    assert json.loads(trust("--json").out)["thresholds"] is True
    assert team.confidence() == 0.22
    assert "trusted already" in trust().out
    team.committed.unlink()
    assert team.confidence() == 0.22
    assert "are deleted" in trust("--revoke").out
    assert team.confidence() == usual


def test_cuts_of_ones_own_are_kept(team, trust):
    team.commits(0.41)
    own = team.file()
    own.parent.mkdir(parents=True)
    own.write_bytes(team.committed.read_bytes().replace(b"0.41", b"0.57"))
    assert "yours are kept" in trust().out
    assert team.confidence() == 0.57
    trust("--revoke")
    assert team.confidence() == 0.57


def test_cuts_for_other_readers_change_nothing(team, trust):
    usual = team.confidence()
    team.commits(0.41, model="another")
    trust()
    assert team.confidence() == usual


@corpus("text", ["", "{}", "[]", "no JSON", '{"version": 2}', '{"version": 2, "per_n": 3}', "[" * 70_000])
def test_what_cannot_be_used_cannot_be_trusted(team, trust, text):
    team.committed.write_text(text)
    assert str(team.committed) in trust(code=1).err
    assert not team.file().exists()


def test_nor_what_is_no_file(team, trust):
    os.mkfifo(team.committed)
    assert "not a regular file" in trust(code=1).err
    team.committed.unlink()
    team.committed.symlink_to("/dev/zero")
    assert trust(code=1).err


def test_a_copy_is_private(team, trust):
    team.commits(0.41)
    trust()
    assert team.file().stat().st_mode & 0o777 == 0o600
