"""Settings files as the host reads them, variables of an untrusted project's `env` block, and a project's key."""

import hashlib
import json
import os
import pwd
import shutil
import stat
from pathlib import Path

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from running.ownhome import git

from compass.composition.settings import load
from evaluator.settings.environment import Block, clean, may_be, trusted_environment
from evaluator.settings.files import MAX_SETTINGS_BYTES, read_settings
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
from hooks.hosts.claude_code.host import HOST

FILES = HOST.FILES

REFUSED = [
    "ONLOOKER_DIR", "ONLOOKER_EVENTS_LOG", "PATH", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS", "PYTHONPATH", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "SSL_CERT_FILE",
    "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "CLAUDE_CODE_USE_BEDROCK", "AWS_PROFILE", "OPENSSL_CONF",
    "COMPASS_NESTED", "COMPASS_VIA_PLUGIN",
]  # fmt: skip
NAMES = st.sampled_from(["ONLOOKER_DIR", "COMPASS_MODE", "PATH", "ANTHROPIC_BASE_URL", "LANG"])
VALUES = st.text(st.characters(exclude_characters="\x00"), max_size=6)


def new_places(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    for folder in (home, project):
        (folder / ".claude").mkdir(parents=True)
    return home, project


places = pytest.fixture(new_places, name="places")


def put(folder, value, name="settings.json"):
    path = folder / ".claude" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())


def read(places, env, cwd="", project=None):
    home, folder = places
    return trusted_environment(
        {"HOME": str(home), **env}, str(home), str(project or folder), str(cwd), at=FILES
    )


@corpus("name", REFUSED)
@corpus("file", ["settings.json", "settings.local.json"], each={"places": new_places})
def test_a_variable_that_the_block_set_is_dropped_and_the_users_own_block_wins(places, name, file):
    put(places[1], {"env": {name: "/evil"}}, file)
    found = read(places, {name: "/evil", "LANG": "C"})
    assert name not in found.env
    assert found.env["LANG"] == "C"
    assert found.sources == {name: str(places[1] / ".claude" / file)}
    put(places[0], {"env": {name: "/mine"}})
    assert read(places, {name: "/evil"}).env[name] == "/mine"


def test_a_block_alone_cannot_take_away_what_it_did_not_set(places):
    """The host lets the block win: another value came from elsewhere, and a block must not unset it."""
    put(places[1], {"env": {"ANTHROPIC_API_KEY": "evil", "ONLOOKER_DIR": "/evil"}})
    found = read(places, {"ANTHROPIC_API_KEY": "mine", "ONLOOKER_DIR": "/mine"})
    assert (found.env["ANTHROPIC_API_KEY"], found.env["ONLOOKER_DIR"], found.sources) == ("mine", "/mine", {})


@corpus("name", sorted(FILES.sets), each={"places": new_places})
def test_what_the_host_sets_after_the_block_stays(places, name):
    put(places[1], {"env": {name: "1"}})
    assert read(places, {name: "1"}).env[name] == "1"


def test_home_comes_from_the_password_database_where_the_block_may_have_set_it(places):
    home, project = places
    put(project, {"env": {"HOME": str(project)}})
    found = trusted_environment({"HOME": str(project)}, str(project), str(project), at=FILES)
    assert found.home == found.env["HOME"] == pwd.getpwuid(os.getuid()).pw_dir
    kept = trusted_environment({"HOME": str(home)}, str(home), str(project), at=FILES)
    assert kept.home == kept.env["HOME"] == str(home)


def test_a_compass_variable_of_the_users_own_stays_the_users(places):
    home, project = places
    put(home, {"env": {"COMPASS_MODE": "observe"}})
    put(project, {"env": {"COMPASS_MODE": "enforce", "COMPASS_ERROR_POLICY": "open"}})
    env = {"COMPASS_MODE": "enforce", "COMPASS_ERROR_POLICY": "embedded", "COMPASS_EVALUATOR__N": "7"}
    settings = load(env, str(home), str(project)).settings
    assert (settings.mode, settings.error_policy, settings.evaluator.n) == ("observe", "embedded", 7)


def test_the_git_roots_files_count_for_a_project_below_it(places):
    """The client applies settings.local.json of the git root when it is started in a folder below."""
    _, root = places
    git(root, "init", "-q")
    (root / "sub").mkdir()
    put(root, {"env": {"ONLOOKER_DIR": "/evil"}}, "settings.local.json")
    found = read(places, {"ONLOOKER_DIR": "/evil"}, project=root / "sub")
    assert "ONLOOKER_DIR" not in found.env


