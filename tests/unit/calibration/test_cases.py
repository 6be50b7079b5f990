"""Cases: from files, history and what is shipped, the counterparts that are made of them, and which are independent."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from corpora import corpus
from running.hookrun import Place
from running.ownhome import git

from calibration.cases.case import units_of
from calibration.cases.counterparts import PairChange, counterpart, names_target
from calibration.cases.past_blocks import history_from
from calibration.cases.sources import corpus_dir, from_file, from_git, request_of_commit, shipped
from compass.composition.effects import enable_packages
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
    long = "fix(auth): handle expiry (#12)\n\nThe token outlives it.\n\nCo-Authored-By: x"
    assert request_of_commit(long) == "auth: handle expiry\nThe token outlives it."
    signed = "feat!: drop the old reader\n\nSigned-off-by: x <x@example.com>"
    assert request_of_commit(signed) == "drop the old reader"


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "Start", **{"src/start.py": "a = 1\n"})
    return folder


def commit(folder: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")[:12]


def test_single_purpose_commits_give_a_clear_case_and_a_marked_counterpart(repository):
    policy = "src/retry_policy.py"
    added = commit(repository, "feat: add the retry policy with three attempts", **{policy: "limit = 3\n"})
    files = {policy: "limit = 5\n", "CHANGELOG.md": "- five\n"}
    edited = commit(repository, "Raise the limit in retry_policy.py to five", **files)
    (repository / "src" / "start.py").unlink()
    removed = commit(repository, "Remove start.py, nobody runs it")

    by_id = {case.id: case for case in from_git(str(repository), 50, classify).cases}
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
    start = "src/start.py"
    two = {"src/a.py": "a = 1\n", "src/b.py": "b = 1\n"}
    commit(repository, "Add a.py to hold the new letters", **two)
    commit(repository, "Fix start.py and tidy the rest", **{start: "a = 2\n"})
    commit(repository, "Improve things all over the place", **{start: "a = 3\n"})
    commit(repository, "Set the number in start.py to four", **{start: "a = 4\n"})
    git(repository, "revert", "--no-edit", "HEAD")
    long = "\n".join(f"a{n} = {n}" for n in range(200))
    commit(repository, "Fill start.py with numbers up to 199", **{start: long})
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
    plain = ("-c", "core.fsmonitor=false")
    told = {".gitattributes": "Attributes", "src/start.py": "Set the number in start.py to five"}
    for name, message in told.items():
        git(repository, *plain, "add", name)
        git(repository, *plain, "commit", "-q", "-m", message)
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
    assert (found.false_blocks.value, found.false_blocks.units) == (pytest.approx(1 / 3), 3)


@pytest.mark.full
def test_history_is_read_from_the_state_and_changes_no_threshold(tmp_path):
    """A real block by the hook, and the call that the user then let through."""
    place = Place(tmp_path, {"COMPASS_MODE": "enforce"})
    place.say("just delete it", prior="There are a.log and b.log.")
    payload = place.payload("Bash", {"command": f"rm {place.project}/a.log"})
    assert b"deny" in place.hook("pre-tool-use", payload).stdout
    place.hook("user-prompt-submit", payload | {"prompt": "compass: proceed", "prompt_id": "prompt-2"})
    words = ("calibrate", "--json", "--cases", str(corpus_dir() / "cases" / "tune.jsonl"))
    done = place.command(*words, "--from-history")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert found["history"]["blocks"] == 1
    plain = json.loads(place.command(*words).stdout)
    assert plain["recommended"] == found["recommended"]
    assert plain["history"] is None


@dataclass
class Related:
    unit: str
    pair: str = ""
    session: str = ""


def test_a_unit_is_all_that_pairs_and_sessions_connect():
    chained = [("1", "p1", "s1"), ("2", "p1", "s2"), ("3", "p2", "s2"), ("4", "p2")]
    alone = [("5", "p3"), ("6", "", "s3"), ("7",)]
    found = units_of([Related(*names) for names in (*chained, *alone)])
    assert found == ["pair:p1"] * 4 + ["pair:p3", "session:s3", "7"]


def test_names_of_units_do_not_hang_on_the_order_and_never_meet():
    cases = [Related(str(n), f"p{n // 2}", f"s{n // 6}" if n % 3 else "") for n in range(60)]
    known = dict(zip((case.unit for case in cases), units_of(cases), strict=True))
    for seed in range(20):
        shuffled = random.Random(seed).sample(cases, len(cases))
        assert dict(zip((case.unit for case in shuffled), units_of(shuffled), strict=True)) == known
    same = [Related("x", "a"), Related("y", "", "a"), Related("a")]
    assert len(set(units_of(same))) == 3, "a pair, a session and an id of one name are no unit"


def collected(path, *rows):
    path.write_text("".join(json.dumps(ROW | row) + "\n" for row in rows))
    return from_file(path, classify)


ROW = {"user_message": "rename ttl in a.py", "tool_name": "Edit", "file_path": "a.py", "label": "clear"}


def test_a_pair_does_not_hide_the_session_and_copies_of_a_row_are_one_unit(tmp_path):
    of_session = ({"id": name, "pair": name, "session": "s"} for name in ("1", "2"))
    found = collected(tmp_path / "a.jsonl", *of_session, {"id": "3"}, {"id": "3"})
    assert [case.unit for case in found.cases] == ["pair:1", "pair:1", "3", "3"]
    joined = found.joined(collected(tmp_path / "b.jsonl", {"id": "9", "pair": "9", "session": "s"}))
    told = ["pair:1", "pair:1", "3", "3", "pair:1"]
    assert [case.unit for case in joined.cases] == told, "units are those of all cases"


def test_the_shipped_cases_are_the_halves_that_no_rule_was_fitted_on():
    def ids(name):
        text = (corpus_dir() / "cases" / f"{name}.jsonl").read_text(encoding="utf-8")
        return {row["id"] for row in map(json.loads, text.splitlines()) if row["label"] != "disputed"}

    enable_packages()
    found = {case.id for case in shipped(classify).cases}
    assert found == ids("test") | ids("test-2")
    assert not found & (ids("tune") | ids("tune-2"))


@pytest.mark.full
def test_shipped_cases_set_no_thresholds_unless_somebody_agrees(tmp_path):
    """Without a terminal nobody can be asked; what stands stays."""
    place = Place(tmp_path)

    def stored():
        (file,) = place.state.glob("compass/*/calibration.json")
        return json.loads(file.read_text())

    done = place.command("calibrate", timeout=110)
    assert done.returncode == 0, done.stderr.decode()
    assert b"not this project's" in done.stdout and b"--use-shipped" in done.stdout
    assert done.stdout.startswith(b"Not set: shipped cases set this project's thresholds only if you agree")
    (report,) = place.state.glob("compass/*/calibration.html")
    assert "Not set: shipped cases" in report.read_text() and "only if you agree" in stored()["unset"]
    cuts = [one["cut"] for one in stored()["recommended"].values()]
    assert any(cut is not None for cut in cuts), "measured and reported all the same"

    done = place.command("calibrate", "--use-shipped", "--json", timeout=110)
    found = json.loads(done.stdout)
    assert found["unset"] == "" and "Not set" not in report.read_text()
    assert found["counts"]["by_source"].keys() == {"fixtures"}
