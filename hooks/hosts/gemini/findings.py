"""What can keep Gemini CLI from running its hooks: a folder without trust, a switch, a file that does not load."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from hooks.hosts.gemini.comments import read_object
from hooks.hosts.gemini.protected import FILES

if TYPE_CHECKING:
    from hooks.plain_setup import PlainSetup
    from hooks.setup import Advice

SYSTEM_FILES = ("/etc/gemini-cli/system-defaults.json", "/etc/gemini-cli/settings.json")
_TRUST_FILE = "trustedFolders.json"
_WAY = "start `gemini` there and choose to trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true"

Settings = dict[str, Mapping[str, object]]
"""{path: its object}, in the order in which they win, the latest last."""


def findings(setup: PlainSetup, env: Mapping[str, str], home: str, project_dir: str) -> Iterator[Advice]:
    user = setup.user_file(env, home)
    ours, theirs, broken = _read((*SYSTEM_FILES[:1], user, *SYSTEM_FILES[1:]), FILES.of_project(project_dir))
    for path, why in broken.items():
        yield "settings", False, f"{path}: {why}: Gemini CLI does not start with it"
    yield _trust(ours, env, os.path.dirname(user), project_dir)
    yield _switch({**ours, **theirs})
    named = {name for _, _, one in setup.own_handlers(ours.get(user, {})) for name in _names(one)}
    yield _left_out({**ours, **theirs}, named)


def _read(own: tuple[str, ...], project: tuple[str, ...]) -> tuple[Settings, Settings, dict[str, str]]:
    loaded: list[Settings] = []
    broken: dict[str, str] = {}
    for paths in (own, project):
        found: Settings = {}
        for path in paths:
            value = read_object(path)
            if isinstance(value, str):
                broken[path] = value
            elif value is not None:
                found[path] = value
        loaded.append(found)
    return loaded[0], loaded[1], broken


def _trust(settings: Settings, env: Mapping[str, str], folder: str, project_dir: str) -> Advice:
    """As the client finds out: by the environment, the switch (of no project), and the rule of the longest path."""
    name = "folder trust"
    if env.get("GEMINI_RESTRICTED_MODE") == "true" or env.get("GEMINI_CLI_TRUST_WORKSPACE") == "false":
        return name, False, "the environment withholds it from every folder, so no hook runs"
    if env.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
        return name, True, "given by GEMINI_CLI_TRUST_WORKSPACE"
    enabled = True
    for value in settings.values():
        said = _below(_below(value, "security"), "folderTrust").get("enabled")
        enabled = said if isinstance(said, bool) else enabled
    if not enabled:
        return name, True, "security.folderTrust.enabled is false: every folder is trusted"
    path = env.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") or os.path.join(folder, _TRUST_FILE)
    rules = read_object(path)
    if isinstance(rules, str):
        return name, False, f"{path}: {rules}"
    found = _rule(rules or {}, project_dir)
    if found is None:
        return (
            name,
            None,
            f"nobody has said that {project_dir} is trusted, and till then no hook runs: {_WAY}",
        )
    if found == "DO_NOT_TRUST":
        return name, False, f"{path} says that {project_dir} is not trusted, so no hook runs: {_WAY}"
    return name, True, f"{project_dir} is trusted"


def _rule(rules: Mapping[str, object], project_dir: str) -> str | None:
    project = os.path.realpath(project_dir)
    holding = [
        (len(path), level)
        for path, level in rules.items()
        if isinstance(level, str)
        and _holds(os.path.realpath(os.path.dirname(path) if level == "TRUST_PARENT" else path), project)
    ]
    return max(holding)[1] if holding else None


def _holds(folder: str, project: str) -> bool:
    return project == folder or project.startswith(folder.rstrip(os.sep) + os.sep)


def _switch(settings: Settings) -> Advice:
    off = [path for path, value in settings.items() if _below(value, "hooksConfig").get("enabled") is False]
    on = [path for path, value in settings.items() if _below(value, "hooksConfig").get("enabled") is True]
    last = max((list(settings).index(path), path in off) for path in (*off, *on)) if off or on else (0, False)
    if last[1]:
        return "hooks", False, f"hooksConfig.enabled is false in {off[-1]}: no hook runs; take it out there"
    return "hooks", True, "no settings file turns them off"


def _left_out(settings: Settings, named: set[str]) -> Advice:
    for path, value in settings.items():
        listed = _below(value, "hooksConfig").get("disabled")
        disabled = cast(list[object], listed) if isinstance(listed, list) else []
        found = [one for one in disabled if isinstance(one, str) and one in named]
        if found:
            return (
                "disabled hooks",
                False,
                f"{path} disables {found[0][:60]}: take it out of hooksConfig.disabled",
            )
    return "disabled hooks", True, "none of Compass's is among them"


def _names(handler: Mapping[str, object]) -> Iterator[str]:
    return (said for said in (handler.get("name"), handler.get("command")) if isinstance(said, str))


def _below(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    found = value.get(key)
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}
