"""The program tables by field. Data, and small functions where data does not say it."""

from __future__ import annotations

from evaluator.stages.shell.acts import archiving, editing, finding, lookups, paging, placing, reading
from evaluator.stages.shell.acts import build as build_acts
from evaluator.stages.shell.acts import formatters as formatters_acts
from evaluator.stages.shell.acts import media as converting
from evaluator.stages.shell.acts import nix as nix_acts
from evaluator.stages.shell.acts import node as node_acts
from evaluator.stages.shell.acts import packages as packages_acts
from evaluator.stages.shell.programs import (
    agents,
    build,
    checks,
    clusters,
    containers,
    databases,
    files,
    forge,
    formatters,
    git,
    governing,
    interpreters,
    keyboards,
    listing,
    machine,
    media,
    migrations,
    network,
    nix,
    own,
    packages,
    readers,
    search,
    system,
    system_packages,
    text,
    wrappers,
)

TABLES = (
    media.PROGRAMS,
    converting.PROGRAMS,
    machine.PROGRAMS,
    search.PROGRAMS,
    reading.PROGRAMS,
    lookups.PROGRAMS,
    paging.PROGRAMS,
    listing.PROGRAMS,
    readers.PROGRAMS,
    files.PROGRAMS,
    text.PROGRAMS,
    editing.PROGRAMS,
    placing.PROGRAMS,
    finding.PROGRAMS,
    archiving.PROGRAMS,
    git.PROGRAMS,
    forge.PROGRAMS,
    packages.PROGRAMS,
    packages_acts.PROGRAMS,
    system_packages.PROGRAMS,
    nix.PROGRAMS,
    nix_acts.PROGRAMS,
    node_acts.PROGRAMS,
    build.PROGRAMS,
    build_acts.PROGRAMS,
    checks.PROGRAMS,
    migrations.PROGRAMS,
    formatters.PROGRAMS,
    formatters_acts.PROGRAMS,
    databases.PROGRAMS,
    network.PROGRAMS,
    containers.PROGRAMS,
    clusters.PROGRAMS,
    interpreters.PROGRAMS,
    wrappers.PROGRAMS,
    system.PROGRAMS,
    governing.PROGRAMS,
    agents.PROGRAMS,
    keyboards.PROGRAMS,
    own.PROGRAMS,
)
