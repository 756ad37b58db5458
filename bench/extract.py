"""Pages to quads, beside the readers people use today: one process, the same pages, one run.

| ratio | ours | peer |
| --- | --- | --- |
| rdfa | RDFa to statements | pyRdfa3 to a graph |
| jsonld | script blocks to statements | PyLD's to_rdf, its context preloaded |
| microdata | microdata to statements | extruct, then PyLD to quads |
| microdata_items | microdata to statements | extruct's items alone, which are no quads yet |
| microformats | the mf2 JSON model | mf2py |
| rdf | Turtle and RDF/XML to statements | rdflib |
| all | every syntax and the page itself, as in `gossamer extract` | extruct with all its syntaxes |
| realistic | the same, on long and messy pages of several syntaxes | extruct with all its syntaxes |
| items_jsonld, items_microdata, … | `page.items` of these pages, one syntax alone | extruct's dictionaries, that syntax alone |
| items_all | `page.items` of these pages | extruct with all its syntaxes |

Times are CPU seconds, the best of several rounds, ours and the peer's in turn. A turn reads the
pages over and over for a while, however fast its side is: a few milliseconds between long turns
of the other would measure how the processor's caches and the allocator settle.
"""

import argparse
import gc
import importlib
import json
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import extruct
from bench.extract_cases.ordinary import URL
from bench.extract_cases.ordinary import pages as ordinary_pages
from bench.extract_cases.realistic import pages as realistic_pages
from bench.extract_cases.realistic_items import KINDS, sides
from bench.extract_cases.realistic_items import memory_mb as items_memory_mb
from bench.extract_cases.realistic_quads import memory_mb
from bench.extract_cases.realistic_quads import ours as realistic_ours
from bench.extract_cases.realistic_quads import peer as realistic_peer

from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob

LARGE = 8 << 20  # bytes of a large page
Work = Callable[[Any], object]  # of a page: its bytes, or a record that has them


@dataclass(frozen=True, slots=True)
class Size:
    """How long each side reads, and how often."""

    rounds: int
    turn: float = 0.15  # seconds: short, so that on a busy machine some turns are left alone
    pages: int | None = None  # of each case; None for all
    largest: int = 2 << 20  # bytes of a realistic page


FULL = Size(rounds=16)
QUICK = Size(rounds=8, largest=256 << 10)
TINY = Size(rounds=1, turn=0, pages=2, largest=40 << 10)


@dataclass(frozen=True, slots=True)
class Case:
    """A job that both sides do."""

    name: str
    pages: Sequence[Any]
    ours: Work
    peer: Work
    rounds: int = 16  # at most: the best of few, where reading all pages once takes seconds


def cases(size: Size) -> Iterator[Case]:
    """Every comparison there is."""
    for name in ("rdfa", "jsonld", "microdata", "microformats", "rdf"):
        module: Any = importlib.import_module(f"bench.extract_cases.{name}")
        yield Case(name, module.pages(), module.ours, module.peer)
        if name == "microdata":
            yield Case("microdata_items", module.pages(), module.ours, module.peer_items)
    yield Case("all", ordinary_pages(), everything, extruct_everything)
    yield Case("realistic", realistic_pages(size.largest), realistic_ours, realistic_peer, 3)
    for name, kind in KINDS.items():
        yield Case(name, realistic_pages(size.largest), *sides(kind), 5 if kind != "all" else 3)


def memory(case: str, largest: int) -> dict[str, float]:
    """The most memory of each side, for cases of realistic pages."""
    if case in KINDS:
        return items_memory_mb(KINDS[case], largest)
    return memory_mb(largest) if case == "realistic" else {}


def everything(page: bytes) -> int:
    return extract_page(PageJob(URL, page, "text/html", find_links=False)).count


def extruct_everything(page: bytes) -> int:
    found = extruct.extract(page.decode(), base_url=URL, errors="ignore")
    return sum(map(len, found.values()))


def seconds(work: Work, pages: Sequence[Any], turn: float) -> float:
    """CPU time that a side takes for a page, over a turn."""
    gc.collect()  # neither side pays for the other's garbage
    began = now = time.process_time()
    read = 0
    while not read or now < began + turn:
        for page in pages:
            work(page)
        read += len(pages)
        now = time.process_time()
    return max(now - began, 1e-9) / read


def measured(case: Case, size: Size) -> tuple[float, float]:
    """The best CPU seconds a page of ours and of the peer, taken in turn."""
    best = [float("inf"), float("inf")]
    for _ in range(min(case.rounds, size.rounds)):
        for side, work in enumerate((case.ours, case.peer)):
            took = seconds(work, case.pages[: size.pages], size.turn)
            best[side] = min(best[side], took)
    return best[0], best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="the cases whose names begin so")
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    # As in a process that has read one large page: glibc keeps twice of the most that was freed
    # at once, and else hands the heap back and takes it again around every small tree, or does
    # not, as luck will have it.
    bytearray(LARGE)
    ratios, figures = {}, {}
    for case in cases(size):
        if given.only and not case.name.startswith(given.only):
            continue
        ours, peer = measured(case, size)
        page_bytes = sum(len(getattr(page, "body", page)) for page in case.pages) / len(case.pages)
        ratios[case.name] = round(peer / ours, 1)
        figures[case.name] = {
            "pages_per_second": round(1 / ours),
            "peer_pages_per_second": round(1 / peer, 1),
            "page_bytes": round(page_bytes),
            **memory(case.name, size.largest),
        }
        print(
            f"{case.name:<16} {1 / ours:8,.0f} pages/s   peer {1 / peer:8,.1f}   {peer / ours:6.1f} x"
            f"   ({page_bytes / 1000:.1f} KB a page)",
            file=sys.stderr,
        )
    print(json.dumps({"name": "extract", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
