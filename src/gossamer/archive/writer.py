"""The archive of one node: batches in, places out.

`write` returns when its batch is on disk, whole; if it raises, nothing of the batch is
there. Nothing here waits for the network or knows the event loop: one thread of the
caller's runs it, one call at a time.

A file is begun in the folder that has the most room. Where a folder has none left, or is gone, the batch
goes to the next; `ArchiveError` is raised when no folder takes it.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import gossamer
from gossamer import config
from gossamer.archive.compose import Repeat, exchange_records, repeat_of, warcinfo
from gossamer.archive.equal_bodies import EqualBodies
from gossamer.archive.exchange import Archived, ArchivePlace, Exchange, Profile
from gossamer.archive.files import Mended, WarcFile, failing, file_name, mend, sync_folder
from gossamer.archive.folders import (
    FolderRoom,
    chosen_folders,
    enter_folders,
    find_file,
    folder_rooms,
    present_folders,
    without_failed,
)
from gossamer.archive.forget import Gone, Rewritten, forget, unfinished_moves
from gossamer.archive.orphans import adopt
from gossamer.archive.reading import read_record
from gossamer.archive.record import new_record_id, pack
from gossamer.errors import ArchiveError, ArchiveFullError
from gossamer.events import ArchiveFolderAway, ArchiveFolderBack, Event
from gossamer.moments import now_utc

_MOST_NAMES: Final = 1000  # tried in turn: two processes may count alike


class Archive:
    """The WARC files of a data folder. Making one mends what a dead writer left: `mended`."""

    def __init__(
        self,
        folder: Path,
        settings: config.Archive,
        *,
        node: str,
        agent: str = "",
        least_free: int = 0,
        now: Callable[[], datetime] = now_utc,
    ) -> None:
        """Open the archive whose home is this folder; a disk with less than `least_free` is left for others."""
        self.folder = folder
        self.most_free: int | None = None  # in one folder of several, at the last look
        self._least_free = least_free
        self._away: dict[Path, str] = {}  # folders that are passed over, and why
        self._news: list[Event] = []
        self._settings = settings
        self._node = node
        self._agent = agent
        self._now = now
        self._number = 0
        self._file: WarcFile | None = None
        self._warcinfo_id = ""
        self._begun_bytes = 0  # of a file that holds no batch yet
        self._equal = EqualBodies()
        with failing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._chosen = chosen_folders(folder, settings.folders)
        enter_folders(folder, self._chosen)
        if self._has_several:
            self._look([])
        self.mended: list[Mended] = [one for each in present_folders(folder) for one in mend(each)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def write(self, exchanges: Sequence[Exchange]) -> list[ArchivePlace]:
        """Keep a batch; for each page, where its body is now.

        Where an earlier answer of the page holds the same body, or the server said so (304), or an answer of
        another page of late does, a revisit is written and the place is the earlier one.
        """
        if not exchanges:
            return []
        if not self._has_several:
            return self._write_in(self._chosen[0], exchanges)
        failed: dict[Path, ArchiveError] = {}
        while (folder := self._folder(failed)) is not None:
            try:
                places = self._write_in(folder, exchanges)
            except ArchiveError as error:
                failed[folder] = error
                self._pass_over(folder, str(error))
                self._leave_file()
            else:
                self._take_back_up(folder)
                return places
        for why in failed.values():
            if isinstance(why, ArchiveFullError):
                raise why
        raise ArchiveError(
            "No folder of archive.folders can be used now: " + " ".join(self._away.values())
        )

    def take_news(self) -> list[Event]:
        """What there is to tell of folders since this was last asked."""
        news, self._news = self._news, []
        return news

    def _write_in(self, folder: Path, exchanges: Sequence[Exchange]) -> list[ArchivePlace]:
        file = self._open(folder)
        try:
            return self._write(file, exchanges)
        except ArchiveFullError:
            # The system limits how large a file may be (`ulimit -f`). Where the file has nothing but
            # this batch to hold, another is no better.
            if not file.outgrown or file.size == self._begun_bytes:
                raise
        self.close()
        return self._write(self._open(folder), exchanges)

    def _write(self, file: WarcFile, exchanges: Sequence[Exchange]) -> list[ArchivePlace]:
        pieces: list[bytes] = []
        places: list[ArchivePlace] = []
        at = file.size
        self._equal.take_back()
        for exchange in exchanges:
            repeat, earlier = self._repeat(exchange)
            record_id = new_record_id()
            records = exchange_records(exchange.fetched, repeat, self._warcinfo_id, record_id)
            own = [pack(record) for record in records]
            place = ArchivePlace(file.path.name, at, len(own[0]))
            if earlier is None:
                self._equal.note(exchange.fetched, place, record_id)
            places.append(earlier or place)
            pieces += own
            at += sum(map(len, own))
        file.append(b"".join(pieces))
        self._equal.confirm()
        return places

    def read(self, place: ArchivePlace) -> Archived:
        """The answer at a place; `ArchiveError` where there is none."""
        return read_record(self.folder, place)

    def forget(self, gone: Gone) -> Iterator[Rewritten]:
        """Remove all records of the pages whose URL this says; see `forget.py`."""
        self.close()
        self._equal.clear()
        for folder in present_folders(self.folder):
            yield from unfinished_moves(folder)
        yield from adopt(self.folder, gone)
        for folder in present_folders(self.folder):
            yield from forget(folder, gone)

    def unfinished(self) -> Iterator[Rewritten]:
        """Moves of the last `forget` that a crash kept from the frontier; see `forget.py`."""
        for folder in present_folders(self.folder):
            yield from unfinished_moves(folder)

    def close(self) -> None:
        """End the file; a further batch begins another."""
        if self._file:
            self._file.close()
            self._file = None

    def _repeat(self, exchange: Exchange) -> tuple[Repeat | None, ArchivePlace | None]:
        """The earlier answer that has the body of this one, and where it is: the page's own, or another's."""
        if exchange.earlier is not None:
            # Gone or damaged, it is of no use: then this answer is kept whole, or refers to another.
            with suppress(ArchiveError):
                repeat = repeat_of(exchange.fetched, self.read(exchange.earlier))
                if repeat is not None:
                    return repeat, exchange.earlier
        found = self._equal.find(exchange.fetched)
        if found is None:
            return None, None
        if found.place.file != self._file_name and find_file(self.folder, found.place.file) is None:
            self._equal.drop(found.place.file)
            return None, None
        return Repeat(Profile.IDENTICAL, found.answer), found.place

    @property
    def _file_name(self) -> str:
        return "" if self._file is None else self._file.path.name

    @property
    def _has_several(self) -> bool:
        """Whether there is more to a folder than that it is the home."""
        return self._chosen != [self.folder]

    def _look(self, failed: Container[Path]) -> list[FolderRoom]:
        """The folders that may be tried, the one with the most room first."""
        rooms = folder_rooms(self.folder, self._chosen)
        for each in rooms:
            if each.trouble is not None:
                self._pass_over(each.path, each.trouble)
        good = without_failed(rooms, failed)
        self.most_free = max((each.free for each in rooms if each.trouble is None), default=0)
        return good

    def _folder(self, failed: Container[Path]) -> Path | None:
        """Where the next batch goes: on in the file that is open, while its disk has room."""
        rooms = self._look(failed)
        if not rooms:
            return None
        current = self._file.path.parent if self._file and self._file.usable else None
        for each in rooms:
            has_room = each.free >= self._least_free or rooms[0].free < self._least_free
            if each.path == current and has_room:
                return current
        return rooms[0].path

    def _pass_over(self, folder: Path, why: str) -> None:
        if folder not in self._away:
            self._news.append(ArchiveFolderAway(folder=str(folder), why=why))
        self._away[folder] = why

    def _take_back_up(self, folder: Path) -> None:
        if self._away.pop(folder, None) is not None:
            self._news.append(ArchiveFolderBack(folder=str(folder)))

    def _leave_file(self) -> None:
        """End a file whose folder takes no more; one that holds no page yet goes."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(
                ArchiveError, OSError
            ):  # the disk may be gone; the next start reads it back
                if file.size == self._begun_bytes:
                    file.discard()
                else:
                    file.close()

    def _open(self, folder: Path) -> WarcFile:
        full = self._file and self._file.size >= self._settings.max_file_bytes
        is_elsewhere = self._file and self._file.path.parent != folder
        if full or is_elsewhere or (self._file and not self._file.usable):
            self.close()
        if self._file is None:
            self._file = self._begun(self._new_file(folder))
        return self._file

    def _new_file(self, folder: Path) -> WarcFile:
        for _ in range(_MOST_NAMES):
            self._number += 1
            path = folder / file_name(self._now(), self._node, self._number)
            if self._has_several and find_file(self.folder, path.name) is not None:
                continue
            with failing(path), suppress(FileExistsError):
                return WarcFile(path)
        raise ArchiveError(f"{folder} has no free name left for a file: {path.name} exists.")

    def _begun(self, file: WarcFile) -> WarcFile:
        software = f"gossamer/{gossamer.__version__}"
        self._warcinfo_id, record = warcinfo(
            file.path.name, software, self._agent, self._node, self._now()
        )
        try:
            file.append(pack(record))
            sync_folder(file.path.parent)
        except ArchiveError:
            file.discard()
            raise
        self._begun_bytes = file.size
        return file
