"""Statements as rows: terms, pages, and what is known of a page only where it is known."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pyarrow.parquet as pq
import pytest

from gossamer.tables import quads
from gossamer.tables.quads import COLUMNS, QuadTable

XSD = "http://www.w3.org/2001/XMLSchema#"
FACTS = f"""<http://a.test/> <http://www.w3.org/ns/prov#endedAtTime> "2026-01-02T03:04:05Z"^^<{XSD}dateTime> <urn:gossamer:page> .
<http://a.test/> <http://www.w3.org/2011/http#statusCodeValue> "200"^^<{XSD}integer> <urn:gossamer:page> .
<http://a.test/> <urn:gossamer:syntax> "rdfa" <urn:gossamer:page> .
"""


def rows_of(text: str, *, piece: int = 7) -> list[dict[str, Any]]:
    file, data = BytesIO(), text.encode()
    table = QuadTable(file)
    for at in range(0, len(data), piece):
        table.feed(data[at : at + piece])
    table.close()
    found: list[dict[str, Any]] = pq.read_table(BytesIO(file.getvalue())).to_pylist()
    assert len(found) == table.rows
    return found


def test_terms_are_told_apart() -> None:
    said = (
        '<http://a.test/#s> <http://v.test/p> "Ada"@en <http://a.test/> .\n'
        "_:b1 <http://v.test/p> _:b2 <http://a.test/#graph-1> .\n"
        f'<http://a.test/#s> <http://v.test/p> "7"^^<{XSD}integer> <http://a.test/> .\n'
        "<http://a.test/#s> <http://v.test/p> <http://a.test/#o> .\n"
    )
    rows = rows_of(said)
    assert [tuple(row[name] for name in COLUMNS[2:9]) for row in rows] == [
        ("Ada", "literal", "en", None, "http://a.test/", "http://a.test/", "a.test"),
        ("_:b2", "blank", None, None, "http://a.test/#graph-1", "http://a.test/", "a.test"),
        ("7", "literal", None, f"{XSD}integer", "http://a.test/", "http://a.test/", "a.test"),
        ("http://a.test/#o", "iri", None, None, None, None, None),
    ]


def test_what_is_known_of_a_page_is_on_its_rows_alone() -> None:
    said = '<x:s> <x:p> "o" <http://a.test/> .\n<x:s> <x:p> "o" <http://b.test/> .\n'
    ours, other = rows_of(FACTS + said)
    when = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert (ours["syntax"], ours["fetched"], ours["status"]) == ("rdfa", when, 200)
    assert (other["syntax"], other["fetched"], other["status"]) == (None, None, None)


def test_of_several_syntaxes_nobody_knows_which() -> None:
    more = '<http://a.test/> <urn:gossamer:syntax> "jsonld" <urn:gossamer:page> .\n'
    (row,) = rows_of(FACTS + more + '<x:s> <x:p> "o" <http://a.test/> .\n')
    assert (row["syntax"], row["status"]) == (None, 200)


def test_groups_of_rows_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quads, "GROUP_ROWS", 10)
    file = BytesIO()
    table = QuadTable(file)
    table.feed(b'<x:s> <x:p> "o" <http://a.test/> .\n' * 95)
    table.close()
    assert pq.ParquetFile(BytesIO(file.getvalue())).num_row_groups == 10
