"""`report.db`: findings and facts of each page, in an SQLite file. A copy of what pages and the archive say: it can be deleted.

One page, one transaction or part of one: who dies in between finds the page as it was before, or not at all.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import apsw

from gossamer.errors import DataFolderError
from gossamer.freshness.templates import template
from gossamer.frontier.sqlite import sqlite_errors, transaction
from gossamer.report.finding import FactKind, Finding, PageFact, Severity
from gossamer.report.trend import MOST_RUNS, ReportRun

MARK: Final = 0x476F7352  # "GosR": tells our files from other SQLite files
VERSION: Final = 1
BUSY_MS: Final = 10_000
PACKING: Final = 1  # of zlib
NOTHING: Final = zlib.compress(b"[]", PACKING)
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "cache_size = -16384",
    f"journal_size_limit = {16 * 1024 * 1024}",
    "temp_store = MEMORY",
)
_SCHEMA: Final = (
    """CREATE TABLE pages (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,
        host TEXT NOT NULL,
        template TEXT NOT NULL,
        place TEXT NOT NULL,
        mark TEXT NOT NULL,
        findings BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX pages_of_host ON pages (host, template)",
    """CREATE TABLE facts (
        page INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        value TEXT NOT NULL,
        more TEXT NOT NULL,
        line INTEGER
    ) STRICT""",
    "CREATE INDEX facts_of_page ON facts (page)",
    "CREATE INDEX facts_by_value ON facts (kind, value)",
    "CREATE INDEX facts_by_subject ON facts (kind, subject)",
    # How addresses were answered, pages or not.
    "CREATE TABLE answers (url TEXT PRIMARY KEY, host TEXT NOT NULL, status INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX answers_of_host ON answers (host)",
    "CREATE TABLE listed (url TEXT NOT NULL, sitemap TEXT NOT NULL, PRIMARY KEY (url, sitemap)) STRICT, WITHOUT ROWID",
    "CREATE TABLE robots (origin TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE site_findings (host TEXT NOT NULL, finding TEXT NOT NULL) STRICT",
    "CREATE TABLE runs (at TEXT PRIMARY KEY, host TEXT NOT NULL, run TEXT NOT NULL) STRICT",
    "CREATE TABLE facts_of_file (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)
STALE: Final = "site findings are stale"


class CheckedPage(NamedTuple):
    """A page that was read and checked."""

    url: str
    findings: Sequence[Finding]
    facts: Sequence[PageFact]
    place: str = ""  # in the archive
    mark: str = ""  # what it was checked with


class ReportStore:
    """Findings and facts of pages. For one thread at a time."""

    def __init__(self, path: Path, database: apsw.Connection) -> None:
        self._path = path
        self._database = database

    @classmethod
    def open(cls, path: Path) -> "ReportStore":
        """Open this file, made where there is none."""
        with sqlite_errors(path):
            database = apsw.Connection(str(path))
            try:
                database.set_busy_timeout(BUSY_MS)
                _prepare(database, path)
            except BaseException:
                database.close()
                raise
        return cls(path, database)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    # ---- what is kept

    def take(self, pages: Iterable[CheckedPage]) -> None:
        """Keep pages, each instead of what was kept of it."""
        with sqlite_errors(self._path), transaction(self._database):
            for page in pages:
                self._drop(page.url)
                self._insert(page)
            self._note(STALE, "1")

    def answered(self, answers: Iterable[tuple[str, int]]) -> None:
        """Keep how addresses were answered."""
        rows = ((url, host_in(url), status) for url, status in answers)
        with sqlite_errors(self._path), transaction(self._database):
            self._database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            self._note(STALE, "1")

    def lists(self, sitemap: str, urls: Iterable[str]) -> None:
        """Keep what a sitemap lists."""
        with sqlite_errors(self._path), transaction(self._database):
            self._database.executemany(
                "INSERT OR IGNORE INTO listed VALUES (?, ?)", ((url, sitemap) for url in urls)
            )
            self._note(STALE, "1")

    def keep_robots(self, origin: str, body: bytes) -> None:
        """Keep the robots.txt of an origin."""
        with sqlite_errors(self._path), transaction(self._database):
            self._database.execute("INSERT OR REPLACE INTO robots VALUES (?, ?)", (origin, body))
            self._note(STALE, "1")

    def keep_site_findings(self, findings: Iterable[Finding]) -> None:
        """Keep what was found by looking at all pages, instead of what was before."""
        rows = ((host_in(each.page), _json(_record(each))) for each in findings)
        with sqlite_errors(self._path), transaction(self._database):
            self._database.execute("DELETE FROM site_findings")
            self._database.executemany("INSERT INTO site_findings VALUES (?, ?)", rows)
            self._note(STALE, "")

    def keep_run(self, run: ReportRun, host: str = "") -> None:
        """Keep how a report ended, for the trend."""
        at = run.at.isoformat(timespec="microseconds")
        with sqlite_errors(self._path), transaction(self._database):
            self._database.execute(
                "INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", (at, host, _json(run.record()))
            )

    def drop(self, urls: Iterable[str]) -> None:
        """Remove pages that are gone."""
        with sqlite_errors(self._path), transaction(self._database):
            for url in urls:
                self._drop(url)
            self._note(STALE, "1")

    def forget(self, *, host: str | None = None, page: str | None = None) -> int:
        """Remove all that is known of a host's pages, or of one; how many rows. Then `compact`."""
        column, value = ("host", host) if page is None else ("url", page)
        urls = [url for (url,) in self._rows(f"SELECT url FROM pages WHERE {column} = ?", value)]
        self.drop(urls)
        with sqlite_errors(self._path), transaction(self._database):
            self._database.execute(f"DELETE FROM answers WHERE {column} = ?", (value,))
            gone = self._database.changes()
            if page is None:
                starts = (
                    f"http://{host}/",
                    f"https://{host}/",
                    f"http://{host}:",
                    f"https://{host}:",
                )
                for start in starts:
                    end = start[:-1] + chr(ord(start[-1]) + 1)
                    for table, name in (("listed", "url"), ("listed", "sitemap")):
                        self._database.execute(
                            f"DELETE FROM {table} WHERE {name} >= ? AND {name} < ?", (start, end)
                        )
                for (origin,) in self._rows("SELECT origin FROM robots"):
                    if host_in(origin) == host:
                        self._database.execute("DELETE FROM robots WHERE origin = ?", (origin,))
            else:
                self._database.execute("DELETE FROM listed WHERE url = ?", (page,))
            # Pages of others may be told of it there; they are compared again.
            self._database.execute("DELETE FROM site_findings")
            self._database.execute("DELETE FROM runs WHERE host = ?", (host or "",))
        return len(urls) + gone

    def compact(self) -> None:
        """Write the file anew, so that nothing that was removed stays in it."""
        with sqlite_errors(self._path):
            self._database.execute("VACUUM")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # ---- what is read

    @property
    def is_stale(self) -> bool:
        """Whether pages have come since they were compared."""
        return bool(self._rows("SELECT 1 FROM facts_of_file WHERE name = ? AND value = '1'", STALE))

    @property
    def count(self) -> int:
        """How many pages there are."""
        return int(self._rows("SELECT count(*) FROM pages")[0][0])

    def is_known(self, url: str, place: str, mark: str) -> bool:
        """Whether this state of a page was checked with this already."""
        return bool(
            self._rows(
                "SELECT 1 FROM pages WHERE url = ? AND place = ? AND mark = ?", url, place, mark
            )
        )

    def urls(self) -> Iterator[str]:
        """The addresses of all pages, in order."""
        for (url,) in self.rows("SELECT url FROM pages ORDER BY url"):
            yield url

    def unanswered(self, most: int) -> list[str]:
        """Addresses of pictures, breadcrumbs and `sameAs` of which nobody knows how they are answered."""
        query = """SELECT DISTINCT a FROM (
                SELECT CASE kind WHEN ?1 THEN more ELSE value END AS a FROM facts WHERE kind IN (?1, ?2, ?3)
            ) WHERE a LIKE 'http%' AND a NOT IN (SELECT url FROM answers)
            AND a NOT IN (SELECT url FROM pages) ORDER BY a LIMIT ?4"""
        kinds = FactKind.SAME_AS.value, FactKind.IMAGE.value, FactKind.CRUMB.value
        return [address for (address,) in self._rows(query, *kinds, most)]

    def hosts(self) -> Sequence[tuple[str, int]]:
        """Hosts with their numbers of pages, the most first."""
        return [
            (str(host), int(count))
            for host, count in self._rows(
                "SELECT host, count(*) FROM pages GROUP BY host ORDER BY 2 DESC, 1"
            )
        ]

    def pages(
        self, host: str | None = None
    ) -> Iterator[tuple[str, list[Finding], dict[str, list[str]]]]:
        """Pages with findings, and the properties of their types, in the order of their addresses."""
        where, given = ("", ()) if host is None else ("WHERE host = ?", (host,))
        query = f"SELECT id, url, findings FROM pages {where} ORDER BY url"
        for number, url, packed in self.rows(query, *given):
            uses = {
                kind: [] if names == "-" else names.split()
                for kind, names in self._rows(
                    "SELECT subject, value FROM facts WHERE page = ? AND kind = ?",
                    number,
                    FactKind.USES.value,
                )
            }
            yield url, _findings(packed), uses

    def site_findings(self, host: str | None = None) -> list[Finding]:
        """What was found by looking at all pages."""
        where, given = ("", ()) if host is None else ("WHERE host = ?", (host,))
        query = f"SELECT finding FROM site_findings {where} ORDER BY rowid"
        return [_finding(json.loads(text)) for (text,) in self.rows(query, *given)]

    def runs(self, host: str = "") -> list[ReportRun]:
        """How earlier reports ended, the last one last."""
        query = "SELECT run FROM runs WHERE host = ? ORDER BY at DESC LIMIT ?"
        rows = self._rows(query, host, MOST_RUNS)
        return [ReportRun.parse(json.loads(text)) for (text,) in reversed(rows)]

    def rows(self, query: str, *given: Any) -> Iterator[Any]:  # noqa: ANN401 (SQLite's values)
        """The rows of a query, as they are found."""
        with sqlite_errors(self._path):
            yield from self._database.execute(query, given)

    def _rows(self, query: str, *given: Any) -> list[Any]:  # noqa: ANN401
        return [*self.rows(query, *given)]

    # ---- one page

    def _insert(self, page: CheckedPage) -> None:
        packed = NOTHING
        if page.findings:
            told = _json([_record(each) for each in page.findings])
            packed = zlib.compress(told.encode(), PACKING)
        self._database.execute(
            "INSERT INTO pages (url, host, template, place, mark, findings) VALUES (?, ?, ?, ?, ?, ?)",
            (
                page.url,
                host_in(page.url),
                template(page.url),
                page.place,
                page.mark,
                packed,
            ),
        )
        number = self._database.last_insert_rowid()
        listed = ((f.value, page.url) for f in page.facts if f.kind is FactKind.LISTED)
        self._database.executemany("INSERT OR IGNORE INTO listed VALUES (?, ?)", listed)
        rows = (
            (number, f.kind.value, f.subject, f.value, f.more, f.line)
            for f in page.facts
            if f.kind is not FactKind.LISTED
        )
        self._database.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _drop(self, url: str) -> None:
        for (number,) in self._rows("SELECT id FROM pages WHERE url = ?", url):
            self._database.execute("DELETE FROM facts WHERE page = ?", (number,))
            self._database.execute("DELETE FROM listed WHERE sitemap = ?", (url,))
            self._database.execute("DELETE FROM pages WHERE id = ?", (number,))

    def _note(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO facts_of_file VALUES (?, ?)", (name, value))


def host_in(url: str) -> str:
    """The host of an address, whoever wrote it; empty where it has none."""
    try:
        return (urlsplit(url).hostname or "").removesuffix(".")
    except ValueError:
        return ""


@contextmanager
def temporary_report() -> Iterator[ReportStore]:
    """A store on disk, for what memory may not have room for; gone when the block ends."""
    with TemporaryDirectory(prefix="gossamer-report-") as folder:
        store = ReportStore.open(Path(folder) / "report.db")
        try:
            yield store
        finally:
            store.close()


def _record(finding: Finding) -> dict[str, object]:
    usual = Finding("")
    return {
        name: value
        for name, value in asdict(finding).items()
        if name != "is_new" and value != getattr(usual, name)
    }


def _findings(packed: bytes) -> list[Finding]:
    return [_finding(each) for each in json.loads(zlib.decompress(packed))]


def _finding(record: dict[str, Any]) -> Finding:
    severity = Severity(record.pop("severity", Severity.WARNING))
    return Finding(**record, severity=severity)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _prepare(database: apsw.Connection, path: Path) -> None:
    version, mark = database.pragma("user_version"), database.pragma("application_id")
    tables = database.execute("SELECT count(*) FROM sqlite_master").get
    if mark != MARK and (version or tables):
        raise DataFolderError(
            f"{path} is no file of Gossamer's. Choose another folder with --data."
        )
    if version > VERSION:
        raise DataFolderError(
            f"{path} was written by a newer Gossamer. Upgrade Gossamer, or delete the file: "
            "`gossamer report` makes it anew."
        )
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    if version == VERSION:
        return
    with transaction(database):
        for statement in _SCHEMA:
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute(f"PRAGMA application_id = {MARK}")
