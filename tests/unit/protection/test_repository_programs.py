"""A repository whose configuration names a program for everything: no command of Compass starts one of them."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from running.hookrun import Place

from calibration.cases.git import from_git
from compass.composition.effects import classify
from compass.install.settings_file import exclusion_of
from evaluator.processes import run_git

ROOT = Path(__file__).parents[3]
PLANTED = {
    "fsmonitor": ["core.fsmonitor"],
    "filter": ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process"],
    "textconv": ["diff.evil.textconv"],
    "differ": ["diff.external", "diff.evil.command"],
    "pager": ["core.pager", "pager.log", "pager.show"],
    "credential": ["credential.helper"],
    "ssh": ["core.sshCommand", "remote.origin.uploadpack"],
    "editor": ["core.editor", "sequence.editor"],
    "signature": ["gpg.program"],
}
"""Beside these, hooks in both of their places and aliases of the commands that are run."""
SWITCHES = {
    "log.showSignature": "true",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
}
HOOKS = ["post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman", "reference-transaction"]


@pytest.fixture(params=["ext::{ssh}", pytest.param("ssh://nowhere.invalid/x", marks=pytest.mark.full)])
def place(tmp_path, request):
    """With two commits, of which the newer one's file is missing as in a partial clone."""
    place = Place(tmp_path)
    project, programs = place.project, tmp_path / "programs"
    programs.mkdir()
    git(project, "init", "-q")
    (project / "parser.py").write_text("def parse_header(line):\n    return line\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", "parser: Add the header parser")
    (project / "parser.py").write_text("def parse_header(line):\n    return line.strip()\n")
    git(project, "commit", "-qam", "parser: Strip the line in parse_header")
    blob = git(project, "rev-parse", "HEAD~1:parser.py")
    git(project, "remote", "add", "origin", request.param.format(ssh=programs / "ssh"))
    for kind in [*PLANTED, "hook", "alias"]:
        program = programs / kind
        program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran-{kind}\nexit 1\n")
        program.chmod(0o755)
    (project / ".gitattributes").write_text("* filter=evil diff=evil\n")
    for folder in (project / ".git/hooks", project / "hooks-of-theirs"):
        folder.mkdir(exist_ok=True)
        for hook in HOOKS:
            (folder / hook).write_text((programs / "hook").read_text())
            (folder / hook).chmod(0o755)
    git(project, "config", "core.hooksPath", "hooks-of-theirs")
    for name in ("log", "show", "ls-files", "check-ignore", "rev-parse"):
        git(project, "config", f"alias.{name}", f"!{programs}/alias")
    for key, value in SWITCHES.items():
        git(project, "config", key, value)
    for kind, keys in PLANTED.items():
        for key in keys:
            git(project, "config", key, str(programs / kind))
    (project / ".git/objects" / blob[:2] / blob[2:]).unlink()
    return place


def git(project, *words):
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "core.fsmonitor=false")
    return subprocess.run(
        ["git", "-C", str(project), *who, *words], check=True, capture_output=True, text=True
    ).stdout.strip()


def ran(place):
    return sorted(path.name for path in place.project.parent.glob("ran-*"))


def test_the_programs_are_planted_well(place):
    """Plain git starts them: what the others show would prove nothing otherwise."""
    for words in (["status"], ["log", "-1", "--show-signature"], ["diff"], ["show", "HEAD"], ["fetch"]):
        subprocess.run(
            ["git", "-C", str(place.project), *words], capture_output=True, check=False, timeout=20
        )
    assert {"ran-fsmonitor", "ran-ssh"} <= set(ran(place))


def test_init_and_doctor_start_none(place):
    done = place.command("init", "--enforce", "--backend", "embedded")
    assert done.returncode == 0, done.stderr
    place.command("doctor")
    assert ran(place) == []


def test_looking_at_a_file_reading_history_and_no_other_command_of_git_starts_one(place):
    assert exclusion_of(str(place.project), ".claude/settings.local.json") is not None
    with pytest.raises(ValueError, match="git show"):
        from_git(str(place.project), 50, classify)
    assert ran(place) == []
    for words in (["status"], ["diff"], ["show", "HEAD"], ["log", "-p"], ["fetch"]):
        run_git(str(place.project), *words, seconds=20)
    assert set(ran(place)) <= {"ran-filter"}, "filters belong to commands that write the index, which none is"


def test_every_call_of_git_goes_through_one_function():
    files = (
        path
        for room in ("compass", "hooks", "evaluator", "calibration")
        for path in (ROOT / room).rglob("*.py")
    )
    runs = re.compile(r"(?:run|Popen|check_output|exec)\((?:\s*#[^\n]*\n)?\s*\[?\s*\"git\"")
    found = [os.path.relpath(path, ROOT) for path in files if runs.search(path.read_text())]
    assert found == ["evaluator/processes.py"]
