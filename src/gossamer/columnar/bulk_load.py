"""Bulk loads of columns into other stores: Oxigraph at once, Virtuoso and QLever by files for their own loaders.

Bulk loaders write a store's files themselves, without a transaction for each statement. Oxigraph's is in a library that we
have; those of the others are programs on their machines, and get N-Quads with the lines to run. Nothing is sent to anybody.
"""

import gzip
import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from gossamer.columnar.duck import ColumnFiles, ColumnStore
from gossamer.columnar.statements import ALL, nquads_line
from gossamer.errors import InputError
from gossamer.folder.durable import sync

LINES_AT_ONCE: Final = 200_000
LINES_IN_A_FILE: Final = 5_000_000
GZIP_LEVEL: Final = 1
TARGETS: Final = ("oxigraph", "virtuoso", "qlever")

_VIRTUOSO: Final = """-- isql-vt localhost:1111 dba PASSWORD < load.isql
-- The server has to be allowed to read this folder: DirsAllowed in virtuoso.ini.
ld_dir ('{folder}', 'part-*.nq.gz', 'http://example.org/no-graph');
rdf_loader_run ();
checkpoint;
SELECT ll_file, ll_error FROM DB.DBA.LOAD_LIST WHERE ll_error IS NOT NULL;
"""
_QLEVER: Final = """[data]
NAME         = columns
DESCRIPTION  = Statements of archived pages, each in the graph of its page

[index]
INPUT_FILES     = part-*.nq.gz
CAT_INPUT_FILES = zcat ${{INPUT_FILES}}
FORMAT          = nq
SETTINGS_JSON   = {{ "num-triples-per-batch": 1000000 }}

[server]
PORT         = 7001
ACCESS_TOKEN = {name}

[runtime]
SYSTEM = native
"""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded, and what is left to do."""

    quads: int
    next_line: str | None = None  # a command


def bulk_load(
    files: ColumnFiles, target: str, folder: Path, tell: Callable[[int], None] = lambda _: None
) -> Loaded:
    """Load columns into a store in a folder, or write what its loader takes; `tell` hears how many there are so far."""
    with ColumnStore(files) as columns:
        lines = _counted_lines(columns, tell)
        if target == "oxigraph":
            return Loaded(_load_oxigraph(lines, folder))
        return _write_for_loader(lines, target, folder)


def _counted_lines(columns: ColumnStore, tell: Callable[[int], None]) -> Iterator[list[str]]:
    """Lines of N-Quads, many at once."""
    answer = columns.ask(ALL)
    rows = iter(answer)
    while lines := [nquads_line(row) for row in islice(rows, LINES_AT_ONCE)]:
        yield lines
        tell(answer.rows)


def _load_oxigraph(lines: Iterator[list[str]], folder: Path) -> int:
    try:
        store = ox.Store(str(folder))
    except OSError as error:
        raise InputError(
            f"The store {folder} cannot be opened: {error}. A server that has it open has to be stopped first."
        ) from None
    count = 0
    for some in lines:
        # Not `bulk_load`, which renames blank nodes: a second load would add them again.
        store.bulk_extend(ox.parse("".join(some).encode(), ox.RdfFormat.N_QUADS))
        count += len(some)
    store.flush()
    return count


def _write_for_loader(lines: Iterator[list[str]], target: str, folder: Path) -> Loaded:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = sorted(folder.glob("part-*.nq.gz"))
        if there:
            raise InputError(
                f"{folder} has files of an earlier load. Remove them, or choose another folder."
            )
        count = _write_parts(lines, folder)
        if target == "virtuoso":
            script = folder / "load.isql"
            quoted = str(folder.absolute()).replace("'", "''")
            script.write_text(_VIRTUOSO.format(folder=quoted))
            return Loaded(
                count, f"isql-vt localhost:1111 dba PASSWORD < {shlex.quote(str(script))}"
            )
        (folder / "Qleverfile").write_text(_QLEVER.format(name=f"columns_{os.urandom(8).hex()}"))
        return Loaded(count, f"cd {shlex.quote(str(folder))} && qlever index && qlever start")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}.") from None


def _write_parts(lines: Iterator[list[str]], folder: Path) -> int:
    """Write files with names in order, each there when it is whole."""
    count, number = 0, 0
    some = next(lines, None)
    while some is not None:
        path = folder / f"part-{number:05}.nq.gz"
        draft = path.with_name(f".{path.name}.tmp")
        inside = 0
        with gzip.open(draft, "wb", GZIP_LEVEL) as file:
            while some is not None and inside < LINES_IN_A_FILE:
                file.write("".join(some).encode())
                inside += len(some)
                some = next(lines, None)
        sync(draft)
        draft.replace(path)
        count += inside
        number += 1
    return count
