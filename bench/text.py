"""Visible text: what it costs to extract, how fast it is searched, and how well it is ranked.

| part | what |
| --- | --- |
| extract | CPU per page of 15 KB for the lead and for all of its text, by what reading the page takes anyway |
| search | milliseconds of CPU for whole answers, with facets and snippets, among many pages with text |
| relevance | nDCG@10 over the judged collection of the demo web, beside SQLite's FTS5 |

What text costs a whole crawl: `tools/alternate.py --options='--config index.text=none'`.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.crawl_cases.web import Web
from bench.text_cases import many_pages, relevance

from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob

FULL, QUICK, TINY = 1_000_000, 20_000, 200
PARTS = ("extract", "search", "relevance")


def extracting(rounds: int) -> dict[str, float]:
    """Milliseconds of CPU for a page, without text, with its lead and with all of it."""
    pages = [
        answer.split(b"\r\n\r\n", 1)[1]
        for _, path, answer in Web(1, 80).answers()
        if b"page" in path
    ]
    took: dict[str, list[float]] = {"none": [], "lead": [], "full": []}
    for _ in range(rounds):
        for kind, times in took.items():
            times.append(_milliseconds(pages, kind))
    best = {kind: min(times) for kind, times in took.items()}
    return {f"extract_{kind}_ms": value for kind, value in best.items()} | {
        "extract_lead_share": statistics.median(
            lead / none - 1 for lead, none in zip(took["lead"], took["none"], strict=True)
        )
    }


def _milliseconds(pages: Sequence[bytes], kind: str) -> float:
    """CPU for a page."""
    started = time.process_time()
    for page in pages:
        job = PageJob(
            "http://a.test/",
            page,
            "text/html",
            bare_links=True,
            hashes=True,
            text=kind,  # type: ignore[arg-type]
        )
        extract_page(job)
    return (time.process_time() - started) * 1000 / len(pages)


def main() -> None:
    """Measure the parts, and end with one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tiny", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--pages", type=int, help="to be searched")
    parser.add_argument("--part", choices=PARTS, action="append")
    given = parser.parse_args()
    count = given.pages or (TINY if given.tiny else QUICK if given.quick else FULL)
    parts = given.part or PARTS
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        if "extract" in parts:
            figures |= extracting(1 if given.tiny else 5)
        if "search" in parts:
            figures |= many_pages.measured(Path(folder) / "many", count)
        if "relevance" in parts:
            judged = relevance.measured(Path(folder) / "judged")
            figures |= {f"judged_{name}": value for name, value in judged.items()}
            ratios = {
                "ndcg_to_fts5": judged["ndcg"] / judged["fts5_ndcg"],
                "ndcg_to_fts5_of_our_text": judged["ndcg"] / judged["fts5_of_our_text_ndcg"],
            }
    for name, value in figures.items():
        print(f"{name:32} {value:12.3f}")
    print(json.dumps({"name": "text", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
