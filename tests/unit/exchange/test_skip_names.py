"""Whether a write touches what only a rejected option names, and whether a plan names its targets."""

from __future__ import annotations

from corpora import corpus

from evaluator.exchange.option_names import contradicts, covered_by_plan
from evaluator.model import ResolvedOption

ROOT = "/home/dev/project"
PLAN = """\
## Plan
1. Move the parser to `src/app/parser.py` and adapt `cli.py`
2. Add tests in tests/unit/test_parser.py, then update README.md.
3. Rewrite `src/a/config.py` from ./Makefile.in
4. Do not touch `src/legacy.py`

## Out of scope
- src/app/render.py
- cli.py is fine

## Rollout
- deploy/prod.yaml gets the flag
"""


@corpus(
    ("chosen", "rejected", "target", "command"),
    [
        ("Only `auth/session.py`", "Everything in `auth/`, with `tokens.py`", "/p/auth/tokens.py", ""),
        ("the public API", "the internal API", "/p/src/internal.py", ""),
        ("the public API", "the internal API", "/p/src/internal/client.py", ""),
        (
            "Rename the class",
            "Rename the table `users`",
            "/p/migrations/0007.sql",
            "psql -c 'alter table users'",
        ),
        ("Keep YAML", "Write settings.json", "/p/conf/settings.json", ""),
        ("Keep YAML", "Write settings.json", "/p/conf/settings.toml", ""),
        ("Change A", "Change the `UserModel`", "/p/src/user_model.py", ""),
        ("Change A", "Delete src/old/thing.py", "", "rm src/old/thing.py"),
        ("修改 public", "修改internal模块", "/p/src/internal.py", ""),
    ],
)
def test_a_write_to_what_only_a_rejected_option_names_contradicts(
    chosen: str, rejected: str, target: str, command: str
) -> None:
    resolved = ResolvedOption((chosen,), (rejected,))
    assert contradicts(resolved, [target] if target else [], command)


@corpus(
    ("chosen", "rejected", "target", "command"),
    [
        ("Only `auth/session.py`", "Everything in `auth/`", "/p/auth/session.py", ""),
        ("the public API", "the internal API", "/p/src/public.py", ""),
        ("`a.py` and `b.py`", "only `a.py`", "/p/src/a.py", ""),
        ("Postgres", "SQLite", "/p/compose.yaml", "docker compose up"),
        ("Rename it", "Rename it and the `users` table", "/p/src/superusers_list.py", ""),
        ("Change A", "Change B", "/p/src/b.py", ""),
        ("Change A", "", "/p/src/x.py", "make"),
        ("Change A", "Use ` ` and '/'", "/p/src/x.py", "make / x"),
    ],
)
def test_a_write_that_keeps_to_the_chosen_option_does_not_contradict(
    chosen: str, rejected: str, target: str, command: str
) -> None:
    assert not contradicts(ResolvedOption((chosen,), (rejected,)), [target], command)


def test_without_rejected_options_nothing_contradicts() -> None:
    assert not contradicts(ResolvedOption(("Rename it",)), ["/p/a.py"], "rm a.py")


@corpus(
    "targets",
    [
        [f"{ROOT}/src/app/parser.py"],
        [f"{ROOT}/tests/unit/test_parser.py", f"{ROOT}/README.md"],
        [f"{ROOT}/docs/../README.md"],
        ["src/app/parser.py"],
        [f"{ROOT}/deploy/prod.yaml"],
        [f"{ROOT}/Makefile.in"],
    ],
)
def test_targets_that_the_plan_names_are_covered(targets: list[str]) -> None:
    assert covered_by_plan(PLAN, targets, ROOT)


@corpus(
    ("targets", "why"),
    [
        ([], "no target"),
        ([f"{ROOT}/src/other.py"], "not named"),
        ([f"{ROOT}/src/app/parser.py", f"{ROOT}/src/other.py"], "one of two not named"),
        ([f"{ROOT}/src/legacy.py"], "named as not to be touched"),
        ([f"{ROOT}/src/app/render.py"], "under a heading that spares it"),
        ([f"{ROOT}/cli.py"], "named twice, once as spared"),
        ([f"{ROOT}/src/b/config.py"], "the name belongs to another path"),
        ([f"{ROOT}/src/app/parser.pyc"], "only a prefix matches"),
        ([f"{ROOT}/my_README.md"], "only a suffix matches"),
        ([f"{ROOT}/src/app"], "a folder is not its file"),
        ([f"{ROOT}/src/app/*.py"], "a pattern"),
        (["/etc/passwd"], "outside of the project"),
        (["/other/src/app/parser.py2"], "outside of the project"),
        ([f"{ROOT}/plan"], "a word is no file name"),
    ],
)
def test_other_targets_are_not_covered(targets: list[str], why: str) -> None:
    assert not covered_by_plan(PLAN, targets, ROOT), why


def test_a_target_outside_the_project_needs_its_absolute_path() -> None:
    assert covered_by_plan("Write /srv/app/conf.ini", ["/srv/app/conf.ini"], ROOT)
    assert not covered_by_plan("Write app/conf.ini", ["/srv/app/conf.ini"], ROOT)


def test_an_empty_plan_covers_nothing() -> None:
    assert not covered_by_plan("", [f"{ROOT}/a.py"], ROOT)
