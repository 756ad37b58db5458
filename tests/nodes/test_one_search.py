"""One crawl on two nodes with one graph on a server: whoever serves it finds the pages of both."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import psycopg
from tests.cli.conftest import Gossamer, here
from tests.crawl.commands import CLEAN, CrawlCommand, until
from tests.crawl.door import Door
from tests.crawl.nodes import SMALL_CASE, demo, ended, folders, order
from tests.crawl.test_many_nodes import lease_lapses
from tests.index.server.oxigraph import Oxigraph

from gossamer.urls import host_of

__all__ = ["here"]  # a fixture
SERVES = re.compile(r"Serving \S+ at (http://127\.0\.0\.1:\d+)")
Found = dict[str, frozenset[str]]


class ServeCommand:
    """`gossamer serve` on the database of a crawl, as a replica of its own."""

    def __init__(self, data: Path, database: str) -> None:
        self._words = data.with_suffix(".stderr")
        self._words.touch()
        before = len(SERVES.findall(self.words))
        options = ["--data", str(data), "--frontier", database]
        with self._words.open("a") as words:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "gossamer", "serve", "127.0.0.1:0", *options],
                env=CLEAN,
                stderr=words,
            )
        until(lambda: len(SERVES.findall(self.words)) > before)
        self.url = SERVES.findall(self.words)[-1]

    @property
    def words(self) -> str:
        """What it said to people, in all its runs."""
        return self._words.read_text()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Have it end, and wait for that."""
        self._process.send_signal(number)
        self._process.wait()

    def found(self) -> Found:
        """Everything that can be found, with the pages that say it; nothing while there are no words."""
        try:
            with urlopen(f"{self.url}/api/search?{urlencode({'q': '', 'limit': 1000})}") as answer:
                return results_of(json.load(answer))
        except HTTPError as error:
            if error.code == 400:
                raise
            return {}

    def pages(self) -> set[str]:
        """The pages of all that can be found."""
        return {page for pages in self.found().values() for page in pages}

    def finds(self, wanted: Found) -> None:
        """Wait until it finds this, and nothing else."""
        until(lambda: self.found() == wanted)


@contextmanager
def serving(data: Path, database: str) -> Iterator[ServeCommand]:
    data.mkdir(exist_ok=True)
    server = ServeCommand(data, database)
    try:
        yield server
    finally:
        server.stop(signal.SIGKILL)


def minutes_pass(database: str) -> None:
    """Let what a dead node noted be old."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE gossamer.graph_journal SET noted_at = 0 WHERE seq IS NULL")


def results_of(told: dict[str, Any]) -> Found:
    assert told["next"] is None
    return {each["id"]: frozenset(each["pages"]) for each in told["results"]}


def anew(here: Gossamer, node: Path) -> Found:
    """What words find that are made of the whole graph now."""
    made = here("reindex", "--data", str(node))
    assert made.returncode == 0, made.stderr
    found = here("search", "--json", "--limit", "1000", "--data", str(node))
    return results_of(json.loads(found.stdout))


def pages_in(graph: Oxigraph) -> set[str]:
    names = {str(quad.graph_name)[1:-1] for quad in graph.quads()}
    return {name.partition("#")[0] for name in names if not name.endswith("#fetch")}


def test_all_who_serve_find_the_pages_of_all_nodes_whatever_happens(
    database: str, tmp_path: Path, here: Gossamer
) -> None:
    data = folders(tmp_path, 2)
    with (
        Oxigraph(tmp_path / "oxigraph") as graph,
        demo(SMALL_CASE, tmp_path) as web,
        Door(web.address) as door,
    ):
        with_graph = ("--index", graph.url)
        door.close(after=15)
        with CrawlCommand(data[0], *order(SMALL_CASE, door, database, graph=with_graph)) as victim:
            until(graph.quads)
            with (
                serving(tmp_path / "one", database) as one,
                serving(tmp_path / "two", database) as two,
            ):
                until(two.found)
                two.stop()  # and is away for a while
                victim.kill()
                lease_lapses(database, data[0])
                of_the_first = pages_in(graph)
                told = order(SMALL_CASE, web, database, graph=with_graph)
                with CrawlCommand(data[1], *told) as other:
                    assert ended([other])[0]["ended"] == "done"
                minutes_pass(database)
                truth = anew(here, data[1])
                pages = {page for pages in truth.values() for page in pages}
                assert pages & of_the_first
                assert pages & (pages_in(graph) - of_the_first)
                one.finds(truth)
                with serving(tmp_path / "two", database) as back:
                    back.finds(truth)

                    host = host_of(SMALL_CASE.seeds[0])
                    assert here("forget", host, "--data", str(data[1])).returncode == 0
                    for each in (one, back):
                        until(lambda each=each: not any(host in page for page in each.pages()))  # type: ignore[misc]  # bound
                        assert each.pages() & of_the_first
                        assert "made anew" not in each.words
