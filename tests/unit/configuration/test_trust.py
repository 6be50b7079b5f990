"""What counts once it is trusted: what a project's settings hold, and the cuts that its team committed."""

import json
import os
import stat
from pathlib import Path

import pytest
from corpora import corpus
from running import ownhome

from compass.composition.settings import load
from compass.composition.thresholds import is_calibrated, readers_now, rule_of
from evaluator.model import Thresholds
from evaluator.settings.layers import calibration_file, thresholds_file
from evaluator.verdict.calibrated_thresholds import Calibrated, calibrated_as_dict

home, project = ownhome.home, ownhome.project
LOOSE = {
    "compass": {"confidence_threshold": 0.0, "evaluator": {"base_url": "http://127.0.0.1:1"}},
    "env": {"COMPASS_STDDEV_THRESHOLD": "1", "ONLOOKER_EVENTS_LOG": "/evil", "SOME_TOKEN": "hush"},
}
THEIRS, SHARED, COMMITTED = ".claude/settings.json", ".compass/settings.json", ".compass/thresholds.json"


class Place(ownhome.Initialized):
    """A project in which `compass trust` runs, and what is calibrated there."""

    backend = "embedded"

    def trust(self, *words):
        return self.run("trust", *words)

    def commits(self, value, path=THEIRS):
        self.writes(self.project / path, value)

    def writes(self, path, value):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))

    def is_trusted(self):
        return self.loaded.clean.trusted

    def given(self, **env):
        return load(env, str(self.home), str(self.project))

    def states(self, **values):
        """What the user's own settings say beside the readers."""
        evaluator = {"backend": self.backend, **({"n": 5} if self.backend == "anthropic" else {})}
        self.writes(self.home / THEIRS, {"compass": {"evaluator": evaluator, **values}})

    def measured(self, confidence, n=None, **changes):
        now = readers_now(self.loaded.settings, self.backend)
        cuts = {"reversible": Thresholds(confidence, 1.0, alpha=0.1)}
        given = {"backend": now.backend, "model": now.model, "prompt": now.prompt, **changes}
        return calibrated_as_dict(Calibrated(**given, date="2026-01-02T03:04:05Z", per_n={n or now.n: cuts}))

    @property
    def cuts(self):
        return Path(thresholds_file({}, str(self.home), str(self.project)))

    @property
    def calibration(self):
        return calibration_file({}, str(self.home), str(self.project))

    @property
    def rule(self):
        return rule_of(self.loaded.settings, self.backend, self.calibration)

    @property
    def confidence(self):
        """What a check of a reversible call is held against here."""
        return self.rule.reversible.confidence


@pytest.fixture
def here(home, project, monkeypatch, capsys):
    # What is said is looked for in whole sentences.
    monkeypatch.setenv("COLUMNS", "1000")
    before = dict(os.environ)
    yield Place(home, project, monkeypatch, capsys)
    # The command cleans its process, which is this one.
    os.environ.clear()
    os.environ.update(before)


def test_trusted_values_are_shown_with_file_and_key_and_count_as_the_users(here):
    here.commits(LOOSE)
    before = here.loaded.settings
    assert (before.confidence_threshold, before.evaluator.base_url) == (None, None)
    found = here.trust()
    assert found["trusted"]
    assert stat.S_IMODE(os.stat(found["trust_file"]).st_mode) == 0o600
    after = here.given(COMPASS_STDDEV_THRESHOLD="1", ONLOOKER_EVENTS_LOG="/evil")
    settings = after.settings
    assert (settings.confidence_threshold, settings.stddev_threshold) == (0.0, 1.0)
    assert settings.evaluator.base_url == "http://127.0.0.1:1"
    assert after.clean.env["ONLOOKER_EVENTS_LOG"] == "/evil"
    assert after.problems == ()
    values = {value["key"]: value for value in found["values"]}
    ours = ["compass.confidence_threshold", "compass.evaluator.base_url"]
    assert sorted(values) == [*ours, *(f"env.{name}" for name in LOOSE["env"])]
    one = values["compass.confidence_threshold"]
    assert one["file"] == str(here.project / THEIRS)
    assert (one["value"], one["in_force"], one["means"]) == (0.0, None, "loosens the gate")
    assert "hush" not in json.dumps(values)


