"""Where an install command stands: the site of this process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from compass.composition.settings import load_for, project_of
from compass.install.site import Site
from evaluator.errors import ConfigError
from hooks import registry

if TYPE_CHECKING:
    from hooks.host import Host


def here(host: Host | None = None) -> Site:
    """The site of this process: its environment, working directory and interpreter. Raises ConfigError."""
    import compass

    host = host or registry.default()

    env = dict(os.environ)
    script = Path(compass.__file__).absolute().parent / "__main__.py"
    if not sys.executable or not os.path.isabs(sys.executable):
        raise ConfigError("this Python does not know its own path; run init by an installed interpreter")
    try:
        where = os.getcwd()
    except OSError as error:
        raise ConfigError("the working directory is gone; run init inside the project") from error
    directory = project_of(env, where, host)
    if not os.path.isdir(directory):
        raise ConfigError(f"{directory}: no such folder; unset {host.PROJECT_VARIABLE} or correct it")
    clean = load_for(env, directory, where, host).clean
    return Site(clean.env, clean.home, directory, sys.executable, str(script), host)
