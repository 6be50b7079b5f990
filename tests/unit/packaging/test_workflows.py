"""What our workflows promise beyond what their linters hold: hashes, rights, the release's version."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from repository import ROOT
from running.wheels import tree

FILES = [*(ROOT / ".github/workflows").glob("*.yml")]


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows" / name).read_text())
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_actions_of_others_are_pinned_by_hash_with_their_version_beside_it(file: Path) -> None:
    for line in re.findall(r"uses: (.+)", file.read_text()):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_no_workflow_grants_more_than_a_job_names() -> None:
    for file in FILES:
        workflow = read(file.name)
        assert workflow["permissions"] == {}
        assert all("permissions" in job for job in workflow["jobs"].values())
    jobs = read("release.yml")["jobs"]
    writing = {name for name, job in jobs.items() if "write" in job["permissions"].values()}
    # What builds, and so runs code of other packages, may sign and publish nothing.
    assert writing == {"attest", "publish", "release"}
    assert not any("checkout" in str(jobs[name]) for name in writing)


def test_nothing_is_published_unless_the_repository_says_so() -> None:
    jobs = read("release.yml")["jobs"]
    assert [name for name, job in jobs.items() if "pypi-publish" in str(job)] == ["publish"]
    assert jobs["publish"]["if"] == "vars.PUBLISH == 'yes'"
    assert "password" not in str(jobs) and "secrets." not in str(jobs)


def test_what_workflows_run_is_a_task_of_the_makefile() -> None:
    tasks = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    run = {name for file in FILES for name in re.findall(r"\bmake ([a-z]+)\b", file.read_text())}
    assert run and run <= tasks


def test_a_release_whose_places_disagree_is_refused(tmp_path: Path) -> None:
    source = tree(tmp_path / "source")
    for name in (".github", ".claude-plugin"):
        shutil.copytree(ROOT / name, source / name)
    spec = importlib.util.spec_from_file_location("release_version", source / ".github/release_version.py")
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    base = script.stated(source)["the build"]
    (source / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{base}] - 2026-01-01\n")
    assert script.problems(source, f"v{base}") == []
    found = script.problems(source, "v9.9.9")
    assert len(found) == 5 and "CHANGELOG.md has no section [9.9.9]" in found
    plugin = source / ".claude-plugin/plugin.json"
    plugin.write_text(plugin.read_text().replace(base, "8.8.8"))
    assert [line.partition(" ")[0] for line in script.problems(source, f"v{base}")] == [
        ".claude-plugin/plugin.json"
    ]