def test_the_same_is_told_to_people_before_it_is_written(here):
    here.commits({"compass": {"mode": "observe"}, "env": {"PATH": "\x1b[2Jx"}})
    out, _ = here.said("trust")
    assert out.index("compass.mode") < out.index("Trusted as it stands")
    assert "loosens the gate" in out
    assert "\x1b" not in out


def test_what_a_project_says_on_every_host_counts_until_it_changes(here):
    here.commits({"compass": LOOSE["compass"]}, SHARED)
    assert here.loaded.settings.confidence_threshold is None
    assert {(value["file"], value["key"]) for value in here.trust()["values"]} == {
        (str(here.project / SHARED), "compass.confidence_threshold"),
        (str(here.project / SHARED), "compass.evaluator.base_url"),
    }
    settings = here.loaded.settings
    assert (settings.confidence_threshold, settings.evaluator.base_url) == (0.0, "http://127.0.0.1:1")
    here.commits({"compass": {"confidence_threshold": 0.2}}, SHARED)
    assert here.loaded.settings.confidence_threshold is None


@corpus(
    "change",
    [
        lambda value: value["compass"].update(mode="observe"),
        lambda value: value["compass"]["evaluator"].update(n=8),
        lambda value: value["env"].update(NEW="1"),
        lambda value: value["env"].pop("SOME_TOKEN"),
        lambda value: value.update(compass={}),
    ],
)
def test_any_change_of_what_is_pinned_ends_the_trust(here, change):
    here.commits(LOOSE)
    here.trust()
    value = json.loads(json.dumps(LOOSE))
    change(value)
    here.commits(value)
    assert not here.is_trusted()
    here.commits(LOOSE)
    assert here.is_trusted()


def test_what_is_not_pinned_may_change(here):
    here.commits(LOOSE)
    here.trust()
    here.commits({**LOOSE, "permissions": {"allow": ["Read"]}, "hooks": {}})
    here.commits({"permissions": {}}, str(ownhome.LOCAL))
    assert here.is_trusted()


def test_revoke_takes_it_back_and_is_idempotent(here):
    here.commits(LOOSE)
    file = here.trust()["trust_file"]
    for _ in range(2):
        assert not here.trust("--revoke")["trusted"]
        assert not here.is_trusted()
        assert not os.path.exists(file)


def test_a_clone_with_the_same_key_is_not_trusted_with_it(here):
    def origin():
        (here.project / ".git").mkdir()
        config = '[remote "origin"]\n\turl = https://example.com/a.git\n'
        (here.project / ".git/config").write_text(config)
        here.commits(LOOSE)

    origin()
    original, first = here.project, here.trust()
    here.enter("clone", repository=False)
    origin()
    assert not here.is_trusted()
    assert here.trust()["trust_file"] == first["trust_file"]
    assert here.is_trusted()
    here.trust("--revoke")
    assert ownhome.loaded(here.home, original).clean.trusted


def test_a_file_that_cannot_be_read_cannot_be_trusted(here):
    here.commits(LOOSE)
    here.put('{"a": ' + "[" * 90_000 + "]" * 90_000 + "}")
    assert "cannot be trusted" in here.said("trust", code=1)[1]
    assert not here.is_trusted()


def test_a_block_cannot_bring_its_own_pin_along(here):
    """A state folder that the repository fills has a pin for this very content, and is not looked into."""
    mine = here.project / "state"
    here.commits({**LOOSE, "env": {"ONLOOKER_DIR": str(mine)}})
    file = here.trust()["trust_file"]
    planted = mine / "compass" / os.path.relpath(file, here.state)
    planted.parent.mkdir(parents=True)
    os.replace(file, planted)
    found = here.given(ONLOOKER_DIR=str(mine))
    assert not found.clean.trusted
    assert "ONLOOKER_DIR" not in found.clean.env


def test_a_trusted_onlooker_dir_is_used_and_can_be_revoked(here, tmp_path, monkeypatch):
    env = {"ONLOOKER_DIR": str(tmp_path / "state")}
    here.commits({"env": env})
    monkeypatch.setenv("ONLOOKER_DIR", env["ONLOOKER_DIR"])
    first = here.trust()
    assert here.given(**env).clean.env["ONLOOKER_DIR"] == env["ONLOOKER_DIR"]
    assert here.trust("--revoke")["trust_file"] == first["trust_file"]
    assert "ONLOOKER_DIR" not in here.given(**env).clean.env


