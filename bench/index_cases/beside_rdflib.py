"""New pages into rdflib's graph on the disk, as many as there is time for.

Of its stores that keep quads on a disk, oxrdflib is the one that installs from wheels and reads a file
of N-Quads; it is the fastest, too:

- BerkeleyDB, which rdflib brings along, wants `berkeleydb`: no wheel, and a library of the system
- rdflib-sqlite and rdflib-hdt (which is for reading) come as source alone; rdflib-leveldb,
  -kyotocabinet, -zodb, -lmdb and -rocksdb were not to be had
- rdflib-sqlalchemy (0.5.4, SQLAlchemy below 2, SQLite): with rdflib 7.6 it refuses N-Quads ("must be
  backed by a graph-aware store"). Handed what rdflib had parsed in memory it was about as fast as
  oxrdflib with rdflib's parser, and a third as fast as oxrdflib with its own.

So rdflib is measured twice: with its own parser, where every statement becomes terms of rdflib, as in any
program that works with them; and with oxrdflib's, past rdflib, into the engine that is ours too.
It begins with an empty graph, only adds, and keeps no words.
"""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import peers

from gossamer.index.graph.pages import PageGraphs

PARSERS = {"rdflib": "nquads", "rdflib_with_oxrdflib_parser": "ox-nquads"}
ROUNDS = 2


def rates(batches: Sequence[Sequence[PageGraphs]]) -> dict[str, float]:
    """Quads a second of each, of its best round, in turn."""
    best = dict.fromkeys(PARSERS, 0.0)
    for _ in range(ROUNDS):
        for name, parser in PARSERS.items():
            best[name] = max(best[name], _rate(parser, batches))
    return best


def _rate(parser: str, batches: Sequence[Sequence[PageGraphs]]) -> float:
    texts = [b"".join((page.nquads or b"") + page.fetch for page in batch) for batch in batches]
    with TemporaryDirectory(prefix="gossamer-bench-") as folder:
        files = [Path(folder) / f"{number}.nq" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_bytes(text)
        script = peers.PEERS / "rdflib_peer.py"
        command: list[str | Path] = [peers.PYTHON, script, parser, folder, *files]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    took: dict[str, Any] = json.loads(done.stdout)
    quads = sum(text.count(b"\n") for text in texts)
    if took["quads"] != quads:
        raise SystemExit(f"rdflib has {took['quads']} quads, not {quads}.")
    return quads / float(took["seconds"])
