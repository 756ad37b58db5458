"""Answers read back from their places."""

from pathlib import Path

from gossamer.errors import ArchiveError
from gossamer.fetch.archive.compose import archived
from gossamer.fetch.archive.exchange import Archived
from gossamer.fetch.archive.files import failing
from gossamer.fetch.archive.members import unpacked
from gossamer.fetch.archive.place import FILE_NAME, ArchivePlace


def read_record(folder: Path, place: ArchivePlace) -> Archived:
    """The answer at a place; `ArchiveError` where there is none, or not a whole one."""
    path = _path(folder, place)
    with failing(path), path.open("rb") as file:
        file.seek(place.offset)
        record = unpacked(file.read(place.length))
    if record is None:
        raise ArchiveError(f"{place} in the archive holds no whole record.")
    try:
        return archived(record)
    except (KeyError, ValueError) as error:
        raise ArchiveError(f"{place} in the archive holds no answer: {error}.") from None


def _path(folder: Path, place: ArchivePlace) -> Path:
    if not FILE_NAME.fullmatch(place.file):
        raise ArchiveError(f"{place.file!r} is no file of an archive.")
    return folder / place.file
