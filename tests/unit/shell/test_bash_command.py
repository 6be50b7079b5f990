"""`compass bash` explains a command and never runs it."""

import argparse
import json

import pytest

from compass.commands import check


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)

    def invoke(*words):
        parser = argparse.ArgumentParser()
        parser.add_argument("--json", action="store_true")
        check.add_bash_arguments(parser)
        code = check.run_bash(parser.parse_args(words))
        return code, capsys.readouterr().out

    return invoke


def test_json_has_the_fold_and_the_segments(run, tmp_path):
    code, out = run("--json", "--cwd", str(tmp_path), "ls | wc -l && rm x")
    found = json.loads(out)
    assert code == 0
    assert (found["verdict"], found["operation"], found["class"]) == ("write", "delete", "destructive")
    assert found["targets"] == [f"{tmp_path}/x"]
    assert [(one["program"], one["verdict"]) for one in found["segments"]] == [
        ("ls", "read_only"),
        ("wc", "read_only"),
        ("rm", "write"),
    ]


def test_the_table_names_targets_relative_to_the_folder_and_prints_brackets_as_they_are(run, tmp_path):
    code, out = run("--cwd", str(tmp_path), "rm '[red]x'")
    assert (code, "  [red]x  lossy\n" in out) == (0, True)
    assert run("echo '")[0] == 0


def test_the_configured_rules_count(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPASS_BASH__READ_ONLY", '["mytool"]')
    _, out = run("--json", "--cwd", str(tmp_path), "mytool x")
    assert json.loads(out)["verdict"] == "read_only"
