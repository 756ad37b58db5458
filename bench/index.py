"""Pages into the graph and its words, beside pyoxigraph and rdflib; searches, beside SQLite's FTS5.

Pages are made up: 20 quads each, four of them with blank nodes, and the statements about the fetch,
about a dozen more. The peer gets the same bytes: `Store.extend` of what it parses for new pages, one
`DROP GRAPH … ; INSERT DATA …` a page for others. Ours is measured in this process and through the
process of the graph. A page that is replaced says a fifth anew; "rewritten" ones say everything anew.
With `--quads` the graphs are filled first, which takes a while; `--entities` is how many things are
searched; `--part` leaves the others out.

rdflib keeps its graph with oxrdflib, the best that it has on a disk today; `index_cases/beside_rdflib.py`
says what else was tried. It gets a bounded number of pages, which are compared with new pages of
ours with words on. It lives in the environment of the peers: `make bench` sets it up.
"""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pyoxigraph as ox

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import peers
from bench.index_cases import beside_rdflib, following, searching

from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.query import GraphQuery
from gossamer.index.graph.store import GraphStore

PARTS = ("graph", "words", "search")
BATCH = 100


@dataclass(frozen=True, slots=True)
class Size:
    """How much is written and searched."""

    filled: int  # pages in the graph to begin with
    filled_with_words: int  # of them, in the graph that words follow
    pages: int  # in a round
    rounds: int
    pages_with_words: int
    pages_for_rdflib: int
    entities: int


FULL = Size(50_000, 50_000, 2_000, 3, 20_000, 2_000, entities=1_000_000)
QUICK = Size(1_000, 0, 500, 2, 1_000, 300, entities=20_000)
TINY = Size(10, 0, 20, 1, 20, 20, entities=200)
SOURCE_QUADS = 20
V = "http://schema.org/"
START = datetime(2026, 1, 1, tzinfo=UTC)
Actions = dict[str, Callable[[Sequence[PageGraphs]], None]]


def made_page(number: int, version: int = 0, anew: int = 5) -> PageGraphs:
    """A page; of its statements, every `anew`-th depends on the version."""
    url = f"http://host{number % 997}.test/section/page-{number}.html"
    lines = []
    for at in range(SOURCE_QUADS):
        subject = "_:thing" if at % 5 == 4 else f"<{url}#item{at // 4}>"
        said = f"value {at} of page {number}" + (f" v{version}" if at % anew == 0 else "")
        lines.append(f'{subject} <{V}property{at % 11}> "{said}" <{url}> .\n')
    facts = FetchFacts(
        url=url,
        outcome=FetchOutcome.FETCHED,
        started_at=START.replace(microsecond=version),
        finished_at=START.replace(microsecond=version + 1),
        status=200,
        media_type="text/html",
        syntaxes=("jsonld",),
        quads=SOURCE_QUADS,
    )
    return PageGraphs(url, "".join(lines).encode(), fetch_nquads(facts))


QUADS_PER_PAGE = SOURCE_QUADS + made_page(0).fetch.count(b"\n")


def batches(pages: Sequence[PageGraphs]) -> Iterator[Sequence[PageGraphs]]:
    for start in range(0, len(pages), BATCH):
        yield pages[start : start + BATCH]


def peer_extends(store: ox.Store, pages: Sequence[PageGraphs]) -> None:
    for batch in batches(pages):
        texts = b"".join((page.nquads or b"") + page.fetch for page in batch)
        store.extend(list(ox.parse(texts, format=ox.RdfFormat.N_QUADS)))


def peer_updates(store: ox.Store, pages: Sequence[PageGraphs]) -> None:
    for page in pages:
        names = (f"<{page.url}>", f"<{page.url}#fetch>")
        parts = []
        for name, nquads in zip(names, (page.nquads or b"", page.fetch), strict=True):
            triples = nquads.decode().replace(f" {name} .\n", " .\n")
            parts.append(
                f"DROP SILENT GRAPH {name}; INSERT DATA {{ GRAPH {name} {{ {triples} }} }}"
            )
        store.update(";\n".join(parts))