@corpus("text", ["", "{", "[]", '{"trusted": []}', '{"trusted": {"x": 3}}'])
def test_a_broken_pin_trusts_nothing_and_can_be_written_again(here, text):
    here.commits(LOOSE)
    Path(here.trust()["trust_file"]).write_text(text)
    assert not here.is_trusted()
    assert here.trust()["trusted"]
    assert here.is_trusted()


@pytest.fixture
def hosted(here):
    here.backend = "anthropic"
    here.states()
    return here


@pytest.mark.parametrize(
    ("users", "projects", "measured", "held"),
    [
        (None, None, 0.4, 0.4),
        (None, None, 0.7, 0.7),
        # Looser than the default is the user's to state, and holds.
        (0.35, None, 0.4, 0.35),
        (0.35, None, 0.7, 0.35),
        # Else the stricter of both does.
        (0.5, None, 0.4, 0.5),
        (0.6, None, 0.7, 0.7),
        (None, 0.5, 0.4, 0.5),
        (None, 0.55, 0.7, 0.7),
        (0.6, 0.55, 0.4, 0.6),
        # A project's number that is under those of its user's stakes counts for nothing.
        (None, 0.3, 0.35, 0.35),
    ],
)
def test_what_somebody_states_is_held_beside_what_was_measured(hosted, users, projects, measured, held):
    hosted.writes(hosted.cuts, hosted.measured(measured))
    if users is not None:
        hosted.states(confidence_threshold=users)
    if projects is not None:
        hosted.commits({"compass": {"confidence_threshold": projects}}, SHARED)
    assert hosted.confidence == held


def test_one_number_counts_for_all_stakes_and_each_has_one_of_its_own(hosted):
    hosted.states(confidence_by_stakes={"irreversible": 0.8})
    rule = hosted.rule
    assert (rule.reversible.confidence, rule.irreversible.confidence) == (0.4, 0.8)
    hosted.commits({"compass": {"confidence_threshold": 0.7}}, SHARED)
    assert hosted.loaded.problems, "it would be looser for what cannot be taken back"
    assert hosted.rule == rule
    hosted.commits({"compass": {"confidence_threshold": 0.9}}, SHARED)
    assert (hosted.rule.reversible.confidence, hosted.rule.irreversible.confidence) == (0.9, 0.9)


@pytest.mark.parametrize(("n", "decides"), [(5, True), (3, False)])
def test_what_does_not_decide_is_not_calibrated(hosted, n, decides):
    hosted.writes(hosted.cuts, hosted.measured(0.8, n))
    assert is_calibrated(hosted.loaded.settings, "anthropic", hosted.calibration) is decides


def test_a_teams_count_once_trusted_and_only_as_they_were(here):
    here.states()
    usual = here.confidence
    here.commits(here.measured(0.41), COMMITTED)
    assert here.confidence == usual, "not read at all"
    said, _ = here.said("trust")
    assert ".compass/thresholds.json, measured 2026-01-02" in said
    assert "with 1 readers, reversible calls: a mean of at least 0.41 (by default 0.40)" in said
    assert here.confidence == 0.41 and here.cuts.stat().st_mode & 0o777 == 0o600
    here.commits(here.measured(0.22), COMMITTED)
    assert here.confidence == 0.41, "what was committed since is not trusted"
    assert here.trust()["thresholds"] is True
    assert here.confidence == 0.22
    assert "trusted already" in here.said("trust")[0]
    (here.project / COMMITTED).unlink()
    assert here.confidence == 0.22
    assert "have been deleted" in here.said("trust", "--revoke")[0]
    assert here.confidence == usual
    here.commits(here.measured(0.41, model="another"), COMMITTED)
    here.trust()
    assert here.confidence == usual, "of other readers"


def test_cuts_of_ones_own_are_kept(here):
    here.states()
    here.commits(here.measured(0.41), COMMITTED)
    here.writes(here.cuts, here.measured(0.57))
    assert "your own are kept" in here.said("trust")[0]
    here.trust("--revoke")
    assert here.confidence == 0.57


@corpus("text", ["", "[]", '{"version": 2, "per_n": 3}', "[" * 70_000, "a pipe"])
def test_what_cannot_be_used_cannot_be_trusted(here, text):
    committed = here.project / COMMITTED
    committed.parent.mkdir(exist_ok=True)
    committed.unlink(missing_ok=True)
    if text == "a pipe":
        os.mkfifo(committed)
    else:
        committed.write_text(text)
    assert str(committed) in here.said("trust", code=1)[1]
    assert not here.cuts.exists()
