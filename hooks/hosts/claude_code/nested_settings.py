"""Settings of the host below a project and in the other work trees of its repository.

The host reads them where it is started there, so they are guarded like the project's own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase

from evaluator.configuration.project import project_root
from evaluator.configuration.worktrees import work_trees

FOLDER = ".claude"
NAMES = ("settings.json", "settings.local.json")


def nested_settings(targets: Sequence[str], project_dir: str) -> tuple[str, ...]:
    """Those that a call's targets name, patterns included, or that stand in a `.claude` folder among them."""
    named = [path for target in targets if FOLDER in target for path in _named(os.path.normpath(target))]
    if not named:
        return ()
    bases = {project_dir, os.path.realpath(project_dir), project_root(project_dir), *work_trees(project_dir)}
    roots = tuple(base.rstrip(os.sep) + os.sep for base in bases)
    return tuple(dict.fromkeys(path for path in named if path.startswith(roots)))


def _named(path: str) -> list[str]:
    folder, name = os.path.split(path)
    if name == FOLDER:
        held = [os.path.join(path, one) for one in NAMES]
        return [one for one in held if os.path.lexists(one)]
    if os.path.basename(folder) != FOLDER:
        return []
    return [os.path.join(folder, one) for one in NAMES if fnmatchcase(one, name)]
