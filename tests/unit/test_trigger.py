"""The trigger gate: sentinel and skip globs."""

import pytest
from pathspec import GitIgnoreSpec

from compass.skip_globs import remembered
from evaluator.settings import DEFAULT_SKIP_GLOBS
from evaluator.stages.trigger import all_skipped, has_sentinel, relative_to, translated

PROJECT = "/home/me/build/app"


@pytest.mark.parametrize(
    ("targets", "skipped"),
    [
        (("poetry.lock",), True),
        (("a/b/go.sum",), True),
        (("web/node_modules/x/index.js",), True),
        (("dist/app.js",), True),
        (("build/out.o",), True),
        ((".git/info/exclude",), True),
        (("poetry.lock", "src/a.py"), False),
        (("src/builder/a.py",), False),
        (("lockfile.py",), False),
        ((".git/hooks/pre-commit",), False),
        ((".git/config",), False),
        (("sub/.git/hooks/post-merge",), False),
        ((".GIT/HOOKS/pre-commit",), False),
        ((), False),
    ],
)
def test_every_target_must_match_a_glob(targets, skipped):
    absolute = tuple(f"{PROJECT}/{target}" for target in targets)
    assert all_skipped(absolute, PROJECT, DEFAULT_SKIP_GLOBS) is skipped


def test_a_project_below_a_folder_named_build_is_not_skipped_whole():
    assert not all_skipped((f"{PROJECT}/src/a.py",), PROJECT, DEFAULT_SKIP_GLOBS)


@pytest.mark.parametrize(
    "target", ["/home/me/build/other.lock", "/tmp/node_modules/x.js", "/home/me/build/app2/a.lock"]
)
def test_a_path_outside_of_the_project_never_matches(target):
    assert not all_skipped((target,), PROJECT, DEFAULT_SKIP_GLOBS)


GLOBS = [
    "*.lock",
    "**/dist/**",
    "/top",
    "docs/*.md",
    "a/**/b",
    "[ab].txt",
    "folder/",
    "# no glob",
    "",
    "\\#kept",
]
PATHS = [
    "x.lock",
    "a/x.lock",
    "dist/a",
    "dist",
    "top",
    "s/top",
    "docs/a.md",
    "docs/s/a.md",
    "a/b",
    "a/x/y/b",
    "a.txt",
]


@pytest.mark.parametrize("glob", GLOBS)
def test_the_expressions_say_what_pathspec_says(glob):
    spec = GitIgnoreSpec.from_lines([glob])
    for path in (*PATHS, "c.txt", "folder/x", "folder", "#kept", "# no glob"):
        assert all_skipped((f"{PROJECT}/{path}",), PROJECT, (glob,)) is spec.match_file(path)


def test_a_glob_that_takes_back_is_left_to_pathspec():
    globs = ("*.lock", "!mine.lock")
    assert translated(globs) is None
    assert all_skipped((f"{PROJECT}/a.lock",), PROJECT, globs)
    assert not all_skipped((f"{PROJECT}/mine.lock",), PROJECT, globs)


class Notes(dict):
    get_note = dict.get
    set_note = dict.__setitem__


def test_what_the_globs_mean_is_remembered_for_these_globs():
    notes = Notes()
    assert remembered(("*.lock",), notes) == translated(("*.lock",))
    (key,) = notes
    notes[key] = '["^kept$"]'
    assert remembered(("*.lock",), notes) == ("^kept$",)
    assert remembered(("*.sum",), notes) == translated(("*.sum",))
    for damaged in ("{oops", "3", "[3]"):
        notes[key] = damaged
        assert remembered(("*.lock",), notes) == translated(("*.lock",))


def test_relative_to_is_none_outside():
    assert relative_to("/a/b/c.py", "/a/b") == "c.py"
    assert relative_to("/a/bc.py", "/a/b") is None
    assert relative_to("/a/b/..c.py", "/a/b") == "..c.py"


def test_the_sentinel_counts_in_the_users_request_only():
    assert has_sentinel(["do it [compass:skip]"], {}, trust_tool_input=False)
    planted = {"content": "x", "edits": [{"new_string": "# [compass:skip]"}]}
    assert not has_sentinel(["do it"], planted, trust_tool_input=False)
    assert has_sentinel(["do it"], planted, trust_tool_input=True)
