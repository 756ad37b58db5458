"""Checks the bytes of a page for microformats, before anything is parsed.

Nine pages of ten hold none and must not pay for the others. RE2 finds a fixed beginning with
the machine's vector instructions, so the search is for class attributes with a name that means
something; a search for the names themselves, wherever they stand, takes up to five times as
long. Left out, knowingly: names spelled with character references, `cLASS`.
"""

import re
from typing import Final

import re2

from gossamer.transform.document import Document
from gossamer.transform.microformats.classic import CLASSIC_ROOTS
from gossamer.transform.microformats.vocabulary import VOCABULARY

# Names that mean nothing in RDF need not be looked for: `h-full` and `h-screen` of style sheets
# are such, and so is `h-4`, which is no name of a microformat at all.
_NAMES: Final = "|".join(re.escape(name) for name in sorted({*VOCABULARY, *CLASSIC_ROOTS}))
_VALUE: Final = (
    rf'\s*=\s*(?:"(?:[^"]*\s)?(?:{_NAMES})[\s"]'
    rf"|'(?:[^']*\s)?(?:{_NAMES})[\s']"
    rf"|(?:{_NAMES})[\s>])"
)
_OPTIONS: Final = re2.Options()
_OPTIONS.encoding = re2.Options.Encoding.LATIN1  # bytes, of whatever encoding
_SEARCHES: Final = tuple(
    re2.compile(f"{attribute}{_VALUE}".encode(), _OPTIONS) for attribute in ("class", "C(?i:lass)")
)


def may_hold_microformats(document: Document) -> bool:
    """Whether a class attribute in the source names a microformat; False is certain."""
    source = document.body
    if document.encoding.lower().startswith(("utf-16", "utf_16", "utf-32", "utf_32")):
        source = document.text.encode(errors="replace")
    return any(search.search(source) for search in _SEARCHES)
