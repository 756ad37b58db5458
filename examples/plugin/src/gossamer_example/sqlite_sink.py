"""A sink: pages in a table of SQLite, as in `gossamer crawl example.org -o sqlite:pages.db`."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any


class SqliteSink:
    """Keeps the last state of each page. A page may come twice, so writing it twice has to do no harm."""

    def __init__(self, where: str) -> None:
        """Open or make the file; an exception here is told when the crawl starts."""
        self.database = sqlite3.connect(where or "pages.db")
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, outcome TEXT, status INTEGER, items TEXT)"
        )

    def write(self, pages: Sequence[Mapping[str, Any]]) -> None:
        """Keep some pages; when this returns, Gossamer counts on it."""
        rows = [
            (page["url"], page["outcome"], page["status"], json.dumps(page["items"]))
            for page in pages
        ]
        with self.database:
            self.database.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Bring to an end what is open."""
        self.database.close()
