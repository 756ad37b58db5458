"""What the pages of an archive say, as rows: one function for every engine.

`read_archive` takes an open file, so that it makes no difference who opened it. Each page is read by a worker process that
can be killed; one that costs too much, or brings its worker down, is a row with a problem.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import IO, Any, Final, NamedTuple

from gossamer.config import Transform
from gossamer.model import Detection
from gossamer.reading.jobs import Extracted, PageJob, Share
from gossamer.reading.page_pool import JOBS, extract_pages
from gossamer.reading.warc_records import BrokenPart, WarcPage, read_warc
from gossamer.tables.quads import Row, host_column, node_name, object_columns
from gossamer.transform.iris import mended

PAGE_COLUMNS: Final = (
    *("url", "host", "fetched", "status", "media_type", "digest", "languages", "syntaxes"),
    *("quads", "problems", "file", "offset"),
)
MOST_PROBLEMS: Final = 100  # of one page
MOST_LANGUAGES: Final = 10
TRIES_AGAIN: Final = 5  # where workers are killed: nobody comes back to a page of an archive

ProblemRow = dict[str, Any]  # syntax, message, line


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How pages are read, and what becomes rows."""

    transform: Transform = field(default_factory=Transform)
    contexts: Mapping[str, bytes] = field(default_factory=dict)
    page_statements: bool = False  # title, images, language: of nearly every page there are some

    @property
    def template(self) -> PageJob:
        """A job that lacks nothing but its page."""
        # No service is asked: a job may run on machines that are not to send anything.
        return PageJob(
            "",
            b"",
            contexts=self.contexts,
            options=self.transform,
            find_links=False,
            tells_shares=True,
            tells_languages=True,
            page_statements=self.page_statements,
        )

    def pack(self) -> bytes:
        """Bytes that carry the options to another process."""
        return JOBS.dumps(self.template)

    @classmethod
    def unpack(cls, packed: bytes) -> "ReadOptions":
        """Read options that `pack` wrote."""
        job = JOBS.loads(packed)
        return cls(
            transform=job.options, contexts=job.contexts, page_statements=job.page_statements
        )


class ArchivedPageRow(NamedTuple):
    """A page, in the order of `PAGE_COLUMNS`."""

    url: str
    host: str | None
    fetched: datetime | None
    status: int | None
    media_type: str | None
    digest: str
    languages: list[str]
    syntaxes: dict[str, int]  # statements by syntax
    quads: int
    problems: list[ProblemRow]
    file: str
    offset: int


class PageRows(NamedTuple):
    """A page as a row, and what it says."""

    row: ArchivedPageRow
    nquads: bytes = b""
    shares: tuple[Share, ...] = ()


def read_archive(
    file: IO[bytes],
    name: str,
    options: ReadOptions,
    *,
    start: int = 0,
    end: int | None = None,
    workers: int | None = None,
) -> Iterator[PageRows | BrokenPart]:
    """The pages of a WARC file, or of a range of its records, in order; and where it is broken."""
    found: deque[WarcPage | BrokenPart] = (
        deque()
    )  # what was read of the file, and not yet handed on
    template = options.template

    def jobs() -> Iterator[PageJob]:
        for each in read_warc(file, start, end):
            if not isinstance(each, WarcPage):
                found.append(each)
                continue
            found.append(replace(each, body=b""))
            if _is_read(each):
                yield replace(
                    template,
                    url=each.url,
                    body=each.body,
                    content_type=each.content_type,
                    content_encoding=each.content_encoding,
                )

    for _, extracted in extract_pages(
        jobs(), options.transform, workers=workers, tries_again=TRIES_AGAIN
    ):
        while not (isinstance(found[0], WarcPage) and _is_read(found[0])):
            yield _unread(found.popleft(), name)
        page = found.popleft()
        assert isinstance(page, WarcPage)
        yield _read(page, extracted, name)
    for rest in found:
        yield _unread(rest, name)


def quad_rows(page: PageRows) -> Iterator[Row]:
    """The statements of a page, in the order of `tables.quads.COLUMNS`."""
    import pyoxigraph  # 11 MB: on request

    if not page.nquads:
        return
    row = page.row
    syntaxes = (share.syntax for share in page.shares for _ in range(share.quads))
    quads = pyoxigraph.parse(page.nquads, pyoxigraph.RdfFormat.N_QUADS)
    for quad in quads:
        graph = quad.graph_name
        yield (
            node_name(quad.subject),
            quad.predicate.value,
            *object_columns(quad.object),
            graph.value if isinstance(graph, pyoxigraph.NamedNode) else None,
            row.url,
            row.host,
            next(syntaxes, None),
            row.fetched,
            row.status,
        )


def _is_read(page: WarcPage) -> bool:
    return page.is_content and (bool(page.body) or page.problem is None)


def _unread(found: WarcPage | BrokenPart, name: str) -> PageRows | BrokenPart:
    if isinstance(found, BrokenPart):
        return found
    return PageRows(_row(found, name))


def _read(page: WarcPage, extracted: Extracted, name: str) -> PageRows:
    counts: dict[str, int] = {}
    for share in extracted.shares:
        counts[share.syntax] = counts.get(share.syntax, 0) + share.quads
    row = _row(
        page,
        name,
        media_type=_media_type(extracted.detection) or _plain_type(page.content_type),
        languages=extracted.languages,
        syntaxes=counts,
        quads=extracted.count,
        problems=[
            {"syntax": each.syntax, "message": each.message, "line": each.line}
            for each in extracted.problems[:MOST_PROBLEMS]
        ],
    )
    return PageRows(row, extracted.nquads, extracted.shares)


def _row(
    page: WarcPage,
    name: str,
    *,
    media_type: str | None = None,
    languages: tuple[str, ...] = (),
    syntaxes: dict[str, int] | None = None,
    quads: int = 0,
    problems: list[ProblemRow] | None = None,
) -> ArchivedPageRow:
    url = mended(page.url.partition("#")[0]) or page.url
    told = [each.strip().lower() for each in page.languages.split(",")]
    own = [] if page.problem is None else [{"syntax": None, "message": page.problem, "line": None}]
    return ArchivedPageRow(
        url=url,
        host=host_column(url),
        fetched=page.fetched_at,
        status=page.status,
        media_type=media_type or _plain_type(page.content_type),
        digest=page.digest,
        languages=list(dict.fromkeys([*languages, *filter(None, told)]))[:MOST_LANGUAGES],
        syntaxes=syntaxes or {},
        quads=quads,
        problems=[*own, *(problems or [])],
        file=name,
        offset=page.offset,
    )


def _media_type(detection: Detection) -> str:
    return detection.media_type.partition(";")[0].strip().lower()


def _plain_type(content_type: str | None) -> str | None:
    return (content_type or "").partition(";")[0].strip().lower() or None
