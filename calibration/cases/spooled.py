"""A sequence whose items lie in a temporary file, for as many cases as there are: in memory is where each ends."""

from __future__ import annotations

import os
import pickle
import weakref
from array import array
from collections.abc import Iterable, Sequence
from tempfile import TemporaryFile
from typing import Self, TypeVar, cast, overload

T = TypeVar("T")


class Spooled(Sequence[T]):
    """Items that can be pickled, read anew each time that they are asked for. A slice is a view of the same file, which
    has no name and ends with the last of them. Any number of threads may read. Raises OSError where there is no room.
    """

    def __init__(self, items: Iterable[T] = ()) -> None:
        file = TemporaryFile()  # noqa: SIM115 - open as long as anybody reads of it
        self._file = file.fileno()
        self._ends = array("Q")
        # All views hold this array: once it goes, nobody reads any more.
        weakref.finalize(self._ends, file.close)
        end = 0
        for item in items:
            end += file.write(pickle.dumps(item, pickle.HIGHEST_PROTOCOL))
            self._ends.append(end)
        file.flush()
        self._which = range(len(self._ends))

    def __len__(self) -> int:
        return len(self._which)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> T | Self:
        if isinstance(place, slice):
            view = type(self).__new__(type(self))
            view._file, view._ends, view._which = self._file, self._ends, self._which[place]
            return view
        which = self._which[place]
        begin = self._ends[which - 1] if which else 0
        found = os.pread(self._file, self._ends[which] - begin, begin)
        return cast(T, pickle.loads(found))  # noqa: S301 - of a file that only this process can open
