"""The archive of one node: batches in, places out.

`write` returns when its batch is on disk, whole; if it raises, nothing of the batch is
there. Nothing here waits for the network or knows the event loop: one thread of the
caller's runs it, one call at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import gossamer
from gossamer import config
from gossamer.archive.compose import Repeat, exchange_records, repeat_of, warcinfo
from gossamer.archive.exchange import Archived, ArchivePlace, Exchange
from gossamer.archive.files import Mended, WarcFile, failing, file_name, mend, sync_folder
from gossamer.archive.forget import Gone, Rewritten, forget, unfinished_moves
from gossamer.archive.reading import read_record
from gossamer.archive.record import pack
from gossamer.errors import ArchiveError, ArchiveFullError
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
        now: Callable[[], datetime] = now_utc,
    ) -> None:
        self.folder = folder
        self._settings = settings
        self._node = node
        self._agent = agent
        self._now = now
        self._number = 0
        self._file: WarcFile | None = None
        self._warcinfo_id = ""
        self._begun_bytes = 0  # of a file that holds no batch yet
        with failing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.mended: list[Mended] = mend(folder)

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

        Where an earlier answer of the page holds the same body, or the server said so (304),
        a revisit is written and the place is the earlier one.
        """
        if not exchanges:
            return []
        file = self._open()
        try:
            return self._write(file, exchanges)
        except ArchiveFullError:
            # The system limits how large a file may be (`ulimit -f`). Where the file has nothing but
            # this batch to hold, another is no better.
            if not file.outgrown or file.size == self._begun_bytes:
                raise
        self.close()
        return self._write(self._open(), exchanges)

    def _write(self, file: WarcFile, exchanges: Sequence[Exchange]) -> list[ArchivePlace]:
        pieces: list[bytes] = []
        places: list[ArchivePlace] = []
        at = file.size
        for exchange in exchanges:
            repeat = self._repeat(exchange)
            records = exchange_records(exchange.fetched, repeat, self._warcinfo_id)
            own = [pack(record) for record in records]
            place = ArchivePlace(file.path.name, at, len(own[0]))
            places.append(exchange.earlier if repeat and exchange.earlier else place)
            pieces += own
            at += sum(map(len, own))
        file.append(b"".join(pieces))
        return places

    def read(self, place: ArchivePlace) -> Archived:
        """The answer at a place; `ArchiveError` where there is none."""
        return read_record(self.folder, place)

    def forget(self, gone: Gone) -> Iterator[Rewritten]:
        """Remove all records of the pages whose URL this says; see `forget.py`."""
        self.close()
        yield from forget(self.folder, gone)

    def unfinished(self) -> Iterator[Rewritten]:
        """Moves of the last `forget` that a crash kept from the frontier; see `forget.py`."""
        yield from unfinished_moves(self.folder)

    def close(self) -> None:
        """End the file; a further batch begins another."""
        if self._file:
            self._file.close()
            self._file = None

    def _repeat(self, exchange: Exchange) -> Repeat | None:
        if exchange.earlier is None:
            return None
        try:
            earlier = self.read(exchange.earlier)
        except ArchiveError:
            return None  # gone or damaged: then this answer is kept whole
        return repeat_of(exchange.fetched, earlier)

    def _open(self) -> WarcFile:
        full = self._file and self._file.size >= self._settings.max_file_bytes
        if full or (self._file and not self._file.usable):
            self.close()
        if self._file is None:
            self._file = self._begun(self._new_file())
        return self._file

    def _new_file(self) -> WarcFile:
        for _ in range(_MOST_NAMES):
            self._number += 1
            path = self.folder / file_name(self._now(), self._node, self._number)
            with failing(path), suppress(FileExistsError):
                return WarcFile(path)
        raise ArchiveError(f"{self.folder} has no free name left for a file: {path.name} exists.")

    def _begun(self, file: WarcFile) -> WarcFile:
        software = f"gossamer/{gossamer.__version__}"
        self._warcinfo_id, record = warcinfo(
            file.path.name, software, self._agent, self._node, self._now()
        )
        try:
            file.append(pack(record))
            sync_folder(self.folder)
        except ArchiveError:
            file.discard()
            raise
        self._begun_bytes = file.size
        return file
