"""A project's key: the same for every checkout, and kept when its remote changes; ONLOOKER_DIR outlives a block."""

import hashlib
import json
import shutil
import stat

import pytest
from corpora import corpus
from running.ownhome import git

from compass.composition.settings import load
from evaluator.settings.layers import user_project_file
from evaluator.settings.places import (
    forget_project,
    project_key,
    project_root,
    record_if_set_up,
    record_project,
    recorded_key,
    recorded_onlooker_dir,
    state_dir,
)


def new_places(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    git(project, "init", "-q")
    git(project, "remote", "add", "origin", "https://example.com/a.git")
    return str(home), project


places = pytest.fixture(new_places, name="places")


def digest(name):
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def test_the_remote_origin_names_the_project_and_each_work_tree_of_it(places, tmp_path):
    _, project = places
    (project / "sub").mkdir()
    git(project, "commit", "-q", "--allow-empty", "-m", "x")
    git(project, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(project, "remote", "add", "upstream", "https://example.com/b.git")
    for folder in (project, project / "sub", tmp_path / "tree"):
        assert project_key(str(folder)) == digest("remote:https://example.com/a.git")


def test_without_a_remote_the_root_names_it(tmp_path):
    (tmp_path / "deep/er").mkdir(parents=True)
    assert project_root(str(tmp_path / "deep")) == str(tmp_path / "deep")
    git(tmp_path, "init", "-q")
    assert project_root(str(tmp_path / "deep/er")) == str(tmp_path)
    assert project_key(str(tmp_path / "deep/er")) == digest(f"root:{tmp_path}")


def set_up(home, project, **values):
    file = user_project_file({}, home, str(project))
    path = project.__class__(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"enabled": True, **values}))


def change_remote(project):
    git(project, "remote", "set-url", "origin", "https://example.com/other.git")


CHANGES = [
    change_remote,
    lambda project: git(project, "remote", "remove", "origin"),
    lambda project: (project / ".git/config").unlink(),
    lambda project: shutil.rmtree(project / ".git"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_remote_does_not_turn_the_gate_off(places, change):
    home, project = places
    set_up(home, project)
    record_project({}, home, str(project))
    change(project)
    assert project_key(str(project)) != recorded_key(state_dir({}, home), str(project))
    assert load({}, home, str(project)).settings.enabled


def test_a_remote_of_another_project_does_not_bring_its_settings(places, tmp_path):
    """The user's settings for another project may be loose; the folder's own record wins."""
    home, project = places
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    git(other, "remote", "add", "origin", "https://example.com/other.git")
    set_up(home, other, mode="observe", confidence_threshold=0.0)
    set_up(home, project)
    record_project({}, home, str(project))
    change_remote(project)
    settings = load({}, home, str(project)).settings
    assert (settings.mode, settings.confidence_threshold) == ("enforce", None)


def test_a_folder_below_the_root_keeps_its_key_when_it_becomes_a_repository(places):
    home, project = places
    sub = project / "sub"
    sub.mkdir()
    set_up(home, project)
    record_project({}, home, str(sub))
    git(sub, "init", "-q")
    assert load({}, home, str(sub)).settings.enabled


def test_a_session_start_records_a_clone_that_was_never_set_up_itself(places, tmp_path):
    home, project = places
    set_up(home, project)
    clone = tmp_path / "clone"
    shutil.copytree(project, clone)
    record_if_set_up({}, home, str(clone))
    change_remote(clone)
    record_if_set_up({}, home, str(clone))
    assert load({}, home, str(clone)).settings.enabled


def test_a_folder_that_nobody_set_up_leaves_no_record(places, tmp_path):
    home, project = places
    record_if_set_up({}, home, str(project))
    assert not (tmp_path / "home/.onlooker").exists()


def test_after_forgetting_the_remote_decides_again(places, tmp_path):
    home, project = places
    away = {"ONLOOKER_DIR": str(tmp_path / "state")}
    for env in ({}, away):
        record_project(env, home, str(project))
    change_remote(project)
    for env in ({}, away):
        forget_project(env, home, str(project))
        assert recorded_key(state_dir(env, home), str(project)) == project_key(str(project))
    assert recorded_onlooker_dir(home, str(project)) is None
    assert not (tmp_path / "home/.config/compass").exists()
    assert not (tmp_path / "state/compass/projects").exists()


def test_what_others_need_is_not_forgotten(places):
    home, project = places
    (project / "sub").mkdir()
    record_project({}, home, str(project / "sub"))
    forget_project({}, home, str(project / "sub"), frozenset({str(project)}))
    change_remote(project)
    assert recorded_key(state_dir({}, home), str(project)) != project_key(str(project))


def test_onlooker_dir_is_recorded_privately_and_only_where_it_is_not_the_default(places, tmp_path):
    home, project = places
    record_project({}, home, str(project))
    assert recorded_onlooker_dir(home, str(project)) is None
    record_project({"ONLOOKER_DIR": str(tmp_path / "state")}, home, str(project))
    assert recorded_onlooker_dir(home, str(project)) == str(tmp_path / "state")
    for path in (tmp_path / "home/.config").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


@corpus("text", ["", "x", "../../evil\n", "\x00", "0123456789ab"], each={"places": new_places})
def test_a_record_that_is_not_ours_to_understand_is_not_followed(places, tmp_path, text):
    home, project = places
    record_project({}, home, str(project))
    for path in (tmp_path / "home/.onlooker/compass/projects").iterdir():
        path.write_text(f"{project}\n{text}" if text.startswith("..") else text)
    assert recorded_key(state_dir({}, home), str(project)) == project_key(str(project))
