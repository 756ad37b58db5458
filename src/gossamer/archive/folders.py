"""Folders of the archive: which there are, which of them are gone, and where a new file goes.

The archive of a data folder is in its folder `archive`, the home, and in the folders that `archive.folders`
has named so far. `folders.json` in the home lists those; a mark in each says which one it is, so that the
empty mount point of a disk that is gone is never taken for the disk. A file is found by its name, whichever
folder it is in: names are never used twice.
"""

import json
import os
import secrets
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from gossamer.archive.files import SUFFIX, failing
from gossamer.errors import ArchiveError
from gossamer.folder.durable import sync

LIST: Final = "folders.json"
MARK: Final = "gossamer-archive.json"


@dataclass(frozen=True, slots=True)
class KnownFolder:
    """A folder outside the home that has files of the archive, or had."""

    path: Path
    mark: str
    is_in_use: bool = True  # new files go there

    def trouble(self) -> str | None:
        """Why the folder cannot be read, in a sentence; None where it can."""
        try:
            found = _read_mark(self.path)
        except OSError as error:
            return f"{self.path} cannot be read: {error.strerror}. Is its disk mounted?"
        if found is None:
            return f"{self.path} is not what it was: {MARK} is missing. Is its disk mounted?"
        if found.get("folder") != self.mark:
            return f"{self.path} is another folder of an archive than before, by its {MARK}."
        return None


@dataclass(frozen=True, slots=True)
class FolderRoom:
    """A folder for new files: how much room it has, or what is wrong with it."""

    path: Path
    free: int = 0
    total: int = 0
    trouble: str | None = None
    is_in_use: bool = True

    def record(self) -> dict[str, object]:
        """Room and trouble as JSON has them."""
        return {
            "folder": str(self.path),
            "free": self.free,
            "total": self.total,
            "in_use": self.is_in_use,
            "trouble": self.trouble,
        }


def known_folders(home: Path) -> list[KnownFolder]:
    """The folders outside the home, those of earlier settings too."""
    return [
        KnownFolder(Path(each["path"]), each["mark"], each["in_use"])
        for each in _read_list(home)["folders"]
    ]


def present_folders(home: Path) -> list[Path]:
    """The home and all folders that can be read."""
    known = known_folders(home)
    return [home, *(each.path for each in known if each.trouble() is None)]


def missing_folders(home: Path) -> list[str]:
    """A sentence for each folder that is known and cannot be read."""
    entered = [each for each in known_folders(home) if each.mark]  # others never had a file
    return [text for each in entered if (text := each.trouble()) is not None]


def refuse_missing(home: Path, what: str) -> None:
    """Raise `ArchiveError` where a folder is missing: what is to be done needs all of them."""
    if missing := missing_folders(home):
        raise ArchiveError(
            f"{' '.join(missing)} {what} needs all folders of the archive. Bring the folder back and "
            f"repeat the command; one that is gone for good is to be taken out of {home / LIST}."
        )


def find_file(home: Path, name: str) -> Path | None:
    """The file of that name, in whichever folder it is."""
    if (at_home := home / name).exists():
        return at_home
    for each in known_folders(home):
        if (path := each.path / name).exists():
            return path
    return None


def look_for_file(home: Path, name: str) -> Path:
    """The file of that name; `ArchiveError` names the folders that are missing, one of which may have it."""
    if (path := find_file(home, name)) is not None:
        return path
    if missing := missing_folders(home):
        raise ArchiveError(f"{name} is in no folder of the archive that is there. {missing[0]}")
    raise ArchiveError(f"The archive cannot use {home / name}: No such file or directory.")


def chosen_folders(home: Path, named: Iterable[str]) -> list[Path]:
    """The folders for new files that `archive.folders` names: relative to the data folder; the home if none."""
    found = [(home.parent / Path(each).expanduser()).absolute() for each in named]
    return [*dict.fromkeys(found)] or [home]


def enter_folders(home: Path, chosen: Sequence[Path]) -> None:
    """Take up the folders for new files: mark the new ones, find those that were moved.

    One that cannot be had is left for `folder_rooms` to tell of; the folder of another crawl is refused.
    """
    if not (home / LIST).exists() and [*chosen] == [home]:
        return  # the archive has one folder, as nearly all have
    listed = _read_list(home)
    known = {
        each.path: replace(each, is_in_use=each.path in chosen) for each in known_folders(home)
    }
    for path in chosen:
        if _is_home(home, path):
            continue
        marked = _enter(path, listed["archive"], known.get(path))
        if marked is not None:
            moved = [old for old, each in known.items() if each.mark == marked and old != path]
            for old in moved:
                del known[old]
            known[path] = KnownFolder(path, marked)
        elif path not in known:  # it never was there: that it is wanted must not be forgotten
            known[path] = KnownFolder(path, "")
    _keep_list(home, listed["archive"], known.values())


