"""Pages from this machine, for `gossamer extract`: files, folders, standard input, WARC files.

Everything comes out as pages, one after the other; nothing is held but the page at hand. What
cannot be read is an input too, with the reason: the others go on.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote

from gossamer.reading.warc_records import (
    MOST_BYTES,
    BrokenPart,
    WarcPage,
    is_archive_head,
    read_warc,
    why_no_pages,
)
from gossamer.transform.iris import join

STANDARD_INPUT: Final = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """One page as it was found, or why there is none."""

    name: str  # for people: a file name, or an address and the WARC it came from
    url: str
    body: bytes = b""
    content_type: str | None = None
    content_encoding: str = ""
    file: str | None = None  # the WARC file it came from
    offset: int | None = None  # where its record begins there
    through: float | None = None  # which part of that file lies behind, from 0 to 1
    problem: str | None = None  # why it cannot be read, or not to its end
    robots_tag: str = ""  # the header X-Robots-Tag
    place: str = ""  # in the archive of a data folder


Heard = Callable[[str, int], object]


def read_inputs(
    name: str,
    *,
    url: str | None = None,
    media_type: str | None = None,
    start: int = 0,
    heard: Heard = lambda _url, _status: None,
) -> Iterator[Input]:
    """The pages of a file, a folder, a WARC file or `-`, in order.

    `url` names the page; to the files of a folder it is the address of that folder. `start`
    is where to begin in a WARC file. `heard` is told how each address was answered there, errors too.
    """
    path = Path(name)
    if name == STANDARD_INPUT:
        yield _page("standard input", url or "file:///dev/stdin", sys.stdin.buffer, media_type)
    elif path.is_dir():
        for each in sorted(each for each in path.rglob("*") if not each.is_dir()):
            below = quote(each.relative_to(path).as_posix())
            own = None if url is None else join(url if url.endswith("/") else f"{url}/", below)
            yield from _file(each, own, media_type, 0, heard)
    else:
        yield from _file(path, url, media_type, start, heard)


def is_archive(path: Path) -> bool:
    """Whether a file is an archive of pages, packed or not, whatever its name."""
    try:
        with path.open("rb") as file:
            return is_archive_head(file.read(1024))
    except OSError:
        return False


def _file(
    path: Path, url: str | None, media_type: str | None, start: int, heard: Heard
) -> Iterator[Input]:
    name, own = str(path), url or path.absolute().as_uri()
    if not path.exists():
        yield Input(name, own, problem="There is no such file or folder.")
    elif not path.is_file():
        yield Input(name, own, problem="It is no ordinary file.")
    elif is_archive(path):
        yield from _warc_pages(path, start, heard)
    else:
        try:
            with path.open("rb") as file:
                yield _page(name, own, file, media_type)
        except OSError as error:
            yield Input(name, own, problem=f"It cannot be read: {error.strerror}.")


def _page(name: str, url: str, file: IO[bytes], media_type: str | None) -> Input:
    body = file.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        return Input(
            name, url, problem=f"It is longer than {MOST_BYTES:,} bytes, which is no page."
        )
    return Input(name, url, body, media_type)


def _warc_pages(path: Path, start: int, heard: Heard) -> Iterator[Input]:
    size = max(path.stat().st_size, 1)
    try:
        with path.open("rb") as file:
            if (why := why_no_pages(file)) is not None:
                yield Input(str(path), path.absolute().as_uri(), file=str(path), problem=why)
                return
            for found in read_warc(file, start):
                if isinstance(found, BrokenPart):
                    yield _damage(path, found)
                    continue
                if found.status is not None:
                    heard(found.url, found.status)
                if found.is_content:
                    yield _warc_page(found, path, size)
    except OSError as error:
        yield _damage(path, BrokenPart(start, str(error)))


def _damage(path: Path, part: BrokenPart) -> Input:
    why = f"The file is damaged behind the record at byte {part.after}: {part.why}."
    uri = path.absolute().as_uri()
    return Input(str(path), uri, file=str(path), offset=part.after, problem=why)


def _warc_page(page: WarcPage, path: Path, size: int) -> Input:
    return Input(
        name=f"{page.url} ({path.name})",
        url=page.url,
        body=page.body,
        content_type=page.content_type,
        content_encoding=page.content_encoding,
        file=str(path),
        offset=page.offset,
        through=page.offset / size,
        problem=page.problem,
        robots_tag=page.robots_tag,
    )
