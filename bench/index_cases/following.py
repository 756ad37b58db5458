"""Pages into a graph while words follow it, and without words: what words cost whoever writes."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.words.asked import Search
from gossamer.index.words.following import Following
from gossamer.moments import now_utc

S = "http://schema.org/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
BATCH = 100
THINGS = 2  # a page, with ten statements each


@dataclass(frozen=True, slots=True)
class Rates:
    """Quads a second, those about fetches too, as the graph counts its work; and memory."""

    written: float  # until the graph has them
    in_step: float  # until words have them too
    words_bytes: int = 0  # most memory of the words process
    disk_bytes: int = 0  # of the words


def thing_page(number: int, version: int = 0) -> PageGraphs:
    """A page about two people, who work for the house that stands on every page of the host."""
    host = f"http://host{number % 97}.test"
    url = f"{host}/people/{number}"
    lines = [f'<{host}/#house> <{S}name> "House {number % 97}"']
    for at in range(THINGS):
        subject = f"<{url}#{at}>"
        lines += [
            f"{subject} <{TYPE}> <{S}Person>",
            f'{subject} <{S}name> "Person {number} Number{at}"@en',
            f'{subject} <{S}description> "Lives at {number}, keeps notes, and says {version}."@en',
            f'{subject} <{S}birthDate> "{1900 + number % 100}-05-17"',
            f'{subject} <{S}jobTitle> "Keeper of notes {version if at else 0}"@en',
            f"{subject} <{S}knows> <{host}/people/{number // 2}#0>",
            f"{subject} <{S}worksFor> <{host}/#house>",
            f"{subject} <{S}url> <{url}>",
            f"{subject} <{S}image> <{url}/{at}.jpg>",
            f'{subject} <{S}telephone> "+1 555 {number:07}"',
        ]
    moment = now_utc()
    facts = FetchFacts(
        url=url,
        outcome=FetchOutcome.FETCHED,
        started_at=moment,
        finished_at=moment,
        status=200,
        media_type="text/html",
        syntaxes=("jsonld",),
        quads=len(lines),
    )
    nquads = "".join(f"{line} <{url}> .\n" for line in lines)
    return PageGraphs(url, nquads.encode(), fetch_nquads(facts))


QUADS = sum(
    text.count(b"\n") for page in [thing_page(0)] for text in (page.nquads or b"", page.fetch)
)


def rates(folder: Path, size: int, filled: int = 0) -> dict[str, Rates]:
    """New pages, and pages of which a fifth is said anew; with words and without."""
    found = {}
    for name in ("alone", "with_words"):
        where = folder / name
        for kind, rate in asyncio.run(_rates(where, size, filled, words=name == "with_words")):
            found[f"{kind}_{name}"] = rate
    return found


async def _rates(folder: Path, size: int, filled: int, *, words: bool) -> list[tuple[str, Rates]]:
    async with GraphProcess(folder / "graph") as graph:

        async def get() -> GraphProcess:
            return graph

        async with Following(folder / "words", folder / "graph", get, print) as following:
            if words:
                await following.catch_up()
            await _write(graph, [thing_page(10**8 + number) for number in range(filled)])
            if words:
                await following.catch_up(everything=True)
            made = {
                "new": [thing_page(number) for number in range(size)],
                "replaced": [thing_page(number, 1) for number in range(size)],
            }
            return [
                (kind, await _rate(graph, following if words else None, folder, pages))
                for kind, pages in made.items()
            ]


async def _rate(
    graph: GraphProcess, words: Following | None, folder: Path, pages: Sequence[PageGraphs]
) -> Rates:
    running = asyncio.create_task(words.run()) if words else None
    started = time.perf_counter()
    await _write(graph, pages)
    written = time.perf_counter() - started
    if words is None or running is None:
        return Rates(len(pages) * QUADS / written, 0.0)
    running.cancel()
    await words.catch_up(everything=True)
    in_step = time.perf_counter() - started
    found = await words.search(Search(text="keeper", limit=1))
    assert found["total"] >= THINGS * len(pages)
    return Rates(
        len(pages) * QUADS / written,
        len(pages) * QUADS / in_step,
        memory_of(words.pid or 0),
        sum(path.stat().st_size for path in (folder / "words").rglob("*") if path.is_file()),
    )


async def _write(graph: GraphProcess, pages: Sequence[PageGraphs]) -> None:
    async with asyncio.TaskGroup() as group:
        for batch in _batches(pages):
            group.create_task(graph.replace(batch))


def _batches(pages: Sequence[PageGraphs]) -> Iterator[Sequence[PageGraphs]]:
    return (pages[start : start + BATCH] for start in range(0, len(pages), BATCH))


def memory_of(pid: int) -> int:
    """The most memory that a process had so far; 0 where nobody tells."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)
