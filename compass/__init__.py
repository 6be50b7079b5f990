"""Compass: would two independent readers converge on the same interpretation of this write?"""

__version__ = "0.1.0"


def root() -> str:
    """Where this installation lies: client and service of two installations do not mix."""
    return __file__.rpartition("/")[0].rpartition("/")[0]


def installation() -> bytes:
    """This installation, as client and service compare it: the version, and where it lies."""
    return f"{__version__}\0{root()}".encode("utf-8", "surrogateescape")
