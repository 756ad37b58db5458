"""Gossamer: a polite spider for the structured web.

`gossamer.extract(body, url=…)` turns a page into quads; see `gossamer.reading.extraction`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gossamer.reading.extraction import extract
    from gossamer.reading.jobs import Extracted

__all__ = ["Extracted", "__version__", "extract"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    # Extraction brings a dozen readers along; commands that need none should start at once.
    if name in ("Extracted", "extract"):
        from gossamer.reading import extraction

        return getattr(extraction, name)
    raise AttributeError(f"module 'gossamer' has no attribute {name!r}")
