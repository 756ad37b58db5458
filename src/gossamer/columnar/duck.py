"""Questions to columns in SQL, by DuckDB: the views `quads`, `pages` and `latest`, and nothing else.

A question reads, within the files that were named: nothing can be written, and no other file or address opened.
`latest` has the statements of the last capture of each page, where one was archived more than once.
"""

import atexit
import gc
import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from types import MappingProxyType
from typing import Any, Final

from gossamer.columnar.pair_files import PAGES, QUADS
from gossamer.errors import InputError
from gossamer.sparql.example_queries import Example
from gossamer.tables.needs import needed

ROWS_AT_ONCE: Final = 2_048
_PARQUET: Final = b"PAR1"

SQL_EXAMPLES: Final = MappingProxyType(
    {
        "types-by-host": Example(
            "which types of entities a host's pages have",
            """SELECT host, object AS type, count(DISTINCT subject) AS things, count(DISTINCT page) AS pages
FROM latest
WHERE predicate = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
GROUP BY ALL ORDER BY things DESC, host, type LIMIT 50""",
        ),
        "properties-by-type": Example(
            "which properties entities of a type have, and how many of them",
            """SELECT t.object AS type, q.predicate AS property, count(DISTINCT q.subject) AS things
FROM latest q JOIN latest t USING (subject, page)
WHERE t.predicate = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type' AND q.predicate <> t.predicate
GROUP BY ALL ORDER BY type, things DESC, property LIMIT 100""",
        ),
        "prices-over-time": Example(
            "the price of each offer at each capture of its page",
            """SELECT q.page, price.fetched, name.object AS name, try_cast(price.object AS DECIMAL(18, 2)) AS price
FROM quads q
JOIN quads price ON price.subject = q.object AND price.page = q.page AND price.fetched = q.fetched
  AND price.predicate = 'http://schema.org/price'
LEFT JOIN quads name ON name.subject = q.subject AND name.page = q.page AND name.fetched = q.fetched
  AND name.predicate = 'http://schema.org/name'
WHERE q.predicate = 'http://schema.org/offers'
ORDER BY q.page, price.fetched LIMIT 100""",
        ),
        "syntaxes": Example(
            "how many pages and statements there are in each syntax",
            """SELECT syntax, count(*) AS statements, count(DISTINCT page) AS pages
FROM latest GROUP BY ALL ORDER BY statements DESC""",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class ColumnFiles:
    """The Parquet files of a question."""

    quads: tuple[str, ...]
    pages: tuple[str, ...] = ()


def find_columns(names: Sequence[str]) -> ColumnFiles:
    """The files that names, patterns and folders of columns mean; raises `InputError` where there are none."""
    quads: dict[str, None] = {}
    pages: dict[str, None] = {}
    for name in names:
        for path in _files(name):
            columns = set(_schema(path))
            if {"subject", "predicate", "object"} <= columns:
                quads[str(path.absolute())] = None
            elif {"url", "digest"} <= columns:
                pages[str(path.absolute())] = None
            else:
                raise InputError(f"{path} has no columns of ours: neither statements nor pages.")
    if not quads:
        raise InputError(
            f"There are no statements in {', '.join(names)}. `gossamer extract WARC… --to parquet -o DIR` makes them."
        )
    return ColumnFiles(tuple(quads), tuple(pages))


def is_columns(name: str) -> bool:
    """Whether a name means Parquet files, or a folder of columns."""
    path = Path(name)
    if path.is_dir():
        return next((path / QUADS).rglob("*.parquet"), None) is not None
    if path.is_file():
        with path.open("rb") as file:
            return file.read(4) == _PARQUET
    return name.endswith(".parquet")


class ColumnStore:
    """Columns that are open for questions. Use it in a `with` block."""

    def __init__(self, files: ColumnFiles) -> None:
        self._duck: Any = needed("duckdb")
        # Its library counts what is left at the end, and what is frozen counts as left.
        atexit.unregister(gc.freeze)
        self.connection: Any = self._duck.connect()
        run = self.connection.execute
        run("SET TimeZone = 'UTC'")
        run(f"SET allowed_paths = {_list((*files.quads, *files.pages))}")
        run(_VIEW.format(name=QUADS, files=_list(files.quads)))
        if files.pages:
            run(_VIEW.format(name=PAGES, files=_list(files.pages)))
        run(_LATEST_BY_PAGES if files.pages else _LATEST_BY_QUADS)
        run("SET enable_external_access = false")
        run("SET lock_configuration = true")

    def __enter__(self) -> "ColumnStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def ask(
        self, sql: str, *, limit: int | None = None, seconds: float | None = None
    ) -> "ColumnAnswer":
        """The answer to a question; raises `InputError` where it is none, or takes too long."""
        clock = Timer(seconds or 0, self.connection.interrupt)
        clock.daemon = True
        try:
            statements = self._duck.extract_statements(sql)
            if len(statements) != 1 or statements[0].type != self._duck.StatementType.SELECT:
                raise InputError(
                    "One question is asked at a time: a SELECT (or FROM…), which changes nothing."
                )
            wanted = statements[0].query.rstrip().rstrip(";")
            text = wanted if limit is None else _CUT.format(wanted=wanted, most=limit + 1)
            if seconds is not None:
                clock.start()
            reader = self.connection.sql(text).to_arrow_reader(ROWS_AT_ONCE)
        except BaseException as error:
            clock.cancel()
            if isinstance(error, self._duck.InterruptException):
                raise _too_long(seconds) from None
            if isinstance(error, RuntimeError) and "interrupted" in str(error).lower():
                raise KeyboardInterrupt from None  # Ctrl-C, as DuckDB tells it
            if isinstance(error, self._duck.Error):
                raise InputError(f"The question cannot be answered: {_first_line(error)}") from None
            raise
        return ColumnAnswer(reader, self._duck, clock, limit, seconds)


class ColumnAnswer:
    """Rows, as they come."""

    def __init__(
        self,
        reader: Any,  # noqa: ANN401 (Arrow's)
        duck: Any,  # noqa: ANN401 (the module)
        clock: Timer,
        limit: int | None,
        seconds: float | None,
    ) -> None:
        self._reader, self._duck, self._clock = reader, duck, clock
        self._limit, self._seconds = limit, seconds
        self.columns: list[str] = list(reader.schema.names)
        self.is_cut = False
        self.rows = 0

    def __iter__(self) -> Iterator[list[Any]]:
        try:
            for batch in self._reader:
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    if self.rows == self._limit:
                        self.is_cut = True
                        return
                    self.rows += 1
                    yield list(row)
        except self._duck.InterruptException:
            raise _too_long(self._seconds) from None
        except (self._duck.Error, OSError, ValueError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "interrupted" in str(error).lower():
                raise KeyboardInterrupt from None
            if "INTERRUPT" in str(error):
                raise _too_long(self._seconds) from None
            raise InputError(f"The question cannot be answered: {_first_line(error)}") from None
        finally:
            self._clock.cancel()


_VIEW: Final = "CREATE VIEW {name} AS SELECT * FROM read_parquet({files}, union_by_name = true, hive_partitioning = false)"
_CUT: Final = "SELECT * FROM ({wanted}\n) LIMIT {most}"
_LATEST: Final = """
CREATE VIEW latest AS SELECT quads.* FROM quads
SEMI JOIN ({captures}) last ON quads.page = last.page AND quads.fetched IS NOT DISTINCT FROM last.fetched
"""
# A capture that says nothing any more counts too; an error page does not.
_LATEST_BY_PAGES: Final = _LATEST.format(
    captures="SELECT url AS page, max(fetched) AS fetched FROM pages "
    "WHERE status IS NULL OR status BETWEEN 200 AND 299 GROUP BY url"
)
_LATEST_BY_QUADS: Final = _LATEST.format(
    captures="SELECT page, max(fetched) AS fetched FROM quads GROUP BY page"
)


def _files(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        inside = [path / each for each in (QUADS, PAGES) if (path / each).is_dir()] or [path]
        below = ((folder, each) for folder in inside for each in sorted(folder.rglob("*.parquet")))
        return [each for folder, each in below if _counts(each.relative_to(folder))]
    if path.is_file():
        return [path]
    found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 (absolute patterns too)
    if not found:
        raise InputError(f"There is no file or folder {name}.")
    return [each for one in found for each in _files(one)]


def _counts(path: Path) -> bool:
    """Whether a file is none that somebody is still writing."""
    return not any(part.startswith((".", "_")) for part in path.parts)


def _schema(path: Path) -> list[str]:
    try:
        names: list[str] = needed("pyarrow.parquet").read_schema(path).names
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as Parquet: {_first_line(error)}") from None
    return names


def _list(paths: Sequence[str]) -> str:
    quoted = ("'" + path.replace("'", "''") + "'" for path in paths)
    return f"[{', '.join(quoted)}]"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _too_long(seconds: float | None) -> InputError:
    return InputError(f"The question took longer than {seconds or 0:g} s (--timeout).")