def test_the_blocks_where_the_agent_works_count_too(places, tmp_path):
    put(places[1], {"env": {"COMPASS_ENABLED": "false", "SSL_CERT_FILE": "/evil"}})
    (tmp_path / "elsewhere").mkdir()
    env = {"COMPASS_ENABLED": "false", "SSL_CERT_FILE": "/evil"}
    found = read(places, env, cwd=places[1], project=tmp_path / "elsewhere")
    assert "SSL_CERT_FILE" not in found.env
    assert found.project_values == {"COMPASS_ENABLED": "false"}


def test_the_home_as_the_project_is_trusted(places):
    home, _ = places
    put(home, {"env": {"ONLOOKER_DIR": "/mine", "COMPASS_MODE": "observe"}})
    put(home, {"env": {"ONLOOKER_EVENTS_LOG": "/mine"}}, "settings.local.json")
    env = {"ONLOOKER_DIR": "/mine", "COMPASS_MODE": "observe", "ONLOOKER_EVENTS_LOG": "/mine"}
    found = read(places, env, project=home)
    assert (dict(found.sources), dict(found.project_values)) == ({}, {})
    assert {**found.env, **env} == found.env


def test_the_recorded_onlooker_dir_stands_in_for_the_one_that_the_block_replaced(places, tmp_path):
    home, project = places
    mine = str(tmp_path / "state")
    record_project({"ONLOOKER_DIR": mine}, str(home), str(project))
    put(project, {"env": {"ONLOOKER_DIR": "/evil"}})
    assert read(places, {"ONLOOKER_DIR": "/evil"}).env["ONLOOKER_DIR"] == mine


def test_a_file_that_only_the_host_can_read_may_have_set_everything_but_home(places):
    deep = b'{"env": {"A": "1"}, "x": ' + b"[" * 90_000 + b"]" * 90_000 + b"}"
    put(places[1], deep)
    env = {"ONLOOKER_DIR": "/x", "COMPASS_ENABLED": "true", "CLAUDE_PROJECT_DIR": str(places[1])}
    found = read(places, env)
    assert set(found.env) == {"HOME", "CLAUDE_PROJECT_DIR"}
    assert found.project_values == {"COMPASS_ENABLED": "true"}
    assert load(env, *map(str, places)).settings.enabled


