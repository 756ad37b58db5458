"""A document as all its transforms see it: named, decoded and parsed once.

Not frozen, because it parses when first asked and keeps the result; nothing a transform
does may change what the next one sees.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from gossamer.config import Transform as Options
from gossamer.model import Problem, ServiceReply
from gossamer.transform.depth import is_harmless, shallow
from gossamer.transform.iris import join
from gossamer.transform.jsonld.processing import PLAIN, JsonLdOptions
from gossamer.transform.languages import Languages, marks
from gossamer.transform.terms import InGraph, Term, Triple

if TYPE_CHECKING:
    from gossamer.transform.pdf.file import PdfFile

DEFAULTS: Final = Options()
# Not to copy the chosen option into `selectedcontent`: what it says would be said twice.
_AS_WRITTEN: Final = LexborDocumentOptions.WO_EVENTS.value
# Where ASCII bytes do not stand for ASCII characters.
_NOT_AS_ASCII: Final = frozenset(("utf-16-le", "utf-16-be", "iso2022_jp"))
_OPENING: Final = 1024  # bytes
Item = Triple | InGraph | Problem
Transform = Callable[["Document"], Iterator[Item]]
"""What a syntax is to us: a document in, statements and problems out, in a fixed order."""

Owner = TypeVar("Owner")
Result = TypeVar("Result")


class Kept(Generic[Owner, Result]):
    """A lazy property: computed when first needed, and cached.

    `functools.cached_property` takes a lock before Python 3.12: four of those are a tenth of
    what a small page costs.
    """

    def __init__(self, work_out: Callable[[Owner], Result]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __get__(self, owner: Owner, _: type) -> Result:
        # From now on the owner's own attribute comes first, and this is not asked again.
        result = vars(owner)[self._work_out.__name__] = self._work_out(owner)
        return result


class Document:
    """The bytes of a document, with its URL, media type and options."""

    def __init__(
        self,
        url: str,
        body: bytes,
        *,
        media_type: str | None = None,
        encoding: str = "utf-8",
        options: Options | None = None,
        contexts: Mapping[str, bytes] = MappingProxyType({}),
        service: ServiceReply | None = None,
        json_ld: JsonLdOptions = PLAIN,
        fragment: str = "",
    ) -> None:
        self.url = url  # the page: names its source graph, and is the first base
        self.body = body  # content codings already undone
        self.media_type = media_type
        self.encoding = encoding  # a Python codec, as `detect` found it
        self.options = options or DEFAULTS
        self.contexts = contexts  # known JSON-LD contexts by address
        self.service = service  # what the service for its media type answered, if it was asked
        self.json_ld = json_ld
        self.fragment = fragment  # names the one script element that is to be read
        self.replacements_are_told = False  # characters that are lost in `text` are read otherwise
        self.is_cut = False  # whether its markup was too much for a parser; known once it is parsed
        self.items_are_cut = False  # whether a reader of items left some out for their size
        # Blank nodes of two pages never meet, and have the same names on every machine.
        self._blank = f"_:b{blake2b(url.encode(errors='replace'), digest_size=8).hexdigest()}"

    def of_markup(self, markup: bytes) -> "Document":
        """A document that has this UTF-8 instead of its own bytes."""
        return Document(
            self.url,
            markup,
            media_type=self.media_type,
            options=self.options,
            contexts=self.contexts,
            json_ld=self.json_ld,
        )

    def blank(self, label: str) -> Term:
        """The page's own blank node with this label (letters and digits).

        Whoever reads a document starts labels with letters of its own, so they do not meet
        either: d for feeds, f microformats, j JSON-LD, m microdata, r RDFa, t RDF; and what
        comes by the user's leave with g for GRDDL, s services, x XSLT, p plug-ins.
        """
        return Term(f"{self._blank}{label}")

    @Kept
    def text(self) -> str:
        """The decoded text; bytes that cannot be decoded are replaced."""
        return self.body.decode(self.encoding, errors="replace").removeprefix("\ufeff")

    @property
    def opening(self) -> str:
        """How the text begins, without all of it being decoded."""
        opening = self.body[:_OPENING].decode(self.encoding, errors="replace")
        return opening.removeprefix("\ufeff") if opening.strip() else self.text

    @property
    def utf_8(self) -> bytes:
        """The document in UTF-8; the bytes themselves, if they are that already."""
        return self.body if self._is_clean_utf_8 else self.text.encode(errors="replace")

    @Kept
    def html(self) -> LexborHTMLParser:
        """The HTML5 tree of any markup."""
        body = self.utf_8
        if not is_harmless(body):
            text = shallow(self.text)
            self.is_cut = len(text) < len(self.text)
            body = text.encode(errors="replace")
        return LexborHTMLParser(body, options=_AS_WRITTEN)

    @Kept
    def pdf(self) -> "PdfFile | Problem":
        """The document as a PDF, or why it cannot be read."""
        from gossamer.transform.pdf.statements import open_pdf  # few documents are one

        return open_pdf(self)

    @property
    def _is_clean_utf_8(self) -> bool:
        if self.encoding in _NOT_AS_ASCII:
            return False
        if self.body.isascii():
            return True
        if self.encoding != "utf-8" or self.body.startswith(BOM_UTF8):
            return False
        try:
            self.body.decode()  # and not kept: a tree needs no text, which takes up to four times as much
        except UnicodeDecodeError:
            return False
        return True

    @property
    def _are_told_otherwise(self) -> bool:
        return self.replacements_are_told and "html" not in vars(
            self
        )  # which has what was replaced

    @property
    def has_lost_characters(self) -> bool:
        """Whether the text, if anybody has asked for it, has replacements for undecodable bytes."""
        text: str | None = vars(self).get("text")
        if text is None or "\ufffd" not in text or self._are_told_otherwise:
            return False
        # Some pages were written with that character in them: that is no loss of ours.
        return self.body.decode(self.encoding, errors="ignore").count("\ufffd") < text.count(
            "\ufffd"
        )

    @Kept
    def languages(self) -> Languages:
        """The language of each element of an HTML page."""
        return Languages([node for node in self._framing if node.tag != "base"], self.media_type)

    @Kept
    def html_base(self) -> str:
        """The base URL of an HTML page: its base element, or its own URL."""
        return self.html_base_from(self.url)

    def html_base_from(self, url: str) -> str:
        """The base URL of the page as if it had come from another URL."""
        for node in self._framing:
            if node.tag == "base" and "href" in node.attributes:
                href = node.attributes["href"]
                return join(url, href) if href and href.strip() else url
        return url

    @Kept
    def _framing(self) -> list[LexborNode]:
        # Found in one go: most pages have one language, and none of the rest.
        return self.html.css(f"[href]:is(base),{marks(self.media_type)}")
