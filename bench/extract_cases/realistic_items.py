"""Items of realistic pages as dictionaries, by us and by extruct: one kind alone, or all of them.

Each side gets the page as bytes, as it comes over the network, and gives what `json.dumps` can write. A kind is
read on all pages of the corpus, whether they hold it or not, as whoever reads the web does.

Run as a module with `ours` or `peer` and a kind (or `all`), it reads all pages once and prints the most memory that
took, in a process that has loaded that side alone.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from bench.extract_cases.realistic import RealisticPage, pages
from bench.extract_cases.realistic_quads import peak_mb

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "items_jsonld": "json-ld",
        "items_microdata": "microdata",
        "items_opengraph": "opengraph",
        "items_rdfa": "rdfa",
        "items_microformats": "microformat",
        "items_dublincore": "dublincore",
        "items_all": "all",
    }
)
"""The kinds by the name of their ratio."""


def ours(page: RealisticPage, kind: str) -> object:
    """The items by `gossamer.extract`."""
    import gossamer

    wanted = None if kind == "all" else [kind]
    return gossamer.extract(
        page.body, url=page.url, content_type="text/html", syntaxes=wanted
    ).items


def peer(page: RealisticPage, kind: str) -> object:
    """The items by `extruct.extract`."""
    import extruct

    wanted = {} if kind == "all" else {"syntaxes": [kind]}
    return extruct.extract(page.body, base_url=page.url, errors="ignore", **wanted)


def sides(kind: str) -> tuple[Callable[[RealisticPage], object], Callable[[RealisticPage], object]]:
    """Both sides, for one kind."""
    return partial(ours, kind=kind), partial(peer, kind=kind)


def memory_mb(kind: str, largest: int) -> dict[str, float]:
    """The most memory of a process that reads all pages, by side."""
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "bench.extract_cases.realistic_items"]
    told = {}
    for side in ("ours", "peer"):
        done = subprocess.run(
            [*command, side, kind, str(largest)],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        told[f"{side}_memory_mb"] = round(json.loads(done.stdout), 1)
    return told


def main(side: str, kind: str, largest: int) -> None:
    import logging
    import warnings

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    work = {"ours": ours, "peer": peer}[side]
    for page in pages(largest):
        work(page, kind)
    print(peak_mb())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
