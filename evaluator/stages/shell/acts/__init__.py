"""What a row cannot say: programs that run or scan inner code, or whose targets have to be worked out."""

from __future__ import annotations

from evaluator.stages.shell.acts import (
    archiving,
    build,
    clouds,
    clusters,
    containers,
    databases,
    editing,
    finding,
    forge,
    formatters,
    git,
    lookups,
    media,
    network,
    nix,
    node,
    packages,
    paging,
    placing,
    reading,
)

TABLES = (
    media.PROGRAMS,
    reading.PROGRAMS,
    lookups.PROGRAMS,
    paging.PROGRAMS,
    editing.PROGRAMS,
    placing.PROGRAMS,
    finding.PROGRAMS,
    archiving.PROGRAMS,
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
    clouds.PROGRAMS,
)
