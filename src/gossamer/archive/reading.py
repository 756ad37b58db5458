"""Answers read back from their places."""

from pathlib import Path

from gossamer.archive.compose import archived
from gossamer.archive.exchange import FILE_NAME, Archived, ArchivePlace
from gossamer.archive.files import failing
from gossamer.archive.folders import look_for_file
from gossamer.archive.record import unpack
from gossamer.errors import ArchiveError


def read_record(folder: Path, place: ArchivePlace) -> Archived:
    """The answer at a place; `ArchiveError` where there is none, or not a whole one."""
    path = _path(folder, place)
    with failing(path), path.open("rb") as file:
        file.seek(place.offset)
        record = unpack(file.read(place.length))
    if record is None:
        raise ArchiveError(f"{place} in the archive holds no whole record.")
    try:
        return archived(record)
    except (KeyError, ValueError) as error:
        raise ArchiveError(f"{place} in the archive holds no answer: {error}.") from None


def _path(folder: Path, place: ArchivePlace) -> Path:
    if not FILE_NAME.fullmatch(place.file):
        raise ArchiveError(f"{place.file!r} is no file of an archive.")
    return look_for_file(folder, place.file)
