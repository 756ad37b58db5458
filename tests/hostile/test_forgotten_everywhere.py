"""Forget means everywhere: every store of a data folder is in this table, with how it is looked into."""

import asyncio
import gzip
import json
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawl.sites import Pages, Sent, served
from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import Origin, World

from gossamer.config import Log
from gossamer.events import Proxied
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.skipped import InHand, Skipped, SkippedList
from gossamer.log import JsonLog
from gossamer.transform.text.page_text import PageText

HOST = "forgotten.test"
WORD = "Zanzibarine"  # which nobody else says
CONTEXT = f"http://{HOST}/terms.jsonld"
LD = '<script type="application/ld+json">{"@context": "%s", "@id": "", "name": "%s"}</script>'
TERMS = Sent(
    '{"@context": {"name": "http://schema.org/name"}}', 200, {"Content-Type": "application/ld+json"}
)
PAGES: Pages = {
    f"http://{HOST}/robots.txt": f"User-agent: *\nDisallow: /no\nSitemap: http://{HOST}/map.xml",
    f"http://{HOST}/map.xml": f"<urlset><url><loc>http://{HOST}/mapped</loc></url></urlset>",
    f"http://{HOST}/": LD % (CONTEXT, WORD)
    + f'<title>{WORD}</title><a href="/2?q=3">x</a><a href="/no">y</a>',
    f"http://{HOST}/2?q=3": f"<title>{WORD} again</title>",
    f"http://{HOST}/mapped": f"<title>{WORD} mapped</title>",
    CONTEXT: TERMS,
    "http://kept.test/": "<title>Quokka</title>",
}


