"""Which places of this machine self-protection guards, those of every host among them."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from itertools import islice

import compass
from compass.composition.effects import join_programs, resolved
from evaluator import wire
from evaluator.files import raise_want
from evaluator.model import Effects, PendingWrite
from evaluator.protection.offences import offence
from evaluator.protection.places import Disk, Protected
from evaluator.record import replace
from evaluator.settings import layers
from evaluator.settings.places import (
    PROJECT_FILE,
    config_dir,
    onlooker_dir,
    project_file,
    project_root,
    state_dir,
    work_trees,
)
from hooks import registry

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
PACKAGES = ("compass", "evaluator", "calibration", "hooks")
DISTRIBUTION = "compass-gate"
DEPENDENCIES = (
    "anthropic", "fastapi", "h11", "httpx2", "jinja2", "markupsafe", "numpy", "pathspec", "prometheus-client",
    "pydantic", "pydantic-core", "rich", "tenacity", "tree-sitter", "tree-sitter-bash", "uvicorn",
)  # fmt: skip
LISTED_MAX = 3000
"""Files below a guarded folder whose hard links are known."""
STARTERS = ("sitecustomize.py", "usercustomize.py")


def nested_settings(targets: Sequence[str], project_dir: str) -> tuple[str, ...]:
    """Settings of a host, or of every host, below the project, and in the other work trees of its repository: they are
    read where a session starts there. Those that a call's targets name, patterns included, or that stand in a folder
    among them."""
    held, within = _protected_file_names(), _protected_host_folders()
    plain = [os.path.normpath(target) for target in targets]
    named = [path for target in plain for path in _protected_paths_named(target, held)]
    named += [target for target in plain if any(folder in f"{target}{os.sep}" for folder in within)]
    if not named:
        return ()
    bases = {project_dir, os.path.realpath(project_dir), project_root(project_dir), *work_trees(project_dir)}
    roots = tuple(base.rstrip(os.sep) + os.sep for base in bases)
    return tuple(dict.fromkeys(path for path in named if path.startswith(roots)))


@cache
def _protected_host_folders() -> tuple[str, ...]:
    """The rows of the hosts' tables, which stand as long as the process."""
    return tuple(
        f"{os.sep}{name}{os.sep}" for host in registry.guarded_hosts() for name in host.PROTECTED.within
    )


@cache
def _protected_file_names() -> dict[str, list[str]]:
    """{folder of a project's settings, relative to it: their names}; of the hosts' tables too."""
    found: dict[str, list[str]] = {}
    for host in registry.guarded_hosts():
        for file in (*host.FILES.project, *host.PROTECTED.beside):
            folder, name = os.path.split(file)
            found.setdefault(folder, []).append(name)
    folder, name = os.path.split(PROJECT_FILE)
    found.setdefault(folder, []).append(name)
    return found


def _protected_paths_named(path: str, held: dict[str, list[str]]) -> list[str]:
    above, last = os.path.split(path)
    found: list[str] = []
    for folder, names in held.items():
        if folder and _ends(path, folder):
            inside = (os.path.join(path, one) for one in names)
            found += [one for one in inside if os.path.lexists(one)]
        elif not folder or _ends(above, folder):
            found += [os.path.join(above, one) for one in names if fnmatchcase(one, last)]
    return found


def _ends(path: str, folder: str) -> bool:
    return path == folder or path.endswith(os.sep + folder)


class Guard:
    """Self-protection in one environment: what is guarded is worked out once a project."""

    def __init__(self, env: Mapping[str, str], home: str) -> None:
        self._env = env
        self._home = home
        self._places: dict[str, Protected] = {}

    def __call__(self, pending: PendingWrite, effects: Effects | None) -> str:
        """What the call would do to the gate; empty for every other call."""
        if pending.tool_name == "Bash":
            join_programs()
        if self._env.get("COMPASS_NESTED") == "warm":
            return "uses a reader process's token"
        project_dir = pending.project_dir
        known = self._places.get(project_dir)
        if known is None:
            known = self._places[project_dir] = places(project_dir, self._env, self._home)
        nested = nested_settings(effects.targets, project_dir) if effects is not None else ()
        if nested:
            known = replace(known, settings=(*known.settings, *nested))
        return offence(pending, effects, known, DISK)


