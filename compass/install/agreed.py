"""Keeps what the person said of the logged-in client, and what a sample of it showed."""

from __future__ import annotations

import os

from compass.composition.backends import (
    Agreement,
    MeasuredClient,
    agreement_file,
    agreement_text,
    read_agreement,
)
from compass.install import settings_file
from compass.install.site import Site
from evaluator.errors import ConfigError
from evaluator.record import replace


def agreement_here(site: Site) -> Agreement:
    return read_agreement(_path(site))


def keep(site: Site, agreement: Agreement) -> None:
    """Raises ConfigError."""
    settings_file.replace(_path(site), agreement_text(agreement), private=True)


def keep_measured(site: Site, measured: MeasuredClient) -> None:
    """Raises ConfigError."""
    keep(site, replace(agreement_here(site), measured=measured))


def forget(site: Site) -> None:
    """A new installation asks again. Raises ConfigError."""
    try:
        os.unlink(_path(site))
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{_path(site)}: cannot be deleted: {error.strerror}") from error


def _path(site: Site) -> str:
    return agreement_file(site.env, site.home, site.project_dir)
