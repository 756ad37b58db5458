"""Searches among many pages with visible text, each with a lead of some 600 words.

Paragraphs are drawn from a pool, and words in them as in any language: a few are on most pages, most are on
few. Every fourth page is an entity too, with a name and a description.
"""

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from gossamer.index.entities import Entity, Text
from gossamer.index.words.asked import Search
from gossamer.index.words.documents import document
from gossamer.index.words.folder import Words, WordsFolder, made
from gossamer.index.words.page_texts import EntityText
from gossamer.index.words.searching import answered
from gossamer.transform.text.page_text import PageText, shorten

VOCABULARY = 200_000
PARAGRAPHS = 20_000
OF_A_PAGE = 6
LEAD = 4_000  # characters
AT_ONCE = 20_000


def word(chance: random.Random) -> str:
    """A word; `w1` is the most common one."""
    return f"w{min(int(chance.paretovariate(0.7)), VOCABULARY):x}"


def pages(count: int) -> Iterator[tuple[Entity, EntityText]]:
    """So many pages, always the same."""
    chance = random.Random(1)
    pool = [" ".join(word(chance) for _ in range(110)) for _ in range(PARAGRAPHS)]
    for number in range(count):
        host = f"host{number % 997}.test"
        url = f"http://{host}/{number}"
        title = " ".join(word(chance) for _ in range(5))
        body = shorten(". ".join(chance.choices(pool, k=OF_A_PAGE)), LEAD)
        text = PageText(title, (title,), body, language="en")
        has_data = number % 4 == 0
        described = " ".join(word(chance) for _ in range(20)) if has_data else None
        yield (
            Entity(
                home=url,
                label=title,
                language="en",
                types=("http://schema.org/Article",) if has_data else (),
                description=described,
                image=None,
                names=(title,),
                texts=(Text("en", title), Text("en", described)) if described else (),
                pages=(url,),
                page_count=1,
                hosts=(host,),
                host_count=1,
                members=(url,),
                member_count=1,
                properties=("http://schema.org/name",) if has_data else (),
                dates=(),
                links_in=number % 13,
                links_out=2,
                is_page=True,
            ),
            EntityText(text, text.pack(), is_own=True),
        )


def build(folder: Path, count: int) -> Words:
    """The search index of these pages."""
    folder.mkdir(parents=True, exist_ok=True)
    words = made(WordsFolder(folder / "words"), "bench")
    for number, (entity, text) in enumerate(pages(count), 1):
        words.put_document(entity.home, document(entity, [text]))
        if number % AT_ONCE == 0:
            words.commit()
    words.finish()
    return words


def searches() -> dict[str, list[Search]]:
    """Searches by kind."""
    chance = random.Random(2)
    rare = [f"w{chance.randrange(2_000, 50_000):x}" for _ in range(20)]
    usual = [f"w{chance.randrange(20, 2_000):x}" for _ in range(40)]
    return {
        "rare": [Search(text=each) for each in rare],
        "usual": [Search(text=each) for each in usual],
        "two": [
            Search(text=f"{one} {two}") for one, two in zip(usual[:20], usual[20:], strict=True)
        ],
        "phrase": [Search(text=f'"w1 {each}"') for each in usual[:10]],
        "prefix": [Search(text=f"{each}*") for each in rare[:10]],
        "in_title": [Search(text=each, within=("title",)) for each in usual[:10]],
        "common": [Search(text=each) for each in ("w1", "w2", "w3")],
    }


def measured(folder: Path, count: int) -> dict[str, float]:
    """Milliseconds by kind, of whole answers with facets and snippets, and what the index takes."""
    started = time.process_time()
    words = build(folder, count)
    figures = {
        "pages": float(count),
        "index_ms_per_page": (time.process_time() - started) * 1000 / count,
        "index_bytes_per_page": sum(
            each.stat().st_size for each in (folder / "words").rglob("*") if each.is_file()
        )
        / count,
    }
    every: list[float] = []
    for kind, asked in searches().items():
        took = [_took(words, search) for search in asked]
        every += took
        figures[f"search_{kind}_ms"] = statistics.median(took)
        figures[f"search_{kind}_worst_ms"] = max(took)
    figures["search_median_ms"] = statistics.median(every)
    figures["search_p95_ms"] = sorted(every)[int(0.95 * len(every))]
    return figures


def _took(words: Words, search: Search) -> float:
    """Milliseconds of CPU; the better of three."""
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        answered(words, search)
        best = min(best, (time.process_time() - started) * 1000)
    return best
