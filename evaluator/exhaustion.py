"""Tells a machine that is out of descriptors or memory from a file that is not there. Built-ins only.

"Not there" means "not set", and a gate that nobody turned on: what a moment's want hides must not be taken for it.
"""

from __future__ import annotations

import errno

WANT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM))


def is_want(error: BaseException) -> bool:
    """Whether the same call may well find the file a moment later, or from another process."""
    return isinstance(error, OSError) and error.errno in WANT


def raise_want(error: BaseException) -> None:
    """Raises `error` if it says nothing about the file; for where a file that cannot be read counts as none."""
    if is_want(error):
        raise error