def places(project_dir: str, env: Mapping[str, str], home: str) -> Protected:
    """The install is guarded unless the project is its own checkout, or holds it in an environment of its own."""
    onlooker, state = onlooker_dir(env, home), state_dir(env, home)
    records = config_dir(home)
    run = os.fsdecode(wire.run_dir(wire.folder_variables(env)))
    hosts = registry.guarded_hosts()
    theirs = [host.PROTECTED for host in hosts]
    as_plugin = env.get("COMPASS_VIA_PLUGIN")
    plugins = [env.get(one.plugin_variable, "") for one in theirs if one.plugin_variable and as_plugin]
    own = [folder for folder in (state, records, run) if folder]
    install = installed()
    guards_install = not _is_within_folder(install.root, project_dir)
    held = [*install.packages, *(one for one in plugins if one and not _is_within_folder(one, project_dir))]
    environment = install.environment if not _is_within_folder(install.environment, project_dir) else ""
    placed = [os.path.join(home, name) for one in theirs for name in one.placed] if home else []
    placed += [path for one in theirs for path in one.moved(one.placed, env)]
    folders = [*own, *placed, *(held if guards_install else []), *([environment] if environment else [])]
    files = [one for one in install.files if not _is_within_folder(one, project_dir)]
    settings = dict.fromkeys(
        path for base in _protected_path_forms([home]) for host in hosts for path in host.FILES.of_user(base)
    )
    for base in _protected_path_forms([project_dir]):
        settings |= dict.fromkeys(path for host in hosts for path in host.FILES.of_project(base))
        settings[project_file(base)] = None
    bases = _protected_path_forms([home, project_dir])
    settings |= dict.fromkeys(
        os.path.join(base, name) for base in bases for one in theirs for name in one.beside
    )
    for host in hosts:
        moved = host.PROTECTED.moved((*host.FILES.user, *host.PROTECTED.beside), env)
        settings |= dict.fromkeys(moved)
    named = [*own, *(held if guards_install else []), *(install.named if environment else [])]
    hidden = os.path.basename(onlooker)
    spelled = ("$ONLOOKER_DIR", "${ONLOOKER_DIR", ".config/compass", os.path.splitext(PROJECT_FILE)[0])
    words = [
        *own,
        *(install.named if environment else ()),
        hidden if hidden.startswith(".") else "",
        *spelled,
    ]
    words += [word for one in theirs for word in one.words]
    variables = {"~": home, "$HOME": home, "${HOME}": home}
    variables |= {"$ONLOOKER_DIR": onlooker, "${ONLOOKER_DIR}": onlooker}
    keys: list[tuple[str, tuple[str, ...]]] = [(PROJECT_FILE, (layers.SECTION,))]
    for host in hosts:
        files_of = (*host.FILES.user, *host.FILES.project, *host.PROTECTED.files, *host.PROTECTED.beside)
        keys += [(name, host.PROTECTED.keys) for name in dict.fromkeys(files_of)]
    return Protected(
        folders=_protected_path_forms(folders),
        settings=(*settings, *(path for one in theirs for path in one.files)),
        words=tuple(dict.fromkeys(filter(None, words))),
        variables=tuple(variables.items()),
        files=_protected_path_forms(files),
        named=_protected_path_forms(named),
        holders=_protected_path_forms([onlooker]),
        linked=_protected_path_forms([*own, *(install.packages if guards_install else [])]),
        packages=(DISTRIBUTION,),
        dependencies=DEPENDENCIES,
        environment=environment,
        keys=tuple(keys),
        rare=tuple(name for one in theirs for name in one.rare),
        programs=tuple(name for one in theirs for name in one.programs),
        host_variables=tuple(name for one in theirs for name in one.variables),
        moving=tuple(name for one in theirs for name in one.moving),
    )


class Installed:
    """Where the running Compass lies: `root` holds its packages.

    `environment` is the virtual one around the interpreter, empty for a shared interpreter: there `files` are what
    starts with it (`.pth` and the like), and the interpreter itself. `named` are what only a reading command may name.
    """

    def __init__(self, root: str, executable: str) -> None:
        self.root = root
        self.packages = [os.path.join(root, name) for name in PACKAGES]
        folder = os.path.dirname(os.path.dirname(os.path.abspath(executable)))
        configured = os.path.join(folder, "pyvenv.cfg")
        self.environment = folder if os.path.isfile(configured) else ""
        self.files = [os.path.realpath(executable)]
        self.named: list[str] = []
        if self.environment:
            self.named = [configured, *glob.glob(os.path.join(folder, "lib", "python*", "site-packages"))]
        elif os.path.basename(root) in ("site-packages", "dist-packages"):
            starting = [os.path.join(root, name) for name in STARTERS]
            self.files += [*glob.glob(os.path.join(glob.escape(root), "*.pth")), *starting]
            self.packages += glob.glob(os.path.join(glob.escape(root), "compass_gate-*"))


@lru_cache(maxsize=1)
def installed() -> Installed:
    root = os.path.dirname(os.path.dirname(os.path.realpath(compass.__file__)))
    return Installed(root, sys.executable)


def _protected_path_forms(paths: list[str]) -> tuple[str, ...]:
    """The paths that a protected place has: as written, and with links resolved."""
    return tuple(dict.fromkeys((*paths, *map(os.path.realpath, paths))))


def _is_within_folder(path: str, folder: str) -> bool:
    real = os.path.realpath(folder)
    return path == real or path.startswith(real + os.sep)


def _read_for_protection(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_SETTINGS_BYTES)
    except ValueError:
        return None
    except OSError as error:
        raise_want(error)
        return None


def _file_identity(path: str) -> tuple[int, int, int] | None:
    """Device, inode, and links of a file; a folder's own links say nothing, so they count as one."""
    try:
        seen = os.stat(path)
    except (OSError, ValueError):
        return None
    return seen.st_dev, seen.st_ino, 1 if seen.st_mode & 0o170000 == 0o040000 else seen.st_nlink


def _list_protected_files(folder: str) -> tuple[str, ...]:
    found = (os.path.join(base, name) for base, _, names in os.walk(folder) for name in names)
    return tuple(islice(found, LISTED_MAX))


DISK = Disk(_read_for_protection, resolved, _file_identity, _list_protected_files)
