"""A sequence whose items lie in a temporary file, for as many cases as there are: in memory is where each ends."""

from __future__ import annotations

import os
import pickle
import weakref
from array import array
from collections.abc import Iterable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import Self, TypeVar, cast, overload

T = TypeVar("T")
AHEAD_BYTES = 64 * 1024


class Packed:
    """Base of a frozen dataclass with slots of which there are many: pickled as its fields' values, in a third of the
    time."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        names: tuple[str, ...] = self.__slots__
        return self.__class__, tuple([getattr(self, name) for name in names])


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

    def __iter__(self) -> Iterator[T]:
        """Reads ahead, by `AHEAD_BYTES`, where a view goes through the file in its order."""
        if self._which.step != 1:
            yield from (self[place] for place in range(len(self)))
            return
        block, at = b"", 0
        for which in self._which:
            begin, end = (self._ends[which - 1] if which else 0), self._ends[which]
            if end > at + len(block):
                block, at = os.pread(self._file, max(AHEAD_BYTES, end - begin), begin), begin
            yield cast(T, pickle.loads(memoryview(block)[begin - at : end - at]))  # noqa: S301 - as below

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
