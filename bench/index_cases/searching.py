"""Searches among many things, beside SQLite's FTS5 with the same texts.

Ours tells how many there are, counts types, hosts and languages, and shows ten results with snippets;
the peer gives the numbers of the ten best. Words are drawn so that a few are in most things and most
are in few, as in any language.
"""

import random
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from gossamer.index.entities import Entity, Text
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import Words, WordsFolder, made
from gossamer.index.words.searching import answered

VOCABULARY = 200_000
AT_ONCE = 20_000
KINDS = ("Person", "Place", "Event", "Product", "Article")


def things(count: int) -> Iterator[Entity]:
    """So many things, always the same."""
    chance = random.Random(1)
    for number in range(count):
        words = [_word(chance) for _ in range(24)]
        name, text = " ".join(words[:3]), " ".join(words[3:])
        host = f"host{number % 997}.test"
        yield Entity(
            home=f"http://{host}/thing/{number}",
            label=name,
            language="en",
            types=(f"http://schema.org/{KINDS[number % len(KINDS)]}",),
            description=text,
            image=None,
            names=(name,),
            texts=(Text("en", name), Text("en", text)),
            pages=(f"http://{host}/{number}",),
            page_count=1,
            hosts=(host,),
            host_count=1,
            members=(f"http://{host}/thing/{number}",),
            member_count=1,
            properties=("http://schema.org/name", "http://schema.org/description"),
            dates=(f"20{number % 26:02}-01-01",),
            links_in=number % 13,
            links_out=2,
            is_page=False,
        )


def _word(chance: random.Random) -> str:
    return f"w{min(int(chance.paretovariate(0.7)), VOCABULARY):x}"


def queries() -> dict[str, list[tuple[Search, str]]]:
    """Searches of ours and the same of the peer's, by kind."""
    chance = random.Random(2)
    rare = [f"w{chance.randrange(2_000, 50_000):x}" for _ in range(20)]
    usual = [f"w{chance.randrange(20, 2_000):x}" for _ in range(40)]
    pairs = list(zip(usual[:20], usual[20:], strict=True))
    return {
        "rare": [(Search(text=word), word) for word in rare],
        "usual": [(Search(text=word), word) for word in usual],
        "two": [(Search(text=" ".join(pair)), " AND ".join(pair)) for pair in pairs],
        "phrase": [(Search(text=f'"w1 {word}"'), f'"w1 {word}"') for word in usual[:10]],
        "prefix": [(Search(text=f"{word}*"), f"{word}*") for word in rare[:10]],
        "common": [(Search(text=word), word) for word in ("w1", "w2", "w3")],
    }


def measured(folder: Path, count: int) -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds of ours and of the peer, and what each takes to build and to keep."""
    figures: dict[str, float] = {}
    started = time.perf_counter()
    words = _ours(folder, count)
    figures["words_things_per_s"] = count / (time.perf_counter() - started)
    started = time.perf_counter()
    peer = _peer(folder, count)
    figures["fts5_things_per_s"] = count / (time.perf_counter() - started)
    figures["words_bytes_per_thing"] = _size(folder / "words") / count
    figures["fts5_bytes_per_thing"] = _size(folder / "fts5.db") / count
    ratios = {}
    all_ours: list[float] = []
    for kind, asked in queries().items():
        ours = [_took(partial(answered, words, search)) for search, _ in asked]
        theirs = [_took(partial(_best, peer, match)) for _, match in asked]
        all_ours += ours
        figures[f"search_{kind}_ms"] = statistics.median(ours)
        figures[f"fts5_{kind}_ms"] = statistics.median(theirs)
        ratios[f"search_{kind}_to_fts5"] = statistics.median(theirs) / statistics.median(ours)
    figures["search_median_ms"] = statistics.median(all_ours)
    return ratios, figures


def _ours(folder: Path, count: int) -> Words:
    words = made(WordsFolder(folder / "words"), "bench")
    for number, thing in enumerate(things(count), 1):
        words.put(thing.home, thing)
        if number % AT_ONCE == 0:
            words.commit()
    words.finish()
    return words


def _peer(folder: Path, count: int) -> sqlite3.Connection:
    peer = sqlite3.connect(folder / "fts5.db")
    peer.execute("CREATE VIRTUAL TABLE things USING fts5(name, text)")
    rows = ((thing.label, thing.description) for thing in things(count))
    peer.executemany("INSERT INTO things VALUES (?, ?)", rows)
    peer.commit()
    peer.execute("INSERT INTO things(things) VALUES ('optimize')")
    peer.commit()
    return peer


def _best(peer: sqlite3.Connection, match: str) -> list[int]:
    rows = peer.execute(
        "SELECT rowid FROM things WHERE things MATCH ? ORDER BY bm25(things, 3, 1) LIMIT 10",
        (match,),
    )
    return [number for (number,) in rows]


def _took(action: Callable[[], object]) -> float:
    """Milliseconds; the better of two."""
    best = float("inf")
    for _ in range(2):
        started = time.perf_counter()
        action()
        best = min(best, (time.perf_counter() - started) * 1000)
    return best


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(each.stat().st_size for each in files if each.is_file())
