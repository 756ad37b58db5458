"""Records that refer to an answer which is to be forgotten: they get its body before it goes.

An answer may leave out its body because another page's has it (`equal_bodies.py`). Before that page is forgotten,
the files with such records are written anew: a record that left out its body becomes a whole answer, and one that
says "not modified" refers to the page's own. Nothing in them names the other page afterwards.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gossamer.archive.cdxj import IndexEntry
from gossamer.archive.exchange import ArchivePlace, Profile
from gossamer.archive.files import archive_files, failing, open_file, sync_folder
from gossamer.archive.folders import look_for_file, present_folders
from gossamer.archive.forget import (
    DRAFT,
    Gone,
    Rewritten,
    beside,
    drop_moves,
    keep_moves,
    next_name,
)
from gossamer.archive.index import answers, answers_of, drop_index
from gossamer.archive.record import Damage, Member, Record, composed, members, pack, unpack
from gossamer.model import Url

_OF_REVISITS: Final = (
    "WARC-Profile",
    "WARC-Refers-To",
    "WARC-Refers-To-Target-URI",
    "WARC-Refers-To-Date",
)
_ADDED: Final = ("warc-block-digest", "content-length")  # by `composed`
_NAMES: Final = {
    name.lower(): name
    for name in (
        *("WARC-Type", "WARC-Record-ID", "WARC-Date", "WARC-Warcinfo-ID", "WARC-Target-URI"),
        *("WARC-IP-Address", "WARC-Protocol", "WARC-Payload-Digest", "Content-Type"),
        *_OF_REVISITS,
    )
}
Named = tuple[str, str]
"""An answer by its URL and moment, as records have them."""


@dataclass(frozen=True, slots=True)
class Orphans:
    """Which records are to be written anew, and the answers that they refer to."""

    files: frozenset[str]  # that hold such records
    bodies: dict[Named, ArchivePlace]  # of answers that go, as files are written anew
    whole: dict[str, Record]  # the last whole answer of pages that were given one, by URL

    @classmethod
    def find(cls, archive: Path, gone: Gone) -> "Orphans":
        """The records of other pages that refer to pages which go."""
        places: dict[Named, ArchivePlace] = {}
        found: list[IndexEntry] = []
        for each in answers(archive):
            if gone(each.url):
                if each.refers is None:
                    places[each.url, _moment(each.at.isoformat())] = each.place
            elif each.refers is not None and gone(each.refers[0]):
                found.append(each)
        return cls(frozenset(each.place.file for each in found), places, {})


def adopt(archive: Path, gone: Gone) -> Iterator[Rewritten]:
    """Write every file anew that holds such records, one at a time; as for `forget`."""
    orphans = Orphans.find(archive, gone)
    if not orphans.files:
        return
    for folder in present_folders(archive):
        for path in archive_files(folder):
            if path.name in orphans.files:
                new = next_name(path)
                rewritten = _rewrite(archive, path, new, gone, orphans)
                yield rewritten
                drop_moves(new)
                for named, place in orphans.bodies.items():
                    orphans.bodies[named] = rewritten.moved.get(place, place)


def _rewrite(archive: Path, old: Path, new: Path, gone: Gone, orphans: Orphans) -> Rewritten:
    """Write a file anew with whole answers in place of orphans."""
    moved: dict[ArchivePlace, ArchivePlace] = {}
    adopted: dict[ArchivePlace, ArchivePlace] = {}
    unreadable = 0
    with failing(new):
        with open_file(old, os.O_RDONLY) as fd, beside(new, DRAFT).open("wb") as draft:
            for each in members(fd):
                if isinstance(each, Damage):
                    unreadable += each.end - each.offset
                    continue
                place = ArchivePlace(old.name, each.offset, each.length)
                start = draft.tell()
                packed = _read(old, each)
                if _is_orphan(each.record, gone):
                    adopting = _adopted(archive, each.record, orphans)
                    if adopting is None:
                        continue
                    record, body_at = adopting
                    packed = pack(record)
                    if body_at is not None:
                        adopted[body_at] = ArchivePlace(new.name, start, len(packed))
                        whole = unpack(packed)
                        assert whole is not None
                        orphans.whole[each.record.url or ""] = whole
                draft.write(packed)
                if each.record.kind in ("response", "revisit"):
                    moved[place] = ArchivePlace(new.name, start, len(packed))
            draft.flush()
            os.fsync(draft.fileno())
        rewritten = Rewritten(old.name, 0, moved, unreadable, adopted)
        keep_moves(new, rewritten)
        beside(new, DRAFT).rename(new)
        sync_folder(new.parent)
        drop_index(old)
        old.unlink()
        sync_folder(old.parent)
    return rewritten


def _read(path: Path, member: Member) -> bytes:
    with path.open("rb") as file:
        file.seek(member.offset)
        return file.read(member.length)


def _is_orphan(record: Record, gone: Gone) -> bool:
    if record.kind != "revisit" or record.url is None or gone(record.url):
        return False
    return gone(record.fields.get("warc-refers-to-target-uri", ""))


def _adopted(
    archive: Path, record: Record, orphans: Orphans
) -> tuple[bytes, ArchivePlace | None] | None:
    """An orphan as a record of its own, and where its body was; None where that is nowhere."""
    fields = record.fields
    if fields.get("warc-profile") == Profile.NOT_MODIFIED:
        whole = orphans.whole.get(record.url or "") or _last_whole(archive, record.url or "")
        if whole is None:
            return None
        refers = {
            "warc-refers-to": whole.record_id,
            "warc-refers-to-target-uri": record.url or "",
            "warc-refers-to-date": whole.fields["warc-date"],
        }
        return composed(_named({**fields, **refers}), record.block), None
    named = fields["warc-refers-to-target-uri"], _moment(fields["warc-refers-to-date"])
    place = orphans.bodies.get(named)
    earlier = None if place is None else _record_at(archive, place)
    if place is None or earlier is None:
        return None
    body = earlier.block.partition(b"\r\n\r\n")[2]
    kept = {name: value for name, value in fields.items() if _NAMES.get(name) not in _OF_REVISITS}
    return composed(_named({**kept, "warc-type": "response"}), record.block + body), place


def _last_whole(archive: Path, url: str) -> Record | None:
    """The last whole answer of a page, where a `forget` that was interrupted has made one."""
    places = [
        each.place
        for each in answers_of(archive, Url(url))
        if each.refers is None and 200 <= each.status < 300
    ]
    return _record_at(archive, places[-1]) if places else None


def _record_at(archive: Path, place: ArchivePlace) -> Record | None:
    path = look_for_file(archive, place.file)
    with path.open("rb") as file:
        file.seek(place.offset)
        return unpack(file.read(place.length))


def _named(fields: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    return [(_NAMES.get(name, name), value) for name, value in fields.items() if name not in _ADDED]


def _moment(written: str) -> str:
    """A moment as `IndexEntry` and records have it, in one form."""
    return datetime.fromisoformat(written).astimezone(UTC).isoformat(timespec="microseconds")
