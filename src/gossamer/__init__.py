"""Gossamer: a polite spider for the structured web.

`gossamer.extract(body, url=…)` turns a page into quads, `gossamer.pages(path)` all pages of a file, folder
or WARC file; see `gossamer.reading.extraction` and `gossamer.reading.pages`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gossamer.reading.extraction import extract
    from gossamer.reading.jobs import Extracted
    from gossamer.reading.pages import pages
    from gossamer.transform.jsonld.processing import JsonLdOptions

__all__ = ["Extracted", "JsonLdOptions", "__version__", "extract", "pages"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    # Extraction brings a dozen readers along; commands that need none should start at once.
    if name in ("Extracted", "JsonLdOptions", "extract"):
        from gossamer.reading import extraction

        return getattr(extraction, name)
    if name == "pages":
        from gossamer.reading import pages as reading_pages

        return reading_pages.pages
    raise AttributeError(f"module 'gossamer' has no attribute {name!r}")
