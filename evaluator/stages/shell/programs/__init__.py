"""The program tables by field. Data, and small functions where data does not say it."""

from __future__ import annotations

from evaluator.stages.shell.programs import (
    archives,
    build,
    clusters,
    containers,
    databases,
    files,
    find,
    forge,
    formatters,
    git,
    interpreters,
    media,
    network,
    nix,
    node,
    packages,
    readers,
    system,
    text,
    wrappers,
)

TABLES = (
    media.PROGRAMS,
    readers.PROGRAMS,
    files.PROGRAMS,
    text.PROGRAMS,
    find.PROGRAMS,
    archives.PROGRAMS,
    git.PROGRAMS,
    forge.PROGRAMS,
    packages.PROGRAMS,
    nix.PROGRAMS,
    node.PROGRAMS,
    build.PROGRAMS,
    formatters.PROGRAMS,
    databases.PROGRAMS,
    network.PROGRAMS,
    containers.PROGRAMS,
    clusters.PROGRAMS,
    interpreters.PROGRAMS,
    wrappers.PROGRAMS,
    system.PROGRAMS,
)
