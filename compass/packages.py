"""Makes packages from outside of the standard library importable in a hook, which starts without them.

A hook runs as `python -I -S`: reading site-packages costs as much again as the interpreter, and most calls end before
anything there is needed. Whoever needs something calls `enable` first.
"""

from __future__ import annotations

import sys
from functools import cache


@cache
def enable() -> None:
    """Do what the interpreter does without `-S`. Nothing where it did."""
    if sys.flags.no_site:
        import site

        site.main()
