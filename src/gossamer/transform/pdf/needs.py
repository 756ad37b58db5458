"""The library that reads PDF documents, which is an extra: whether it is there, and which line installs it."""

from functools import cache
from importlib.util import find_spec
from typing import Final

MISSING: Final = "PDF documents are read with pypdf. Install it with: pip install 'gossamer[pdf]'"
MEDIA_TYPE: Final = "application/pdf"
_NAMES: Final = frozenset((MEDIA_TYPE, "application/x-pdf"))


def is_pdf(media_type: str) -> bool:
    """Whether this is the type of a PDF document."""
    return media_type in _NAMES


@cache
def is_readable() -> bool:
    """Whether the library is installed."""
    return find_spec("pypdf") is not None