@corpus(
    ("said", "found"),
    [
        ("/a", "/a"),
        ("/a\ud800", "/a\ufffd"),
        (" /a ", "/a"),
        (7, "7"),
        (1e30, "1e+30"),
        (True, "true"),
        (None, "null"),
        ({"x": 1}, "[object Object]"),
        (10**400, "Infinity"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_a_value_is_known_again_as_the_host_writes_it(said, found):
    assert may_be(said, found)
    assert isinstance(said, dict) or not may_be(said, "8")


@given(st.dictionaries(NAMES, VALUES), st.dictionaries(NAMES, VALUES), st.dictionaries(NAMES, VALUES))
def test_no_value_of_the_block_is_left_and_no_other_is_lost(shell, block, own):
    """Whatever the shell had, after the host applied the block the block's values are gone again."""
    found = clean({**shell, **block}, "/home/me", own, [Block("f", block)])
    for name in block:
        assert found.env.get(name) == own.get(name)
    for name in shell.keys() - block.keys():
        assert found.env[name] == shell[name]
    assert set(found.env) <= shell.keys() | own.keys()


def test_a_block_that_nobody_can_read_may_have_set_all_but_the_home():
    found = clean({"HOME": "/home/me", "LANG": "C"}, "/home/me", {}, [Block("f", {}, anything=True)])
    assert dict(found.sources) == {"LANG": "f"}


# What the host might read of a file and Compass cannot is opaque.

BLOCK = b'{"env": {"A": "1"}, "x": '


@corpus(
    "raw",
    [
        BLOCK + b"0}",
        b"\xef\xbb\xbf" + BLOCK + b"0}",
        '\ufeff{"env": {"A": "1"}}'.encode("utf-16-le"),
        BLOCK + b'"\xff\xfe"}',
        BLOCK + b"9" * 5000 + b"}",
        b'{"env": {"B": "2"}, "env": {"A": "1"}}',
    ],
    ids=["plain", "utf-8 mark", "utf-16", "wrong bytes", "a number of 5000 digits", "a key twice"],
)
def test_what_the_host_reads_is_read(tmp_path, raw):
    """Each of these was tried with the real client, which sets A to 1."""
    (tmp_path / "settings.json").write_bytes(raw)
    found = read_settings(str(tmp_path / "settings.json"))
    assert (found.section("env"), found.problem, found.opaque) == ({"A": "1"}, "", False)


@corpus(
    ("raw", "opaque"),
    [
        (BLOCK + b"[" * 90_000 + b"]" * 90_000 + b"}", True),
        (BLOCK + b'"' + b"y" * MAX_SETTINGS_BYTES + b'"}', True),
        *((raw, False) for raw in (b"// c\n{}", b'{"a": 1,}', b"{", b"[]", b'{"env": {"A": "\t"}}', b"\x00")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_compass_cannot_read_is_opaque_where_the_host_may_and_a_problem(tmp_path, raw, opaque):
    (tmp_path / "settings.json").write_bytes(raw)
    found = read_settings(str(tmp_path / "settings.json"))
    assert found.problem and not found.value and found.opaque is opaque


@pytest.mark.timeout(10)
def test_a_pipe_does_not_block_and_a_folder_or_a_device_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "endless"):
        assert read_settings(str(path)).opaque
    assert "IsADirectoryError" in read_settings(str(tmp_path)).problem
    assert read_settings("a\x00b").problem


def new_cloned(tmp_path):
    """(the home, a repository with a remote)."""
    home, project = new_places(tmp_path)
    with_remote(project)
    return str(home), project


cloned = pytest.fixture(new_cloned, name="cloned")


def with_remote(folder, name="a"):
    git(folder, "init", "-q")
    git(folder, "remote", "add", "origin", f"https://example.com/{name}.git")


def digest(name):
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def test_the_remote_origin_names_the_project_and_each_work_tree_of_it(cloned, tmp_path):
    _, project = cloned
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
    path = Path(user_project_file({}, home, str(project)))
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
def test_a_change_of_the_remote_does_not_turn_the_gate_off(cloned, change):
    home, project = cloned
    set_up(home, project)
    record_project({}, home, str(project))
    change(project)
    assert project_key(str(project)) != recorded_key(state_dir({}, home), str(project))
    assert load({}, home, str(project)).settings.enabled


def test_a_remote_of_another_project_does_not_bring_its_settings(cloned, tmp_path):
    """The user's settings for another project may be loose; the folder's own record wins."""
    home, project = cloned
    other = tmp_path / "other"
    other.mkdir()
    with_remote(other, "other")
    set_up(home, other, mode="observe", confidence_threshold=0.0)
    set_up(home, project)
    record_project({}, home, str(project))
    change_remote(project)
    settings = load({}, home, str(project)).settings
    assert (settings.mode, settings.confidence_threshold) == ("enforce", None)


def test_a_folder_below_the_root_keeps_its_key_when_it_becomes_a_repository(cloned):
    home, project = cloned
    sub = project / "sub"
    sub.mkdir()
    set_up(home, project)
    record_project({}, home, str(sub))
    git(sub, "init", "-q")
    assert load({}, home, str(sub)).settings.enabled


def test_a_session_start_records_a_clone_that_was_never_set_up_itself_if_its_project_was(cloned, tmp_path):
    home, project = cloned
    record_if_set_up({}, home, str(project))
    assert not (tmp_path / "home/.onlooker").exists()
    set_up(home, project)
    clone = tmp_path / "clone"
    shutil.copytree(project, clone)
    record_if_set_up({}, home, str(clone))
    change_remote(clone)
    record_if_set_up({}, home, str(clone))
    assert load({}, home, str(clone)).settings.enabled


def test_after_forgetting_the_remote_decides_again(cloned, tmp_path):
    home, project = cloned
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


def test_what_others_need_is_not_forgotten(cloned):
    home, project = cloned
    (project / "sub").mkdir()
    record_project({}, home, str(project / "sub"))
    forget_project({}, home, str(project / "sub"), frozenset({str(project)}))
    change_remote(project)
    assert recorded_key(state_dir({}, home), str(project)) != project_key(str(project))


def test_onlooker_dir_is_recorded_privately_and_only_where_it_is_not_the_default(cloned, tmp_path):
    home, project = cloned
    record_project({}, home, str(project))
    assert recorded_onlooker_dir(home, str(project)) is None
    record_project({"ONLOOKER_DIR": str(tmp_path / "state")}, home, str(project))
    assert recorded_onlooker_dir(home, str(project)) == str(tmp_path / "state")
    for path in (tmp_path / "home/.config").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


@corpus("text", ["", "x", "../../evil\n", "\x00", "0123456789ab"], each={"cloned": new_cloned})
def test_a_record_that_is_not_ours_to_understand_is_not_followed(cloned, tmp_path, text):
    home, project = cloned
    record_project({}, home, str(project))
    for path in (tmp_path / "home/.onlooker/compass/projects").iterdir():
        path.write_text(f"{project}\n{text}" if text.startswith("..") else text)
    assert recorded_key(state_dir({}, home), str(project)) == project_key(str(project))
