"""What all hosts bring, installed or not: to the shell their programs, to self-protection what it guards of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import TYPE_CHECKING

from evaluator.configuration.places import PROJECT_FILE
from evaluator.configuration.project import project_root
from evaluator.configuration.worktrees import work_trees
from hooks import registry

if TYPE_CHECKING:
    from evaluator.shell.hosts import HostPrograms


def join_programs() -> None:
    """Before the first command is read. Joined again, nothing changes."""
    from evaluator.shell import hosts as shell

    for name in registry.HOSTS:
        shell.join(name, partial(_programs, name))


def _programs(name: str) -> HostPrograms:
    return registry.host_of(name).programs()


def prepare_hosts() -> None:
    """Import what hosts bring, for the first call that asks."""
    from evaluator.shell import hosts as shell

    join_programs()
    for programs in shell.joined():
        programs.rows()
    registry.guarded()


def nested_settings(targets: Sequence[str], project_dir: str) -> tuple[str, ...]:
    """Settings of a host, or of every host, below the project, and in the other work trees of its repository: they are
    read where a session starts there. Those that a call's targets name, patterns included, or that stand in a folder
    among them.
    """
    held, within = _held(), _within()
    plain = [os.path.normpath(target) for target in targets]
    named = [path for target in plain for path in _named(target, held)]
    named += [target for target in plain if any(folder in f"{target}{os.sep}" for folder in within)]
    if not named:
        return ()
    bases = {project_dir, os.path.realpath(project_dir), project_root(project_dir), *work_trees(project_dir)}
    roots = tuple(base.rstrip(os.sep) + os.sep for base in bases)
    return tuple(dict.fromkeys(path for path in named if path.startswith(roots)))


@cache
def _within() -> tuple[str, ...]:
    """The rows of the hosts' tables, which stand as long as the process."""
    return tuple(f"{os.sep}{name}{os.sep}" for host in registry.guarded() for name in host.PROTECTED.within)


@cache
def _held() -> dict[str, list[str]]:
    """{folder of a project's settings, relative to it: their names}; of the hosts' tables too."""
    found: dict[str, list[str]] = {}
    for host in registry.guarded():
        for file in (*host.FILES.project, *host.PROTECTED.beside):
            folder, name = os.path.split(file)
            found.setdefault(folder, []).append(name)
    folder, name = os.path.split(PROJECT_FILE)
    found.setdefault(folder, []).append(name)
    return found


def _named(path: str, held: dict[str, list[str]]) -> list[str]:
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
