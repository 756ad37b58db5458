"""Pages into rdflib's graph on the disk: one file of N-Quads after the other.

Usage: rdflib_peer.py PARSER FOLDER FILE...

Runs in an environment of its own. PARSER is `nquads`, rdflib's own, or `ox-nquads`, which hands the
file to the store without making rdflib's terms of it.
"""

import json
import sys
import time
from pathlib import Path

from rdflib import Dataset


def main(parser: str, folder: str, *files: str) -> None:
    graph = Dataset(store="Oxigraph")
    graph.open(str(Path(folder) / parser), create=True)
    texts = [Path(file).read_bytes() for file in files]
    started = time.perf_counter()
    for text in texts:
        graph.parse(data=text, format=parser)
    seconds = time.perf_counter() - started
    quads = sum(1 for _ in graph.quads())
    print(json.dumps({"quads": quads, "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
