"""The project key: the same for every checkout of one repository, and for its worktrees."""

import hashlib

from running.ownhome import git

from evaluator.settings.places import project_key, project_root


def digest(name):
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def test_the_remote_names_the_project(tmp_path):
    url = "git@example.com:team/app.git"
    for name in ("one", "two"):
        (tmp_path / name / "sub").mkdir(parents=True)
        git(tmp_path / name, "init", "-q")
        git(tmp_path / name, "remote", "add", "origin", url)
        assert project_key(str(tmp_path / name / "sub")) == digest(f"remote:{url}")


def test_without_a_remote_the_root_names_it(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "deep/er").mkdir(parents=True)
    assert project_root(str(tmp_path / "deep/er")) == str(tmp_path)
    assert project_key(str(tmp_path / "deep/er")) == digest(f"root:{tmp_path}")


def test_a_worktree_has_the_key_of_its_repository(tmp_path):
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "remote", "add", "origin", "https://example.com/a.git")
    git(main, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert project_key(str(tmp_path / "tree")) == project_key(str(main))


def test_a_folder_without_git_is_its_own_project(tmp_path):
    assert project_root(str(tmp_path)) == str(tmp_path)


def test_another_remote_is_not_the_origin(tmp_path):
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "upstream", "https://example.com/b.git")
    assert project_key(str(tmp_path)) == digest(f"root:{tmp_path}")
