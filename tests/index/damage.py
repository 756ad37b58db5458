"""Files of a graph, broken as disks break them."""

from pathlib import Path

import pyoxigraph as ox

from gossamer.index.graph.folder import GraphFolder


def break_tables(path: Path) -> None:
    """Have all that is in memory written to tables, and overwrite the beginning of what has quads.

    The smallest says which version the store is: without that, it would not even be opened.
    """
    folder = GraphFolder(path)
    ox.Store(folder.quads).flush()
    for table in sorted(folder.quads.glob("*.sst"), key=lambda table: table.stat().st_size)[1:]:
        with table.open("r+b") as file:
            file.write(b"\xde\xad" * 8)
