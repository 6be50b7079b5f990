"""Where a host's folder was moved by a variable, and where its plugins lie in a project, is guarded as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora import corpus

from compass.composition.protection import nested_settings, places
from evaluator.protection.places import HostProtected
from hooks import registry


def test_files_below_a_folder_that_a_variable_moves() -> None:
    host = HostProtected(homes=(("X_HOME", ".x"), ("WHOLE", "")))
    names = (".x/hooks.json", ".y/other")
    assert host.moved(names, {"X_HOME": "/moved/"}) == ["/moved/hooks.json"]
    assert host.moved(names, {"WHOLE": "/h"}) == ["/h/.x/hooks.json", "/h/.y/other"]
    assert host.moved(names, {"X_HOME": "relative"}) == host.moved(names, {}) == []


@corpus(
    ("name", "variable", "file"),
    [
        ("codex", "CODEX_HOME", "hooks.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("copilot", "COPILOT_HOME", "hooks"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugin"),
        ("chibi", "CHIBI_HOME", "plugins/compass"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ],
)
def test_each_hosts_own_variable_counts(name: str, variable: str, file: str, tmp_path: Path) -> None:
    assert name in registry.HOSTS
    moved = str(tmp_path / "moved")
    found = places(str(tmp_path / "project"), {variable: moved}, str(tmp_path / "home"))
    wanted = f"{moved}/{file}"
    assert wanted in found.settings or any(
        wanted == one or wanted.startswith(f"{one}/") for one in found.folders
    )
    without = places(str(tmp_path / "project"), {}, str(tmp_path / "home"))
    assert not [path for path in (*without.settings, *without.folders) if path.startswith(moved)]


@pytest.mark.parametrize("file", [".opencode/plugin/x.js", ".opencode/plugins/x.ts", ".github/hooks/x.json"])
def test_what_a_host_runs_of_a_project_is_guarded_wherever_it_lies(file: str, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "sub"):
        wanted = str(folder / file)
        assert nested_settings([wanted, str(folder / "src/x.js")], str(tmp_path)) == (wanted,)
