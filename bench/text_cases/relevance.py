"""Relevance over the judged collection of the demo web: nDCG at ten, beside the ranking of SQLite's FTS5.

The peer ranks by `bm25(3, 1)` over title and text: once with all visible text of a page, as a program does that cannot
tell a page's subject from what stands around it, and once with the very text that ours extracted. It asks for all words,
and for any of them where nothing has all.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from statistics import mean

from selectolax.lexbor import LexborHTMLParser

from gossamer.demo.judged import JudgedQuery, judged_pages, judged_queries
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.store import GraphStore
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import Words, WordsFolder, opened
from gossamer.index.words.keeping import make_anew
from gossamer.index.words.searching import answered
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob
from gossamer.transform.text.page_text import PageText
from gossamer.transform.visible_text import visible_text

AT = 10
Ranked = Callable[[str], Sequence[str]]


class Texts(dict[str, bytes]):
    """The visible texts of pages by their names."""

    def of(self, names: Iterable[str]) -> dict[str, bytes]:
        """The texts of these pages."""
        return {name: self[name] for name in names if name in self}

    def names(self) -> Iterator[str]:
        """All pages."""
        return iter(self.keys())


def ndcg(ranked: Sequence[str], query: JudgedQuery) -> float:
    """The discounted gain of the first ten results, by that of the best sequence there is."""
    gains = [query.grades.get(url, 0) for url in dict.fromkeys(ranked)][:AT]
    best = sorted(query.grades.values(), reverse=True)[:AT]
    return _gain(gains) / _gain(best)


def _gain(grades: Sequence[int]) -> float:
    return float(sum((2**grade - 1) / log2(place + 2) for place, grade in enumerate(grades)))


def measured(folder: Path) -> dict[str, float]:
    """The mean over all queries, of ours and of both peers."""
    texts, words = build(folder)
    seen = {url: PageText.unpack(text) for url, text in texts.items()}
    whole = {url: _whole(url, body) for url, body in judged_pages().items()}
    peers = {
        "fts5_ndcg": _peer({url: (seen[url].title, text) for url, text in whole.items()}),
        "fts5_of_our_text_ndcg": _peer(
            {url: (text.title, text.main) for url, text in seen.items()}
        ),
    }
    return {
        "queries": float(len(judged_queries())),
        "pages": float(len(texts)),
        "ndcg": _mean(lambda query: found(words, query)),
        **{name: _mean(peer) for name, peer in peers.items()},
    }


def _mean(ranked: Ranked) -> float:
    return mean(ndcg(ranked(query.text), query) for query in judged_queries())


def build(folder: Path) -> tuple[Texts, Words]:
    """The texts of the pages, and a search index of all they say and show."""
    store, texts = GraphStore.open(folder / "graph"), Texts()
    for url, body in judged_pages().items():
        said = extract_page(PageJob(url, body, "text/html", text="lead"))
        fetch = f'<{url}> <http://judged.test/fetched> "now" <{url}#fetch> .\n'
        assert not store.replace([PageGraphs(url, said.nquads, fetch.encode())])
        texts[url] = said.text
    snapshot = store.snapshot()
    words = WordsFolder(folder / "words")
    words.make()
    make_anew(words, "bench", str(snapshot), lambda _: None, texts=texts)
    store.release(snapshot)
    store.close()
    words.put_in_place()
    return texts, opened(words)


def found(words: Words, text: str) -> list[str]:
    """The pages of the first results; a thing counts as the page that it is on."""
    results = answered(words, Search(text=text, limit=3 * AT))["results"]
    return [result["id"].partition("#")[0] for result in results]


def _whole(url: str, body: bytes) -> str:
    return visible_text(LexborHTMLParser(body)) or ""


def _peer(pages: Mapping[str, tuple[str, str]]) -> Ranked:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, title, text)")
    rows = [(url, title, text) for url, (title, text) in pages.items()]
    database.executemany("INSERT INTO pages VALUES (?, ?, ?)", rows)
    sql = "SELECT url FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 0, 3, 1) LIMIT 30"

    def ranked(text: str) -> list[str]:
        words = [f'"{word}"' for word in re.findall(r"\w+", text)]
        for match in (" AND ".join(words), " OR ".join(words)):
            if rows := database.execute(sql, (match,)).fetchall():
                return [url for (url,) in rows]
        return []

    return ranked
