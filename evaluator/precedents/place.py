"""Where a request is made: the project, its checkout and its branch. Data."""

from __future__ import annotations

from evaluator.record import Record


class Place(Record):
    """`project` is the project key, `checkout` the root of the work tree, of git's main one where it has others.

    `branch` is empty where it is not known or HEAD is detached, which `detached` tells apart. `default` is the branch
    that others begin from, empty where it cannot be told. `root` is that of the work tree itself: all targets are
    relative to it, wherever in it a session was started.
    """

    project: str
    checkout: str
    branch: str = ""
    default: str = ""
    detached: bool = False
    root: str = ""
