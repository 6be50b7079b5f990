"""What workers are handed: a function that each process makes for itself once, however often it is called there."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

import compass

R_co = TypeVar("R_co", covariant=True)
HIDDEN = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")


class Maker(Protocol[R_co]):
    """Picklable: told all that it goes by, it comes to the same function in any process."""

    def __call__(self) -> Callable[..., R_co]: ...


class Entry(Generic[R_co]):
    """Calls what `make` makes. Pickles in the little that the parent pickled once."""

    def __init__(self, make: Maker[R_co]) -> None:
        self._packed = pickle.dumps((compass.__version__, make), pickle.HIGHEST_PROTOCOL)

    def __call__(self, *given: Any) -> R_co:
        """Raises RuntimeError in a process of another version, besides what was made raises."""
        found: R_co = _made(self._packed)(*given)
        return found


@lru_cache(maxsize=1)
def _made(packed: bytes) -> Callable[..., Any]:
    version, make = pickle.loads(packed)  # noqa: S301 - of the process that handed it over
    if version != compass.__version__:
        raise RuntimeError(f"a worker has Compass {compass.__version__}, this is {version}")
    made: Callable[..., Any] = make()
    return made


def without_keys(env: Mapping[str, str]) -> dict[str, str]:
    """Rules need nothing that opens a door."""
    return {name: value for name, value in env.items() if not any(word in name.upper() for word in HIDDEN)}
