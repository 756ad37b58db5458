"""One document as all its transforms see it: named, decoded and parsed once.

Not frozen, because it parses when first asked and keeps the result; nothing a transform
does may change what the next one sees.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.depth import has_few_tags, shallow
from gossamer.transform.iris import join
from gossamer.transform.languages import Languages
from gossamer.transform.terms import InGraph, Term, Triple

DEFAULTS: Final = Options()
Item = Triple | InGraph | Problem
Transform = Callable[["Document"], Iterator[Item]]
"""What a syntax is to us: a document in, statements and problems out, in a fixed order."""


class Document:
    """Bytes with a name, and what they are taken for."""

    def __init__(
        self,
        url: str,
        body: bytes,
        *,
        media_type: str | None = None,
        encoding: str = "utf-8",
        options: Options | None = None,
        contexts: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        self.url = url  # the page: names its source graph, and is the first base
        self.body = body  # content codings already undone
        self.media_type = media_type
        self.encoding = encoding  # a Python codec, as `detect` found it
        self.options = options or DEFAULTS
        self.contexts = contexts  # known JSON-LD contexts by address
        # Blank nodes of two pages never meet, and have the same names on every machine.
        self._blank = f"_:b{blake2b(url.encode(errors='replace'), digest_size=8).hexdigest()}"

    def blank(self, label: str) -> Term:
        """The blank node with this label (letters and digits), which is this page's own.

        Each syntax starts its labels with letters of its own, so they do not meet either.
        """
        return Term(f"{self._blank}{label}")

    @cached_property
    def text(self) -> str:
        """The document decoded; what cannot be decoded is replaced."""
        return self.body.decode(self.encoding, errors="replace").removeprefix("\ufeff")

    @cached_property
    def html(self) -> LexborHTMLParser:
        """The HTML5 tree, whatever the markup is like."""
        if self._is_clean_utf_8 and has_few_tags(self.body):
            return LexborHTMLParser(self.body)  # it reads UTF-8, and need not be given it anew
        return LexborHTMLParser(shallow(self.text))

    @property
    def _is_clean_utf_8(self) -> bool:
        return (
            self.encoding == "utf-8"
            and not self.body.startswith(BOM_UTF8)
            and "\ufffd" not in self.text  # nothing had to be replaced
        )

    @cached_property
    def languages(self) -> Languages:
        """Which language each element of an HTML page is in."""
        return Languages(self.html, self.media_type)

    @cached_property
    def html_base(self) -> str:
        """What relative references of an HTML page are joined to: its base element, or its URL."""
        for element in self.html.css("base[href]"):
            href = element.attributes.get("href")
            return join(self.url, href) if href and href.strip() else self.url
        return self.url
