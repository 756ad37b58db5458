"""Entities over all columns, as a job of Spark: the steps of `columnar.things`, each on many machines."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from gossamer.columnar.things import LINKS, STATEMENT, homes_of_rows, things_of_rows
from gossamer.index.entities import Entity
from gossamer.index.entities.all_entities import shown_entity
from gossamer.index.words.statements import MOST_LINKS
from gossamer.spark.sources import BATCH_ROWS

ROWS_AT_ONCE: Final = 5_000
ENTITIES_AT_ONCE: Final = 500
_STRINGS: Final = "array<string>"
_TYPES: Final = {
    **dict.fromkeys(("home", "label", "language", "description", "image"), "string"),
    **dict.fromkeys(
        ("types", "names", "pages", "hosts", "members", "properties", "dates"), _STRINGS
    ),
    **dict.fromkeys(("page_count", "host_count", "member_count", "links_in", "links_out"), "int"),
    "texts": "array<struct<language: string, text: string>>",
    "is_page": "boolean",
}
SCHEMA: Final = ", ".join(f"{name} {_TYPES[name]}" for name in Entity._fields)


def gather_things(spark: Any, quads: Any, pages: Any = None) -> Any:  # noqa: ANN401 (Spark's)
    """Every entity of these statements, a row each: the fields of docs/entities.md.

    With `pages`, the last capture of each page counts, also where it says nothing any more; without them the last one that
    says something.
    """
    spark.conf.set(BATCH_ROWS, str(ROWS_AT_ONCE))
    statements = _latest(spark, quads, pages).select(*STATEMENT).distinct().persist()
    statements.createOrReplaceTempView("statements")
    homes = (
        statements.repartition("subject")
        .sortWithinPartitions("subject")
        .mapInArrow(_homes, "subject string, home string")
        .persist()
    )
    homes.createOrReplaceTempView("homes")
    links = spark.sql(LINKS.format(most=MOST_LINKS))
    return (
        statements.join(homes, "subject")
        .join(links, "home", "left")
        .selectExpr("home", "coalesce(links, 0) AS links", *STATEMENT)
        .repartition("home")
        .sortWithinPartitions("home", "subject")
        .mapInArrow(_things, SCHEMA)
    )


def _latest(spark: Any, quads: Any, pages: Any) -> Any:  # noqa: ANN401 (Spark's)
    if pages is None:
        captures = quads.groupBy("page").agg({"fetched": "max"})
    else:
        good = pages.where("status IS NULL OR status BETWEEN 200 AND 299")
        captures = good.selectExpr("url AS page", "fetched").groupBy("page").agg({"fetched": "max"})
    captures = captures.toDF("page", "last")
    same = (quads["page"] == captures["page"]) & quads["fetched"].eqNullSafe(captures["last"])
    return quads.join(captures, same, "left_semi")


def _homes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for some in _many(homes_of_rows(_rows(batches)), ROWS_AT_ONCE):
        subjects, homes = zip(*some, strict=True)
        yield pa.RecordBatch.from_pydict({"subject": list(subjects), "home": list(homes)})


def _things(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for some in _many(things_of_rows(_rows(batches)), ENTITIES_AT_ONCE):
        yield pa.RecordBatch.from_pylist(
            [shown_entity(entity) for entity in some], schema=_schema()
        )


def _schema() -> pa.Schema:
    kinds = {
        "string": pa.string(),
        "int": pa.int32(),
        "boolean": pa.bool_(),
        _STRINGS: pa.list_(pa.string()),
        _TYPES["texts"]: pa.list_(pa.struct([("language", pa.string()), ("text", pa.string())])),
    }
    return pa.schema([(name, kinds[_TYPES[name]]) for name in Entity._fields])


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _many(items: Iterator[Any], most: int) -> Iterator[list[Any]]:
    from itertools import islice

    while some := list(islice(items, most)):
        yield some
