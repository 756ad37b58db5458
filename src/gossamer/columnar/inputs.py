"""The inputs of a job: which files are meant, what each is known by, and under which name its columns are kept.

An input is known by its name, its size and its first and last bytes, not by where it lies: an archive that is mounted
elsewhere is the same, and so is a copy. Two different inputs of one name have the hash of these in their names.
"""

import glob
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from gossamer.reading.inputs import is_archive
from gossamer.reading.warc_records import why_no_pages

EDGE_BYTES: Final = 64 * 1024  # at either end, by which an input is known
HASH_DIGITS: Final = 12
_SUFFIX: Final = re.compile(r"(?:\.w?arc)?(?:\.gz)?$", re.IGNORECASE)
_ODD: Final = re.compile(r"[^\w.+-]+")
_MOST_OF_A_NAME: Final = 160  # characters; file systems allow 255 bytes with all endings


@dataclass(frozen=True, slots=True)
class ArchiveInput:
    """A WARC file that is to become columns."""

    path: str
    file: str  # its name without folders
    size: int
    mark: str  # hash of what it is known by

    @property
    def told(self) -> dict[str, Any]:
        """The columns that describe the input."""
        return {"input": self.file, "bytes": self.size, "mark": self.mark}

    def is_told_in(self, told: dict[str, Any] | None) -> bool:
        """Whether columns that say this are those of this input."""
        return told is not None and all(told.get(key) == value for key, value in self.told.items())


@dataclass(frozen=True, slots=True)
class NoInput:
    """A name that is no input, and why."""

    name: str
    why: str
    is_fault: bool = True  # else it is skipped, as somebody would expect


def find_inputs(names: Iterable[str]) -> list[ArchiveInput | NoInput]:
    """The files that names, patterns and folders mean, each once, in order."""
    found: dict[str, ArchiveInput | NoInput] = {}
    for name in names:
        for path in _paths(name):
            if str(path) not in found:
                found[str(path)] = _input(path)
    return list(found.values())


def mark_of(file: IO[bytes], name: str, size: int) -> str:
    """The hash of what an input is known by."""
    file.seek(0)
    first = file.read(EDGE_BYTES)
    file.seek(max(0, size - EDGE_BYTES))
    edges = first + file.read(EDGE_BYTES)
    return sha256(f"{name}\n{size}\n".encode() + edges).hexdigest()


def base_name(file: str) -> str:
    """The name of an input's columns, where no other input has it."""
    plain = _ODD.sub("_", _SUFFIX.sub("", file))[:_MOST_OF_A_NAME]
    return plain.lstrip(".") or "archive"


def choose_names(
    inputs: Sequence[ArchiveInput], told: Callable[[str], dict[str, Any] | None]
) -> dict[ArchiveInput, str]:
    """The name of each input's columns; `told` is what columns of a name say of theirs, if there are any.

    Columns that are there keep their name, whatever other inputs come.
    """
    counts = Counter(base_name(each.file) for each in inputs)
    names: dict[ArchiveInput, str] = {}
    for each in inputs:
        plain = base_name(each.file)
        hashed = f"{plain}-{each.mark[:HASH_DIGITS]}"
        there = told(plain)
        if each.is_told_in(there):
            names[each] = plain
        elif counts[plain] > 1 or there is not None or told(hashed) is not None:
            names[each] = hashed
        else:
            names[each] = plain
    return names


def _paths(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return sorted(each for each in path.rglob("*") if each.is_file() and is_archive(each))
    if not path.exists() and glob.has_magic(name):
        return [Path(each) for each in sorted(glob.glob(name, recursive=True))] or [path]  # noqa: PTH207 (absolute patterns too)
    return [path]


def _input(path: Path) -> ArchiveInput | NoInput:
    name = str(path)
    if name.startswith(("http:/", "https:/")):
        return NoInput(name, "Columns are made of files on this machine. Download it first.")
    if not path.exists():
        return NoInput(name, "There is no such file or folder.")
    if path.is_dir():
        return NoInput(name, "There is no WARC file in this folder.")
    if not path.is_file():
        return NoInput(name, "It is no ordinary file.")
    if path.with_name(f"{path.name}.open").exists():
        return NoInput(
            name,
            "A crawl is still writing it; what it has is read when it is closed.",
            is_fault=False,
        )
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if (why := why_no_pages(file)) is not None:
                return NoInput(name, why, is_fault=False)
            return ArchiveInput(name, path.name, size, mark_of(file, path.name, size))
    except OSError as error:
        return NoInput(name, f"It cannot be read: {error.strerror}.")
