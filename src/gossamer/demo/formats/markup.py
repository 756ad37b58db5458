"""Text within HTML and XML: escaped, and free of what neither may hold."""

import re
from html import escape
from typing import Final

# Control characters, surrogates and noncharacters: no reference can stand for them.
_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SPECIAL: Final = re.compile(
    "[&<>\"'\r\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
)


def clean(text: str) -> str:
    """The text with U+FFFD for each character that markup cannot carry."""
    return _UNFIT.sub("\ufffd", text)


def escaped(text: str) -> str:
    """The text, safe within an element and within double quotes."""
    if not _SPECIAL.search(text):
        return text
    return escape(clean(text)).replace("\r", "&#13;")
