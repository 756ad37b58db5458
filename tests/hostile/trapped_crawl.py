"""A crawl in a process that has no parser: run by `test_owner_parses_nothing.py`, as a program.

Whoever imports a parser of pages here fails at once; what parses or unpacks and is at hand for other
reasons is noted. Workers are processes of their own, and have all they need.
"""

import json
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

FORBIDDEN = {"lxml", "selectolax", "pyld", "mf2py", "html5lib"}
CALLS: Counter[str] = Counter()  # of native readers, by who called them


class NoParsers:
    """Finds no module that has a parser of pages."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse what is forbidden, and leave the rest to others."""
        if name.partition(".")[0] in FORBIDDEN:
            raise ImportError(f"{name} is for workers")
        return None


def trap(module: Any, name: str) -> None:
    """Note by whom of ours a function is called."""
    real: Callable[..., Any] = getattr(module, name)

    def noted(*args: Any, **kwargs: Any) -> Any:
        ours = [each for each in traceback.extract_stack() if "/src/gossamer/" in each.filename]
        place = ours[-1].filename.rpartition("/src/gossamer/")[2] if ours else "?"
        CALLS[f"{module.__name__}.{name} in {place}"] += 1
        return real(*args, **kwargs)

    setattr(module, name, noted)


def main(folder: Path) -> None:
    """Crawl a site that has something of everything; print what was read, and who parsed."""
    sys.meta_path.insert(0, NoParsers())
    import zlib

    import brotli
    import pyoxigraph

    trap(pyoxigraph, "parse")
    trap(pyoxigraph, "parse_query_results")
    trap(zlib, "decompressobj")
    trap(brotli, "Decompressor")
    from tests.crawl.crawls import hurried
    from tests.crawl.sites import crawled_site
    from tests.hostile.something_of_everything import SEEDS, site

    found, _ = crawled_site(folder, site(), SEEDS, hurried(sitemaps=True, scope="host"))
    read = {url: str(page.ended) for url, page in found.pages.items()}
    told = {"pages": read, "calls": CALLS, "quads": found.nquads.count(b"\n")}
    sys.stdout.write(f"{json.dumps(told)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
