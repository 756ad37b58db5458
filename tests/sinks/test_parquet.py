import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gossamer.sinks import parquet
from gossamer.sinks.opening import open_sinks
from gossamer.sinks.parquet import ParquetSink


def page(number: int) -> dict[str, Any]:
    """The record of a page."""
    nothing = dict.fromkeys(("cause", "message", "redirect"))
    return {
        "url": f"http://a.test/{number}",
        "outcome": "fetched",
        "status": 200,
        "fetched_at": "2026-03-04T12:00:00.000001+00:00",
        "media_type": "text/html",
        "depth": number,
        "seed": number == 0,
        "syntaxes": ["jsonld"],
        "quads": 1,
        "items": {"json-ld": [{"name": "Ada"}]},
        "nquads": '<http://a.test/> <http://a.test/p> "é" .\n',
        "links": ["http://a.test/next"],
        "nofollow": [],
        "problems": [{"syntax": None, "message": "It is odd.", "line": 3}],
        **nothing,
    }


def rows(folder: Path, columns: str) -> Sequence[tuple[Any, ...]]:
    """What DuckDB finds."""
    found = duckdb.sql(f"SELECT {columns} FROM '{folder}/*.parquet' ORDER BY depth")
    assert found is not None
    return found.fetchall()


def test_a_folder_is_one_table_with_types(tmp_path: Path) -> None:
    folder = tmp_path / "pages.parquet"
    (sink,) = open_sinks([str(folder)], print)  # in its process
    lines = [json.dumps(page(number)).encode() + b"\n" for number in range(3)]
    asyncio.run(sink.write(lines[:2]))
    assert len(rows(folder, "url")) == 2  # at once
    asyncio.run(sink.write(lines[2:]))
    sink.close()
    columns = (
        "depth, items->'json-ld'->0->>'name', links[1], problems[1].line, epoch_us(fetched_at)"
    )
    (first, *_) = rows(folder, columns)
    assert first == (0, "Ada", "http://a.test/next", 3, 1_772_625_600_000_001)
    assert [url for (url,) in rows(folder, "url")] == [page(number)["url"] for number in range(3)]
    assert len(list(folder.iterdir())) == 1  # of two


def test_many_small_files_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MOST_SMALL", 3)
    sink = ParquetSink(str(tmp_path))
    for number in range(4):
        sink.write([page(number)])
    assert len(list(tmp_path.iterdir())) == 2
    assert len(rows(tmp_path, "url")) == 4