@dataclass
class Contest:
    """Everybody's graph, and what each does with some pages."""

    folder: Path
    peer: ox.Store
    ours: GraphStore
    graph: GraphProcess
    runner: asyncio.Runner

    def new(self) -> Actions:
        """Who adds pages that nobody knows, and how."""
        return {"peer": lambda pages: peer_extends(self.peer, pages), **self._ours()}

    def replaced(self) -> Actions:
        """Who replaces pages, and how."""
        return {"peer": lambda pages: peer_updates(self.peer, pages), **self._ours()}

    def _ours(self) -> Actions:
        return {"store": self._in_here, "process": self._in_the_process}

    def _in_here(self, pages: Sequence[PageGraphs]) -> None:
        for batch in batches(pages):
            assert not self.ours.replace(batch)

    def _in_the_process(self, pages: Sequence[PageGraphs]) -> None:
        async def send() -> None:
            async with asyncio.TaskGroup() as group:
                for batch in batches(pages):
                    group.create_task(self.graph.replace(batch))

        self.runner.run(send())


def best(rounds: Sequence[Sequence[PageGraphs]], actions: Actions) -> dict[str, float]:
    """Pages a second of each action, of its best round, in turn: machines are noisy."""
    rates = dict.fromkeys(actions, 0.0)
    for pages in rounds:
        for name, action in actions.items():
            started = time.perf_counter()
            action(pages)
            rates[name] = max(rates[name], len(pages) / (time.perf_counter() - started))
    return rates


def measured(contest: Contest, filled: int, size: int, rounds: int) -> dict[str, dict[str, float]]:
    """What each kind of page does, by who does it."""
    for start in range(0, filled, 10_000):
        pages = [made_page(number) for number in range(start, min(start + 10_000, filled))]
        for action in contest.new().values():
            action(pages)
    new = [[made_page(filled + r * size + n) for n in range(size)] for r in range(rounds)]
    again = [[made_page(filled + n, r + 1) for n in range(size)] for r in range(rounds)]
    same = [[made_page(filled + n, rounds) for n in range(size)]]
    anew = [[made_page(filled + n, r + 50, anew=1) for n in range(size)] for r in range(rounds)]
    return {
        "new": best(new, contest.new()),
        "replaced": best(again, contest.replaced()),
        "unchanged": best(same, contest.replaced()),
        "rewritten": best(anew, contest.replaced()),
    }


def milliseconds(contest: Contest, rounds: int) -> dict[str, float]:
    """What a flush and a query cost: of a graph that has just changed, and of one that has not."""

    async def run() -> dict[str, float]:
        graph, found = contest.graph, dict.fromkeys(("flush_ms", "query_fresh_ms", "query_ms"), 1e9)
        await graph.query(GraphQuery("ASK {}", ("json",))).read()
        for number in range(rounds + 2):
            await graph.replace([made_page(10**9 + number * BATCH + n) for n in range(BATCH)])
            for name in found:
                started = time.perf_counter()
                if name == "flush_ms":
                    await graph.flush()
                else:
                    await graph.query(
                        GraphQuery("SELECT * { ?s ?p ?o } LIMIT 10", ("json",))
                    ).read()
                found[name] = min(found[name], (time.perf_counter() - started) * 1000)
        return found

    return contest.runner.run(run())


def bytes_per_quad(contest: Contest) -> float:
    folder = contest.folder / "process" / "quads"
    size = sum(path.stat().st_size for path in folder.glob("*.sst"))  # the log comes and goes
    counts = contest.runner.run(contest.graph.counts())
    return size / (counts.quads + counts.pages * (QUADS_PER_PAGE - SOURCE_QUADS + 1))


