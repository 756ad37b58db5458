"""Archives of the demo web, and what is in them by the world's own knowledge."""

import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import duckdb
import pyoxigraph as ox
from tests.warcs import Writer
from warcio.statusandheaders import StatusAndHeaders

from gossamer.columnar.job import run_job
from gossamer.columnar.rows import PAGE_COLUMNS, ReadOptions
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World
from gossamer.model import Syntax
from gossamer.tables.quads import COLUMNS

SHOP = b"""<!doctype html><div itemscope itemtype="http://schema.org/Product"><b itemprop=name>%s</b>
<p itemprop=offers itemscope itemtype="http://schema.org/Offer"><i itemprop=price content="%s"></i></p></div>"""
BLANK = re.compile(r"_:\w+")
MOMENT = "2026-01-02T03:04:05.000006Z"
PLAIN = (
    b"<!doctype html><html lang='en-GB'><title>Nothing</title><p>No mark-up at all, %d times.</p>"
)


class Archives(NamedTuple):
    """WARC files, and the statements of each page in them that are no statements about the page itself."""

    paths: list[Path]
    truth: Mapping[str, frozenset[str]]

    @property
    def names(self) -> list[str]:
        return [str(path) for path in self.paths]


def write_archives(
    folder: Path, world: World, files: int, plain: int = 0, sizes: Iterable[int] = ()
) -> Archives:
    """The pages of a world, shared out among files, as another program writes them; and pages without mark-up."""
    folder.mkdir(parents=True, exist_ok=True)
    shares = [*sizes] or [1] * files
    paths = [folder / f"part-{number:02}.warc.gz" for number in range(len(shares))]
    truth: dict[str, frozenset[str]] = {}
    turns = [number for number, share in enumerate(shares) for _ in range(share)]
    outputs = [path.open("wb") for path in paths]
    writers = [Writer(output, gzip=True) for output in outputs]
    for number in range(world.pages):
        page = world.page(number)
        made = rendered(world, page)
        writer = writers[turns[number % len(turns)]]
        _write(writer, page.url, made.body, made.content_type)
        others = [lines for syntax, lines in made.triples.items() if syntax is not Syntax.PAGE]
        said = frozenset().union(*others) if others else frozenset()
        truth[page.url] = masked(said)
    for number in range(plain):
        url = f"http://plain.test/{number}"
        _write(writers[number % len(writers)], url, PLAIN % number, "text/html")
        truth[url] = frozenset()
    for output in outputs:
        output.close()
    return Archives(paths, truth)


def masked(lines: Iterable[str]) -> frozenset[str]:
    """Statements with one form of schema.org and nameless blank nodes."""
    return frozenset(
        BLANK.sub("_:b", line).replace("<https://schema.org/", "<http://schema.org/")
        for line in lines
    )


def ask(query: str) -> list[tuple[Any, ...]]:
    """The answer of another reader of Parquet."""
    found: Any = duckdb.sql(query)
    return [tuple(row.values()) for row in found.to_arrow_table().to_pylist()]


def rows_of(pattern: str | Path, table: str) -> list[tuple[Any, ...]]:
    """All rows of a table in a folder of columns, sorted, whatever else the folder adds as a column."""
    columns = ", ".join(f'"{name}"' for name in (PAGE_COLUMNS if table == "pages" else COLUMNS))
    files = f"{pattern}/{table}/**/*.parquet"
    return sorted(ask(f"SELECT {columns} FROM read_parquet('{files}')"), key=repr)


def said_in(folder: Path) -> dict[str, frozenset[str]]:
    """The statements of each page in a folder of columns, as N-Triples with nameless blank nodes."""
    said: dict[str, set[str]] = {
        url: set() for (url,) in ask(f"SELECT url FROM '{folder}/pages/**/*.parquet'")
    }
    query = f"SELECT page, subject, predicate, object, kind, language, datatype FROM '{folder}/quads/**/*.parquet'"
    for page, subject, predicate, value, kind, language, datatype in ask(query):
        said[page].add(
            f"{_node(subject)} <{predicate}> {_object(value, kind, language, datatype)} ."
        )
    return {page: masked(lines) for page, lines in said.items()}


def _node(name: str) -> str:
    return name if name.startswith("_:") else f"<{name}>"


def _object(value: str, kind: str, language: str | None, datatype: str | None) -> str:
    if kind != "literal":
        return _node(value)
    return str(
        ox.Literal(value, language=language)
        if language
        else ox.Literal(value, datatype=ox.NamedNode(datatype or ""))
    )


def make_shop(folder: Path) -> Path:
    """Columns of a page with a price that was captured three times, at last without one, and of another page."""
    path, url = folder / "shop.warc.gz", "http://shop.test/tea"
    with path.open("wb") as file:
        write_page(file, url, SHOP % (b"Tea", b"3.50"), "2026-01-01T00:00:00Z")
        write_page(file, url, SHOP % (b"Tea", b"4.25"), "2026-02-01T00:00:00Z")
        write_page(file, url, b"<html><p>Sold out", "2026-03-01T00:00:00Z")
        write_page(file, "http://shop.test/mug", SHOP % (b"Mug", b"9"), "2026-01-01T00:00:00Z")
    run_job([str(path)], folder / "columns", ReadOptions(), workers=1)
    return folder / "columns"


def write_page(file: IO[bytes], url: str, body: bytes, moment: str) -> None:
    """An HTML page at the end of a WARC file."""
    _write(Writer(file, gzip=True), url, body, "text/html", moment)


def _write(writer: Writer, url: str, body: bytes, content_type: str, moment: str = MOMENT) -> None:
    answer = StatusAndHeaders("200 OK", [("Content-Type", content_type)], "HTTP/1.1")
    writer.write_record(
        writer.create_warc_record(
            url,
            "response",
            payload=io.BytesIO(body),
            http_headers=answer,
            warc_headers_dict={"WARC-Date": moment},
        )
    )