def folder_rooms(home: Path, chosen: Sequence[Path]) -> list[FolderRoom]:
    """How much room each folder for new files has, the most first; those in trouble are last."""
    known = {each.path: each for each in known_folders(home)}
    rooms = [_room(path, home, known.get(path)) for path in chosen]
    return sorted(rooms, key=lambda each: (each.trouble is not None, -each.free))


def all_rooms(home: Path) -> list[FolderRoom]:
    """The room in all folders of the archive, for people; the home is in use where no other is."""
    known = known_folders(home)
    if not known:
        return []
    others = [replace(_room(each.path, home, each), is_in_use=each.is_in_use) for each in known]
    is_home_used = not any(each.is_in_use for each in others)
    return [replace(_room(home, home, None), is_in_use=is_home_used), *others]


def archive_bytes(home: Path) -> int:
    """The bytes that files of the archive take outside its home."""
    total = 0
    for each in known_folders(home):
        for path in each.path.glob(f"*{SUFFIX}"):
            try:
                total += path.stat().st_size
            except OSError:
                continue
    return total


def without_failed(rooms: Sequence[FolderRoom], failed: Container[Path]) -> list[FolderRoom]:
    """The rooms that may be tried, in the order in which they are."""
    return [each for each in rooms if each.trouble is None and each.path not in failed]


def _room(path: Path, home: Path, known: KnownFolder | None) -> FolderRoom:
    trouble = None if known is None else known.trouble()
    if known is not None and not known.mark:
        trouble = _why_not_entered(path)
    if known is None and not _is_home(home, path):
        trouble = _why_not_entered(path)
    if trouble is not None:
        return FolderRoom(path, trouble=trouble)
    try:
        disk = os.statvfs(path)
    except OSError as error:
        return FolderRoom(path, trouble=f"{path} cannot be used: {error.strerror}.")
    free, total = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
    if disk.f_flag & os.ST_RDONLY:
        return FolderRoom(path, free, total, f"{path} is on a disk that is mounted read-only.")
    return FolderRoom(path, free, total)


def _why_not_entered(path: Path) -> str:
    if not path.parent.is_dir():
        return f"{path} cannot be made, since {path.parent} does not exist. Is its disk mounted?"
    return f"{path} could not be used when the crawl began; start it again when it can."


def _is_home(home: Path, path: Path) -> bool:
    return home.absolute() == path.absolute()


def _enter(path: Path, archive: str, known: KnownFolder | None) -> str | None:
    """The mark of a folder that can be used; None where it cannot be."""
    try:
        if known is not None and known.mark:  # never made anew: its disk may be away
            return known.mark if known.trouble() is None else None
        if path.parent.is_dir():
            path.mkdir(exist_ok=True)
        found = _read_mark(path)
        if found is None:
            return _make_mark(path, archive)
    except OSError:
        return None
    if found.get("archive") != archive:
        raise ArchiveError(
            f"{path} holds the archive of another crawl, by its {MARK}. "
            f"Give each crawl a folder of its own, such as {path / 'second'}."
        )
    return str(found["folder"])


def _read_mark(path: Path) -> dict[str, Any] | None:
    """The mark in a folder; None where it has none, or one that cannot be ours."""
    if not path.is_dir():
        raise FileNotFoundError(2, os.strerror(2), str(path))
    try:
        found = json.loads((path / MARK).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _make_mark(path: Path, archive: str) -> str:
    mark = secrets.token_hex(8)
    _write_json(path / MARK, {"archive": archive, "folder": mark})
    return mark


def _read_list(home: Path) -> dict[str, Any]:
    path = home / LIST
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        folders = [
            {"path": str(each["path"]), "mark": str(each["mark"]), "in_use": bool(each["in_use"])}
            for each in listed["folders"]
        ]
        return {"archive": str(listed["archive"]), "folders": folders}
    except (FileNotFoundError, NotADirectoryError):
        return {"archive": secrets.token_hex(8), "folders": []}
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        raise ArchiveError(
            f"{path}, which lists the folders of the archive, is damaged. Restore it from a copy, "
            "or write it anew: docs/archive.md shows what is in it."
        ) from None


def _keep_list(home: Path, archive: str, folders: Iterable[KnownFolder]) -> None:
    listed = [
        {"path": str(each.path), "mark": each.mark, "in_use": each.is_in_use} for each in folders
    ]
    with failing(home / LIST):
        _write_json(home / LIST, {"archive": archive, "folders": listed})


def _write_json(path: Path, value: object) -> None:
    """Replace a small file: after a crash it is the old one or the new."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w", encoding="utf-8") as file:
            json.dump(value, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    sync(path.parent)
