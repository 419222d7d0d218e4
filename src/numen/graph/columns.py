"""Columns: what the index is stored in. A table keeps the rows of one file together, files in path order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

U8: TypeAlias = NDArray[np.uint8]
I8: TypeAlias = NDArray[np.int8]
U16: TypeAlias = NDArray[np.uint16]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U64: TypeAlias = NDArray[np.uint64]
F32: TypeAlias = NDArray[np.float32]
Column: TypeAlias = NDArray[np.generic]
Arrays: TypeAlias = Mapping[str, Column]
"""Named arrays: the form in which anything goes to disk or to another process."""

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of strings: UTF-8 end to end, string i being `data[ends[i]:ends[i + 1]]`.

    Names that a file system could not decode keep their bytes (surrogateescape).
    """

    data: U8
    ends: I64

    @staticmethod
    def of(texts: Sequence[str]) -> Texts:
        """The column that holds `texts`."""
        encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
        ends = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in encoded], out=ends[1:])
        return Texts(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, index: int) -> str:
        return bytes(self.data[self.ends[index] : self.ends[index + 1]]).decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        data, ends = self.data.tobytes(), self.ends.tolist()
        for i in range(len(ends) - 1):
            yield data[ends[i] : ends[i + 1]].decode("utf-8", "surrogateescape")

    def part(self, start: int, stop: int) -> Texts:
        """Strings `start` to `stop`, without copying them."""
        ends = self.ends[start : stop + 1]
        return Texts(self.data[ends[0] : ends[-1]], ends - ends[0])

    @staticmethod
    def joined(parts: Sequence[Texts]) -> Texts:
        """The strings of all `parts`, one after another."""
        ends = [np.zeros(1, dtype=np.int64)]
        at = 0
        for part in parts:
            ends.append(part.ends[1:] + at)
            at += int(part.ends[-1])
        return Texts(_joined([part.data for part in parts], np.dtype(np.uint8)), np.concatenate(ends))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows grouped by file: those of file f are `ends[f]` to `ends[f + 1]`. Subclasses name the columns."""

    ends: I64

    @property
    def files(self) -> int:
        """How many files there are, rows or not."""
        return len(self.ends) - 1

    def __len__(self) -> int:
        return int(self.ends[-1])

    def part(self, start: int, stop: int) -> Self:
        """The rows of files `start` to `stop`, without copying them."""
        ends = self.ends[start : stop + 1]
        first, last = int(ends[0]), int(ends[-1])
        columns = {name: _part(column, first, last) for name, column in self._columns()}
        return type(self)(ends=ends - first, **columns)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all `parts`, one after another; at least one part is needed."""
        at = 0
        ends = [np.zeros(1, dtype=np.int64)]
        for part in parts:
            ends.append(part.ends[1:] + at)
            at += int(part.ends[-1])
        gathered: dict[str, list[Column | Texts]] = {}
        for part in parts:
            for name, column in part._columns():
                gathered.setdefault(name, []).append(column)
        columns = {name: _together(columns) for name, columns in gathered.items()}
        return cls(ends=np.concatenate(ends), **columns)

    def file_of_row(self) -> I32:
        """For each row, the file it belongs to."""
        return np.repeat(np.arange(self.files, dtype=np.int32), np.diff(self.ends))

    def arrays(self) -> dict[str, Column]:
        """Every column by name; a column of strings is two."""
        found: dict[str, Column] = {"ends": self.ends}
        for name, column in self._columns():
            if isinstance(column, Texts):
                found[f"{name}.data"], found[f"{name}.ends"] = column.data, column.ends
            else:
                found[name] = column
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """The table that `arrays` was made of. Raises KeyError if a column is missing."""
        columns: dict[str, object] = {}
        for name in cls.columns():
            if name in arrays:
                columns[name] = arrays[name]
            else:
                columns[name] = Texts(arrays[f"{name}.data"], arrays[f"{name}.ends"])  # pyright: ignore[reportArgumentType]
        return cls(ends=arrays["ends"], **columns)  # pyright: ignore[reportArgumentType]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(field.name for field in fields(cls) if field.name != "ends")

    def _columns(self) -> list[tuple[str, Column | Texts]]:
        return [(name, getattr(self, name)) for name in self.columns()]


def integers(column: Column) -> list[int]:
    """A column of whole numbers as a list."""
    return cast("list[int]", column.tolist())


def mixed(first: U64, second: U64) -> U64:
    """One key for an ordered pair of keys: multiply and shift (SplitMix64's constants)."""
    mix = first * np.uint64(0x9E3779B97F4A7C15) + (second ^ (second >> np.uint64(31)))
    mix = (mix ^ (mix >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return mix ^ (mix >> np.uint64(27))


def ranges(starts: I64, sizes: I64) -> I64:
    """The numbers `starts[i]` to `starts[i] + sizes[i]` for every i, end to end."""
    total = int(sizes.sum())
    before = np.cumsum(sizes) - sizes
    return np.arange(total, dtype=np.int64) + np.repeat(starts - before, sizes)


def _part(column: Column | Texts, first: int, last: int) -> Column | Texts:
    return column.part(first, last) if isinstance(column, Texts) else column[first:last]


def _together(columns: list[Column | Texts]) -> Column | Texts:
    first = columns[0]
    if isinstance(first, Texts):
        return Texts.joined([column for column in columns if isinstance(column, Texts)])
    return _joined([column for column in columns if not isinstance(column, Texts)], first.dtype)


def _joined(columns: list[NDArray[Number]], dtype: np.dtype[Number]) -> NDArray[Number]:
    return np.concatenate(columns).astype(dtype, copy=False)
