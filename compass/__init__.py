"""Compass: would two independent readers converge on the same interpretation of this write?"""

__version__ = "0.1.0"
ROOT = __file__.rpartition("/")[0].rpartition("/")[0]
"""Where this installation lies: client and service of two installations do not mix."""
INSTALLATION = f"{__version__}\0{ROOT}".encode("utf-8", "surrogateescape")
"""As client and service compare it."""

TYPE_CHECKING = False  # `typing` is more than a hook imports
if TYPE_CHECKING:
    from compass.api.exports import CompassError as CompassError
    from compass.api.exports import Gate as Gate
    from compass.api.exports import Heard as Heard
    from compass.api.exports import Session as Session
    from compass.api.exports import Verdict as Verdict
    from compass.api.exports import judge as judge

__all__ = ["CompassError", "Gate", "Heard", "Session", "Verdict", "judge"]
"""The surface that is promised (docs/python.md)."""


def __getattr__(name: str) -> object:
    """The surface is imported at its first use: hooks import this package and need none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from compass.api import exports

    found = globals()[name] = getattr(exports, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