def gossamer(data: DataFolder, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *words, "--data", str(data.path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bytes_of(*patterns: str) -> Callable[[DataFolder], str]:
    def read(data: DataFolder) -> str:
        files = [each for pattern in patterns for each in sorted(data.path.glob(pattern))]
        assert files
        return b"".join(_unpacked(each) for each in files).decode(errors="replace")

    return read


def _unpacked(path: Path) -> bytes:
    packed = path.read_bytes()
    return gzip.decompress(packed) if path.suffix == ".gz" else packed


def said_in_graph(data: DataFolder) -> str:
    return gossamer(data, "export")


def found_by_words(data: DataFolder) -> str:
    return "".join(gossamer(data, "search", each, "--json") for each in (WORD, "Quokka"))


def said_in_history(data: DataFolder) -> str:
    """All that the history has, packed statements unpacked, and every byte of its file."""
    with closing(sqlite3.connect(data.changes_file)) as database:
        rows = [
            *database.execute("SELECT page, host, statements FROM pages"),
            *database.execute("SELECT page, host, statements, entity, label FROM changes"),
            *database.execute("SELECT host FROM hosts"),
        ]
    cells = (cell for row in rows for cell in row if cell)
    told = [zlib.decompress(cell).decode() if isinstance(cell, bytes) else cell for cell in cells]
    return "\n".join([*told, bytes_of("changes.db*")(data)])


def said_in_report(data: DataFolder) -> str:
    """All that reports keep, packed findings unpacked, and every byte of the file."""
    with closing(sqlite3.connect(data.report_file)) as database:
        packed = [cell for (cell,) in database.execute("SELECT findings FROM pages")]
    told = [zlib.decompress(cell).decode() for cell in packed]
    return "\n".join([*told, bytes_of("report.db*")(data)])


def kept_in_frontier(data: DataFolder) -> str:
    """Every byte of the frontier, and the texts of pages unpacked."""
    with closing(sqlite3.connect(data.frontier_file)) as database:
        rows = database.execute("SELECT body FROM page_texts").fetchall()
    texts = [str(PageText.unpack(body)) for (body,) in rows]
    return "\n".join([*texts, bytes_of("frontier.db*")(data)])


STORES: Mapping[str, Callable[[DataFolder], str]] = {
    "frontier.db": kept_in_frontier,
    "graph": said_in_graph,
    "words": found_by_words,
    "archive": bytes_of("archive/*.warc.gz"),
    "log": bytes_of("log/*.jsonl", "log/proxy/*.jsonl", "log/*.txt"),
    "proxy-cache.db": bytes_of("proxy-cache.db*"),
    "changes.db": said_in_history,
    "report.db": said_in_report,
    "words.skipped": bytes_of("words.skipped"),
}
# Whoever makes another store adds it above, or says here why it has nothing of a page.
HAS_NO_PAGES: Mapping[str, str] = {
    "lock": "the process that owns the folder",
    "proxy-cache.lock": "the process that has the cache",
    "gossamer.toml": "the user's own configuration",
    "runtime.json": "what the user changed",
    "node.json": "the name of this node, and where its frontier is",
    "ca": "the key of the user's authority",
    "gossamer.sock": "a socket",
    "vocabularies": "terms of vocabularies that the user has added by name, until the user removes them",
    "history.json": "figures of the last run: times and numbers, no addresses",
    "words.followed": "a copy of the journal, gone when it is in the words (`tests/nodes/test_one_search.py`)",
    "words.hand": "goes with the process, or else with whatever is forgotten",
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    data = DataFolder(tmp_path_factory.mktemp("everywhere") / "data")

    async def crawl() -> None:
        async with served(PAGES) as site:
            await asyncio.to_thread(
                gossamer,
                *(
                    data,
                    "crawl",
                    f"http://{HOST}/",
                    "http://kept.test/",
                    "--delay",
                    "0",
                    "--report",
                ),
                *("--connect-to", f"*.test={site.address}"),
            )

    asyncio.run(crawl())
    _pass_through_proxy(data)
    _skip(data)
    (data.log_folder / "crawl.txt").write_text(f"{HOST} is parked\nkept.test is parked\n")
    return data


def _skip(data: DataFolder) -> None:
    """Have words leave out some things, and a crash leave behind what was in hand."""
    folder = WordsFolder(data.words_folder)
    mine, kept = f"http://{HOST}/2?q=3", "http://kept.test/"
    SkippedList(folder.skipped).note(
        [
            Skipped(f"{mine}#i", "it took too long", (mine, kept)),
            Skipped(f"{kept}#i", "it took too long", (kept, mine)),
        ]
    )
    InHand(folder.hand).take(f"{mine}#i")


def _pass_through_proxy(data: DataFolder) -> None:
    with (
        closing(World(data.path)) as world,
        closing(JsonLog(data.log_folder / "proxy", Log())) as log,
    ):
        for host in (HOST, "kept.test"):
            url = f"http://{host}/"
            world.ask(origin=Origin(said=HOUR), url=url)
            none = timedelta(0)
            log(
                Proxied(
                    client="me",
                    method="GET",
                    url=url,
                    status=200,
                    bytes=1,
                    by="server",
                    waited=none,
                    took=none,
                    reason="",
                )
            )


def test_what_was_forgotten_is_in_no_store_and_all_else_is_where_it_was(
    crawled: DataFolder,
) -> None:
    names = {each.name.removesuffix("-wal").removesuffix("-shm") for each in crawled.path.iterdir()}
    assert names <= STORES.keys() | HAS_NO_PAGES.keys()
    assert names >= STORES.keys()
    for name, read in STORES.items():
        assert HOST in read(crawled), name
    assert "/terms.jsonld" in STORES["frontier.db"](crawled)
    said = json.loads(gossamer(crawled, "forget", HOST, "--json"))
    assert said["lines"] > 6
    assert not WordsFolder(crawled.words_folder).hand.exists()
    for name, read in STORES.items():
        left = read(crawled)
        # How long a host wants to rest is not forgotten: the frontier has its name for that.
        sign = f"://{HOST}" if name == "frontier.db" else HOST
        assert sign not in left, f"{name}: {left[max(0, left.find(sign) - 100) :][:300]}"
        assert WORD not in left, name
        assert "Quokka" in left or "kept.test" in left, name


# Every table of the database, of one node or of many: where a page or a host may be named, and what removes it.
TABLES: Mapping[str, str] = {
    "hosts": "the clock of a host is kept: how long it wants to rest is not forgotten",
    "robots": "removed with its host",
    "pages": "removed",
    "claims": "numbers of pages",
    "outlinks": "removed with their page",
    "page_texts": "removed",
    "hidden_links": "keys of pages, removed with them",
    "sites": "figures of a site, for its budget",
    "site_links": "removed with the last host of their site",
    "refusals": "removed with their host",
    "contexts": "removed with their host",
    "expressions": "what the user added to the scope",
    "tallies": "numbers",
    "facts": "seeds and records of hosts, which are removed; options that the user gave",
    "lent": "a host until a moment, minutes ahead",
    "nodes": "what machines say of themselves: figures, no addresses",
    "node_figures": "numbers",
    "node_log": "lines that name it are removed: tests/nodes/test_log_store.py",
    "node_alarms": "what was wrong with machines",
    "graph_journal": "what changed, by name, until those who follow have read it: that it is to go is such a change",
    "graph_journal_ends": "numbers",
    "graph_followers": "who follows, and how far",
    "look_groups": "removed with their host",
    "arms": "removed with their host, or the page that has their links",
    "arm_leads": "removed with their host",
    "clue_sums": "figures of words, by a few thousand numbers that all words share",
    "wanted_entities": "removed with their page",
    "alike": "hashes, each with the number of a page; removed with their page",
    "duplicate_groups": "numbers; removed with the last page",
    "learned_parameters": "removed with their host",
    "limit_lines": "rates, by name",
    "limit_parts": "parts of limits, a few minutes each; those of addresses by a digest or an address",
}


def test_every_table_of_the_database_is_known_to_whoever_forgets(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        names = {name for (name,) in store.read(lambda txn: txn.rows(sql))}
    assert names == TABLES.keys()
