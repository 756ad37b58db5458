"""Entities over all columns: what a crawl's index gathers, worked out by sorting instead of looking up.

The rules are those of `index.entities`; here are the two steps that both engines share, and the job for DuckDB, which sorts
on the disk where memory does not do. First every subject gets its home; then everything is read by homes.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, Final

import pyoxigraph as ox

from gossamer.columnar.duck import ROWS_AT_ONCE, ColumnFiles, ColumnStore
from gossamer.columnar.statements import kept_quads
from gossamer.index.entities import Entity, Said, entity_of, home_of, said_of
from gossamer.index.words.statements import MANY, MOST_LINKS, Fewer
from gossamer.tables.needs import needed

STATEMENT: Final = (
    *("subject", "predicate", "object", "kind", "language", "datatype", "graph", "page"),
)
HOMES_AT_ONCE: Final = 50_000
_STATEMENTS: Final = f"SELECT DISTINCT {', '.join(STATEMENT)} FROM latest"  # noqa: S608 (nothing but ours)
_COLUMNS: Final = ", ".join(f"q.{name}" for name in STATEMENT)

# Who leads to which thing: by its home, or by any of its subjects; those are not others.
LINKS: Final = """
SELECT g.home, CAST(least(count(DISTINCT q.subject), {most}) AS INT) AS links
FROM statements q
JOIN (SELECT subject AS target, home FROM homes UNION SELECT home, home FROM homes) g ON q.object = g.target
JOIN homes own ON own.subject = q.subject
WHERE q.kind = 'iri' AND own.home <> g.home AND q.subject <> g.home
GROUP BY g.home
"""
BY_HOME: Final = f"""
SELECT h.home, coalesce(l.links, 0) AS links, {_COLUMNS}
FROM statements q JOIN homes h ON h.subject = q.subject LEFT JOIN links l ON l.home = h.home
ORDER BY h.home, q.subject
"""  # noqa: S608 (nothing but ours)


def homes_of_rows(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[str, str]]:
    """Each subject and its home, from rows of `STATEMENT` that are sorted by subject."""
    for subject, those in groupby(rows, key=itemgetter(0)):
        for name, said in _said_by_subject(those):
            yield subject, home_of(name, said)


def things_of_rows(rows: Iterable[Sequence[Any]]) -> Iterator[Entity]:
    """Every entity, from rows of home, links and `STATEMENT` that are sorted by home and subject."""
    for home, those in groupby(rows, key=itemgetter(0)):
        first = next(those)
        statements = (row[2:] for row in chain((first,), those))
        members = dict(_said_by_subject(statements))
        entity = entity_of(home, members, first[1]) if members else None
        if entity is not None:
            yield entity


def gather_in_duck(files: ColumnFiles) -> Iterator[Entity]:
    """Every entity of columns, in the order of homes."""
    with ColumnStore(files) as columns:
        run = columns.connection.execute
        run("CREATE TABLE homes (subject VARCHAR, home VARCHAR)")
        run(f"CREATE VIEW statements AS {_STATEMENTS}")
        pairs = homes_of_rows(_rows(columns, "FROM statements ORDER BY subject"))
        while some := list(islice(pairs, HOMES_AT_ONCE)):
            _insert(columns, some)
        run(f"CREATE TABLE links AS {LINKS.format(most=MOST_LINKS)}")
        yield from things_of_rows(_rows(columns, BY_HOME))


def _rows(columns: ColumnStore, sql: str) -> Iterator[tuple[Any, ...]]:
    # A cursor of its own: while its rows come, others write.
    reader = columns.connection.cursor().sql(sql).to_arrow_reader(ROWS_AT_ONCE)
    for batch in reader:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _insert(columns: ColumnStore, pairs: list[tuple[str, str]]) -> None:
    pa: Any = needed("pyarrow")
    subjects, homes = zip(*pairs, strict=True)
    table = pa.table({"subject": list(subjects), "home": list(homes)})
    columns.connection.register("new_homes", table)
    columns.connection.execute("INSERT INTO homes SELECT * FROM new_homes")
    columns.connection.unregister("new_homes")


def _said_by_subject(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[str, list[Said]]]:
    """What is said of each subject, under the name that a graph of ours has for it."""
    quads = kept_quads(rows)
    for subject, those in groupby(quads, key=lambda quad: quad.subject):
        assert isinstance(subject, ox.NamedNode)
        said = (each for quad in those if (each := said_of(quad)) is not None)
        first = list(islice(said, MANY))
        if len(first) == MANY:
            few = Fewer(subject.value)
            few.take(chain(first, said))
            first = few.kept
        if first:
            yield subject.value, first
