"""Hash of the text that a reader of an HTML page sees: without markup, scripts and styles. Pure.

It is there to tell how often text misleads about changes: a counter or a date changes it, and a price in data does not.
"""

from hashlib import blake2b
from typing import Final

from selectolax.lexbor import LexborHTMLParser

HASH_BYTES: Final = 8
_UNSEEN: Final = "script, style, template, noscript"


def visible_text(tree: LexborHTMLParser) -> str:
    """The text that people see; runs of white space are one space."""
    body = tree.body
    if body is None:
        return ""
    text = body.text(deep=True, separator=" ")
    for unseen in body.css(_UNSEEN):
        if hidden := unseen.text(deep=True, separator=" "):
            text = text.replace(hidden, " ", 1)
    return " ".join(text.split())


def text_hash(text: str) -> bytes:
    """The hash of a text; pages without any have one hash, as they have one text."""
    return blake2b(text.encode(errors="replace"), digest_size=HASH_BYTES).digest()
