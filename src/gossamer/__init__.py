"""Gossamer: a polite spider for the structured web.

`gossamer.extract(body, url=…)` turns a page into quads and items, `gossamer.pages(path)` all pages of a file,
folder or WARC file, `gossamer.open(folder)` asks what a crawl has found, `gossamer.crawl(seed)` crawls; see `gossamer.reading.extraction`,
`gossamer.reading.pages` and `gossamer.api`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gossamer.api.crawl import Crawl, crawl
    from gossamer.api.crawled_page import CrawledPage
    from gossamer.api.folder import Folder
    from gossamer.api.folder import open_folder as open  # noqa: A004 (`gossamer.open`, as `gzip.open`)
    from gossamer.api.results import QuadRows, Rows
    from gossamer.errors import GossamerError
    from gossamer.model import Cause, Detection, Link, Problem, Syntax
    from gossamer.reading.extraction import extract
    from gossamer.reading.page import Page
    from gossamer.reading.pages import pages
    from gossamer.tables.values import Iri
    from gossamer.transform.jsonld.processing import JsonLdOptions

__all__ = [
    "Cause",
    "Crawl",
    "CrawledPage",
    "Detection",
    "Folder",
    "GossamerError",
    "Iri",
    "JsonLdOptions",
    "Link",
    "Page",
    "Problem",
    "QuadRows",
    "Rows",
    "Syntax",
    "__version__",
    "crawl",
    "extract",
    "open",
    "pages",
]
__version__ = "0.1.0"

# Where each name is: extraction brings a dozen readers along, and commands that need none start at once.
_PLACES: Final = {
    **{
        name: ("gossamer.model", name)
        for name in ("Cause", "Detection", "Link", "Problem", "Syntax")
    },
    "Crawl": ("gossamer.api.crawl", "Crawl"),
    "CrawledPage": ("gossamer.api.crawled_page", "CrawledPage"),
    "Folder": ("gossamer.api.folder", "Folder"),
    "GossamerError": ("gossamer.errors", "GossamerError"),
    "Iri": ("gossamer.tables.values", "Iri"),
    "JsonLdOptions": ("gossamer.transform.jsonld.processing", "JsonLdOptions"),
    "Page": ("gossamer.reading.page", "Page"),
    "QuadRows": ("gossamer.api.results", "QuadRows"),
    "Rows": ("gossamer.api.results", "Rows"),
    "crawl": ("gossamer.api.crawl", "crawl"),
    "extract": ("gossamer.reading.extraction", "extract"),
    "open": ("gossamer.api.folder", "open_folder"),
    "pages": ("gossamer.reading.pages", "pages"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    if name not in _PLACES:
        raise AttributeError(f"module 'gossamer' has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """The package, whose functions `extract` and `crawl` have the names of two of its folders."""

    def __setattr__(self, name: str, value: object) -> None:
        # Python names a folder in its parent when it is first imported, by whomever: the function stays.
        if not (name in _PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
