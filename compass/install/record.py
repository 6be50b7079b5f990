"""What `compass init` put where: for an exact way back, and for the plugin's interpreter.

`<state>/<project-key>/install.json` holds the newest scope, and one record per project folder and host: clones share
a key. `<state>/interpreter` and its copy in ~/.config/compass are read by hooks/plugin.sh: interpreter, script and
`closed` or `open`, a line each.
"""

from __future__ import annotations

import glob
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal, cast

from compass.install.settings_file import replace
from evaluator.errors import ConfigError

InstallScope = Literal["project", "user", "plugin"]
SCOPES: tuple[InstallScope, ...] = ("project", "user", "plugin")


@dataclass(frozen=True, slots=True)
class InstallRecord:
    """One installation. `settings_file` is empty for the plugin.

    `created_file` and `created_folder`: the settings file, or its folder, did not stand before.
    `empty` names the containers that stood empty (install.empty_containers). `exclude` and `exclude_line`
    are what was added to git's excludes. `blocks`: a failing hook stops the write. `http_port`: the hooks are
    http hooks that ask this port of the machine; 0 for commands. `host` is empty for the default one.
    """

    scope: InstallScope
    project_dir: str
    settings_file: str
    interpreter: str
    script: str
    version: str
    blocks: bool = False
    created_file: bool = False
    created_folder: bool = False
    empty: tuple[str, ...] = ()
    exclude: str = ""
    exclude_line: str = ""
    http_port: int = 0
    host: str = ""

    @property
    def key(self) -> str:
        """Its name among the records: each host has its own of a project."""
        return record_key(self.project_dir, self.host)


def record_key(project_dir: str, host: str) -> str:
    """`host` as `registry.named` gives it."""
    return f"{host}:{project_dir}" if host else project_dir


def record_path(state_dir: str, project_key: str) -> str:
    return os.path.join(state_dir, project_key, "install.json")


def interpreter_path(state_dir: str) -> str:
    return os.path.join(state_dir, "interpreter")


def read_records(path: str) -> dict[str, InstallRecord]:
    """By `InstallRecord.key`; empty for a file that is missing or is not ours to understand."""
    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.load(file))
    except (OSError, ValueError, RecursionError):
        return {}
    installs = cast(dict[str, object], whole).get("installs") if isinstance(whole, dict) else None
    if not isinstance(installs, dict):
        return {}
    found = {name: _record(raw) for name, raw in cast(dict[str, object], installs).items()}
    return {name: record for name, record in found.items() if record is not None}


def write_records(path: str, records: dict[str, InstallRecord]) -> None:
    """The whole file; without records it is deleted. Raises ConfigError."""
    if not records:
        _unlink(path)
        return
    latest = list(records.values())[-1]
    whole = {
        "scope": latest.scope,
        "installs": {name: asdict(record) for name, record in records.items()},
    }
    replace(path, json.dumps(whole, indent=2, ensure_ascii=False) + "\n", private=True)


def all_records(state_dir: str) -> list[InstallRecord]:
    """The records of every project of this state folder."""
    paths = glob.glob(os.path.join(glob.escape(state_dir), "*", "install.json"))
    return [record for path in sorted(paths) for record in read_records(path).values()]


def write_interpreter(state_dir: str, second: str, interpreter: str, script: str) -> None:
    """Record the plugin's interpreter: `closed` while any installed project's policy is. Raises ConfigError.

    `second` is a folder for the copy that outlives the state; it is left out where it cannot be written. With no
    installation left both files go, and the plugin is silent again.
    """
    path, copy = interpreter_path(state_dir), interpreter_path(second)
    records = all_records(state_dir)
    if not records:
        _unlink(path)
        _unlink(copy)
        with suppress(OSError):
            os.rmdir(second)
        return
    if "\n" in interpreter + script:
        raise ConfigError("the interpreter's path holds a line break; install Compass somewhere else")
    policy = "closed" if any(record.blocks for record in records) else "open"
    text = f"{interpreter}\n{script}\n{policy}\n"
    replace(path, text, private=True)
    with suppress(ConfigError):
        replace(copy, text, private=True)


def read_interpreter(state_dir: str) -> tuple[str, str, str] | None:
    """(interpreter, script, policy), or None where nothing is recorded."""
    try:
        with open(interpreter_path(state_dir), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except OSError:
        return None
    return (lines[0], lines[1], lines[2]) if len(lines) >= 3 else None


def _record(raw: object) -> InstallRecord | None:
    if not isinstance(raw, dict):
        return None
    values = cast(dict[str, object], raw)
    scope: InstallScope | None = next((name for name in SCOPES if name == values.get("scope")), None)
    empty = values.get("empty")
    port = values.get("http_port")
    if scope is None:
        return None

    def text(name: str) -> str:
        value = values.get(name)
        return value if isinstance(value, str) else ""

    return InstallRecord(
        scope=scope,
        project_dir=text("project_dir"),
        settings_file=text("settings_file"),
        interpreter=text("interpreter"),
        script=text("script"),
        version=text("version"),
        blocks=values.get("blocks") is True,
        created_file=values.get("created_file") is True,
        created_folder=values.get("created_folder") is True,
        empty=tuple(map(str, cast(list[object], empty))) if isinstance(empty, list) else (),
        exclude=text("exclude"),
        exclude_line=text("exclude_line"),
        http_port=port if isinstance(port, int) else 0,
        host=text("host"),
    )


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{path}: cannot be deleted: {error.strerror}") from error
