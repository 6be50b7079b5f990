"""What a row cannot say: programs that run or scan inner code, or whose targets have to be worked out."""

from __future__ import annotations

from evaluator.stages.shell.acts import clouds, clusters, containers, databases, network

TABLES = (
    databases.PROGRAMS,
    network.PROGRAMS,
    containers.PROGRAMS,
    clusters.PROGRAMS,
    clouds.PROGRAMS,
)