@dataclass(slots=True)
class Found:
    """What was measured so far."""

    rates: dict[str, dict[str, float]] = field(default_factory=dict)  # pages a second
    ratios: dict[str, float] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--quads", type=int, default=None, help="source quads to begin with")
    parser.add_argument("--entities", type=int, default=None, help="things that are searched")
    parser.add_argument(
        "--part", choices=PARTS, action="append", help="this part, and others named"
    )
    options = parser.parse_args()
    size = TINY if options.tiny else QUICK if options.quick else FULL
    if options.quads:
        filled = options.quads // SOURCE_QUADS
        with_words = filled if size is FULL else 0
        size = replace(size, filled=filled, filled_with_words=with_words)
    if options.entities:
        size = replace(size, entities=options.entities)
    parts = options.part or PARTS
    folder = Path(tempfile.mkdtemp(prefix="gossamer-bench-"))
    found = Found()
    try:
        if "graph" in parts:
            graph(folder, size, found)
        if "words" in parts:
            words(folder, size, found)
        if "search" in parts:
            search(folder, size.entities, found)
    finally:
        shutil.rmtree(folder)
    report(found)


def graph(folder: Path, size: Size, found: Found) -> None:
    """What pages take until they are in the graph, with nothing beside it."""
    with asyncio.Runner() as runner:
        process = runner.run(GraphProcess(folder / "process").__aenter__())
        peer, ours = ox.Store(folder / "peer"), GraphStore.open(folder / "store")
        contest = Contest(folder, peer, ours, process, runner)
        found.rates = measured(contest, size.filled, size.pages, size.rounds)
        found.figures |= milliseconds(contest, size.rounds)
        found.figures["bytes_per_quad"] = bytes_per_quad(contest)
        runner.run(process.__aexit__(None, None, None))


def words(folder: Path, size: Size, found: Found) -> None:
    """What words cost whoever writes."""
    figures, ratios = found.figures, found.ratios
    rates = following.rates(folder, size.pages_with_words, size.filled_with_words)
    for name, rate in rates.items():
        figures[f"{name}_quads_per_s"] = rate.written
        if rate.in_step:
            figures[f"{name}_in_step_quads_per_s"] = rate.in_step
            figures["words_process_mb"] = rate.words_bytes / 1e6
            figures["words_mb"] = rate.disk_bytes / 1e6
    for kind in ("new", "replaced"):
        with_words, alone = rates[f"{kind}_with_words"], rates[f"{kind}_alone"]
        ratios[f"{kind}_with_words_to_alone"] = with_words.written / alone.written
    if size is TINY or not peers.are_here():
        return
    pages = [following.thing_page(number) for number in range(size.pages_for_rdflib)]
    for name, quads_per_s in beside_rdflib.rates(list(batches(pages))).items():
        ratios[f"new_with_words_to_{name}"] = rates["new_with_words"].written / quads_per_s
        print(f"{'new':10} {name:28} {quads_per_s:9.0f} quads/s")


def search(folder: Path, entities: int, found: Found) -> None:
    """What searches take."""
    ratios, figures = searching.measured(folder, entities)
    found.ratios |= ratios
    found.figures |= figures
    for name in sorted(name for name in figures if name.endswith("_ms")):
        print(f"{name:32} {figures[name]:9.2f}")


def report(found: Found) -> None:
    figures, ratios = found.figures, {name: round(each, 2) for name, each in found.ratios.items()}
    for kind, of in found.rates.items():
        for who, pages in of.items():
            figures[f"{kind}_{who}_pages_per_s"] = pages
            figures[f"{kind}_{who}_quads_per_s"] = pages * QUADS_PER_PAGE
            print(f"{kind:10} {who:8} {pages:8.0f} pages/s {pages * QUADS_PER_PAGE:9.0f} quads/s")
            if who != "peer":
                ratios[f"{kind}_{who}"] = round(pages / of["peer"], 2)
    print(json.dumps({"name": "index", "ratios": ratios, "figures": rounded(figures)}))


def rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in figures.items()}


if __name__ == "__main__":
    main()
