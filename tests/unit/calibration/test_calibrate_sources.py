"""Cases from history, and the counterparts that are made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import corpus
from running.hookrun import Place
from running.ownhome import git

from calibration.cases.counterparts import PairChange, counterpart, names_target
from calibration.cases.git import from_git, request_of_commit
from calibration.cases.past_blocks import history_from
from calibration.stats.estimates import Estimate
from evaluator.shell.bash import classify

PARSER = PairChange(("src/http/retry_policy.py",), ("backoff_seconds",))


@corpus(
    ("request_text", "made"),
    [
        ("The off-by-one in retry_policy.py breaks it", {"The off-by-one breaks it"}),
        ("Fix the off-by-one in the retry policy module", {"Fix the off-by-one", "Fix it"}),
        ("RetryPolicy: fix the off-by-one", {"fix the off-by-one", "fix it"}),
        ("Make backoff_seconds configurable", {"Make it configurable", "Make it"}),
        ("Cap backoff_seconds in retry_policy.py at one minute", {"Cap it at one minute"}),
        ("http: fix the loop in retry_policy.py", {"fix the loop", "fix it"}),
    ],
)  # fmt: skip
def test_names_of_the_target_and_symbols_are_taken_out_or_all_but_the_verb(request_text, made):
    assert names_target(request_text, PARSER)
    drawn = [counterpart(request_text, PARSER, f"case-{number}") for number in range(20)]
    assert drawn == [counterpart(request_text, PARSER, f"case-{number}") for number in range(20)]
    assert None not in drawn and set(drawn) <= made
    assert not any(names_target(one, PARSER) for one in drawn)


def test_a_request_that_cannot_be_made_ambiguous_has_no_counterpart():
    assert counterpart("retry_policy.py", PARSER, "x") is None


def test_a_commit_message_becomes_a_request():
    assert request_of_commit(
        "fix(auth): handle expiry (#12)\n\nThe token outlives it.\n\nCo-Authored-By: x"
    ) == ("auth: handle expiry\nThe token outlives it.")
    assert (
        request_of_commit("feat!: drop the old reader\n\nSigned-off-by: x <x@example.com>")
        == "drop the old reader"
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "src" / "start.py").write_text("a = 1\n")
    commit(folder, "Start")
    return folder


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")[:12]


def test_single_purpose_commits_give_a_clear_case_and_a_marked_counterpart(repository):
    (repository / "src" / "retry_policy.py").write_text("limit = 3\n")
    added = commit(repository, "feat: add the retry policy with three attempts")
    (repository / "src" / "retry_policy.py").write_text("limit = 5\n")
    (repository / "CHANGELOG.md").write_text("- five\n")
    edited = commit(repository, "Raise the limit in retry_policy.py to five")
    (repository / "src" / "start.py").unlink()
    removed = commit(repository, "Remove start.py, nobody runs it")

    found = from_git(str(repository), 50, classify)
    by_id = {case.id: case for case in found.cases}
    assert {f"git-{name}-clear" for name in (added, edited, removed)} <= by_id.keys()
    clear, made = by_id[f"git-{edited}-clear"], by_id[f"git-{edited}-ambiguous"]
    assert (clear.label, clear.generated, clear.pending.tool_name) == ("clear", False, "Edit")
    assert clear.pending.tool_input["old_string"] == "limit = 3"
    assert (made.label, made.generated, made.unit) == ("ambiguous", True, clear.unit)
    assert "retry_policy" not in made.exchange.request_text
    assert made.effects == clear.effects
    assert by_id[f"git-{added}-clear"].effects.operation == "create"
    assert by_id[f"git-{removed}-clear"].effects.operation_class == "destructive"


def test_commits_that_ask_for_several_things_or_were_taken_back_give_none(repository):
    (repository / "src" / "a.py").write_text("a = 1\n")
    (repository / "src" / "b.py").write_text("b = 1\n")
    commit(repository, "Add a.py to hold the new letters")
    (repository / "src" / "start.py").write_text("a = 2\n")
    commit(repository, "Fix start.py and tidy the rest")
    (repository / "src" / "start.py").write_text("a = 3\n")
    commit(repository, "Improve things all over the place")
    (repository / "src" / "start.py").write_text("a = 4\n")
    commit(repository, "Set the number in start.py to four")
    git(repository, "revert", "--no-edit", "HEAD")
    (repository / "src" / "start.py").write_text("\n".join(f"a{n} = {n}" for n in range(200)))
    commit(repository, "Fill start.py with numbers up to 199")
    assert not from_git(str(repository), 50, classify).cases


def test_a_repository_runs_no_program_of_its_own(repository, tmp_path):
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "core.pager", "gpg.program", "diff.evil.textconv"):
        git(repository, "config", name, str(program))
    git(repository, "config", "log.showSignature", "true")
    (repository / ".gitattributes").write_text("*.py diff=evil\n")
    (repository / "src" / "start.py").write_text("a = 5\n")
    for name, message in (
        (".gitattributes", "Attributes"),
        ("src/start.py", "Set the number in start.py to five"),
    ):
        git(repository, "-c", "core.fsmonitor=false", "add", name)
        git(repository, "-c", "core.fsmonitor=false", "commit", "-q", "-m", message)
    mark.unlink(missing_ok=True)
    assert len(from_git(str(repository), 50, classify).cases) == 2
    assert not mark.exists()


def test_no_repository_is_said(tmp_path):
    with pytest.raises(ValueError, match="git log"):
        from_git(str(tmp_path), 5, classify)


def record(
    session_id: str, verdict: str, reason: str, request: str = "delete it", **more: object
) -> dict[str, object]:
    return {
        "verdict": verdict, "reason": reason, "pending": {"session_id": session_id},
        "effect": {"targets": ["/p/a"]}, "exchange": {"request": [request]}, **more,
    }  # fmt: skip


def test_history_estimates_false_blocks_among_answered_blocks():
    """Released is the user's word that the block was wrong; a clarification and a cancel say that it was right."""
    block = ("failed", "low_confidence")
    found = history_from(
        [
            record("1", *block), record("1", "skipped", "released"),
            record("2", *block), record("2", "failed", "cancelled"),
            record("3", *block), record("3", "passed", "confident", "delete a.log"),
            record("4", *block), record("4", "failed", "denied_before"),
            record("5", "failed", "sampler_error"), record("6", "passed", "confident"),
        ]
    )  # fmt: skip
    ends = (found.released, found.cancelled, found.clarified, found.unanswered)
    assert (found.blocks, ends) == (4, (1, 1, 1, 1))
    assert isinstance(found.false_blocks, Estimate)
    assert (found.false_blocks.value, found.false_blocks.units) == (pytest.approx(1 / 3), 3)


@pytest.mark.full
def test_history_is_read_from_the_state_and_changes_no_threshold(tmp_path):
    """A real block by the hook, and the call that the user then let through."""
    place = Place(tmp_path, {"COMPASS_MODE": "enforce"})
    place.say("just delete it", prior="There are a.log and b.log.")
    given = {"command": f"rm {place.project}/a.log"}
    payload = place.payload("Bash", given)
    assert b"deny" in place.hook("pre-tool-use", payload).stdout
    place.hook("user-prompt-submit", payload | {"prompt": "compass: proceed", "prompt_id": "prompt-2"})
    done = place.command("calibrate", "--json", "--from-history", "--cases", str(shipped()))
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert found["history"]["blocks"] == 1
    plain = json.loads(place.command("calibrate", "--json", "--cases", str(shipped())).stdout)
    assert plain["recommended"] == found["recommended"]
    assert plain["history"] is None


def shipped() -> Path:
    from calibration.cases.sources import corpus_dir

    return corpus_dir() / "cases" / "tune.jsonl"
