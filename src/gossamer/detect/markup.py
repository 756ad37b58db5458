"""Recognises markup: HTML, feeds, RDF/XML, SVG and other XML."""

import re
from typing import Final

from gossamer.detect import kinds
from gossamer.detect.claims import Claim
from gossamer.detect.hypertext import page_evidence, rdfa_evidence
from gossamer.detect.kinds import Family, Kind
from gossamer.detect.opening import MOST_BYTES, Opening, opening, opening_behind_junk
from gossamer.model import Evidence, Syntax

XHTML_NAMESPACE: Final = "http://www.w3.org/1999/xhtml"
SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
RDF_NAMESPACE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ATOM_NAMESPACES: Final = frozenset(
    (
        *("http://www.w3.org/2005/Atom", "https://www.w3.org/2005/Atom"),
        *("http://www.w3.org/2005/atom", "http://www.w3.org/2005/Atom/"),
        "http://purl.org/atom/ns#",
        # Names that it had before.
        *("http://purl.org/echo/", "http://purl.org/pie/"),
        *("http://example.com/newformat#", "http://example.com/necho"),
    )
)
# The first element in a feed of Atom that declares no namespace.
_OF_ATOM: Final = re.compile(
    rb"<feed(?:\s[^<>]*+)?>(?:\s++|<!--(?:[^<-]|-(?!->))*+-->)*+"
    rb"<(?:title|id|link|updated|modified|author|entry|subtitle|tagline|generator)[\s/>]"
)
_RSS_AS_RDF: Final = re.compile(
    rb"http://(?:purl\.org/rss/1\.0/|(?:my|channel)\.netscape\.com/rdf/simple/0\.9/)"
)
_CHANNEL: Final = re.compile(rb"<(?:[\w.-]+:)?channel[\s>]")
_RDF_ATTRIBUTE: Final = re.compile(rb"\srdf:(?:about|ID|nodeID)\s*=")
# Elements that a page may begin with that leaves out its html element.
_HTML_ELEMENTS: Final = frozenset(
    (
        *("a", "article", "aside", "b", "base", "blockquote", "body", "br", "button"),
        *("center", "code", "div", "dl", "em", "fieldset", "font", "footer", "form"),
        *("frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "i"),
        *("iframe", "img", "input", "li", "link", "main", "meta", "nav", "noscript"),
        *("object", "ol", "p", "pre", "script", "section", "small", "span", "strong"),
        *("style", "table", "td", "th", "title", "tr", "ul", "video"),
    )
)
_CLOSES: Final = re.compile(rb"</|<(?:br|hr|img|input|link|meta)\b", re.IGNORECASE)


def markup_kind(text: bytes, claim: Claim) -> Kind | None:
    """The kind of a document that begins with markup."""
    first = opening(text)
    if _is_page(first, text, claim):
        return _feed_behind_warnings(text, first) or html_kind(text, claim, first)
    return _xml_kind(text, claim, first)


def junk_kind(text: bytes, claim: Claim) -> Kind | None:
    """The kind of a document that begins after junk, such as warnings of a script."""
    first = opening_behind_junk(text) if claim.is_open else None
    if first is None:
        return None
    if _is_html(first):
        return html_kind(text, claim, first)
    return _known_kind(text, claim, first)


def html_kind(text: bytes, claim: Claim, first: Opening | None = None) -> Kind:
    """The kind of an HTML page."""
    media_type = kinds.XHTML if first and _is_xhtml(claim, first) else kinds.HTML
    root = first.root if first else None
    return Kind(media_type, Family.HTML, page_evidence(text, claim.wanted), root)


def xml_kind(text: bytes, claim: Claim, first: Opening) -> Kind:
    """The kind of unknown XML, which may contain RDFa or have a stylesheet."""
    is_svg = first.name == "svg" and first.namespace in (SVG_NAMESPACE, None)
    own = claim.media_type if claim.family is Family.XML and claim.by_header else kinds.XML
    media_type = kinds.SVG if is_svg else own
    if rdfa := rdfa_evidence(text):
        return Kind(media_type, Family.XML, (rdfa,), first.root)
    named = f"the element {first.name}" if first.name else "no element"
    why = f"XML with {named} outermost and no RDFa in it."
    return Kind(media_type, Family.XML, root=first.root, skipped=why)


def _is_html(first: Opening) -> bool:
    return first.doctype == "html" or first.name.lower() == "html"


def _is_page(first: Opening, text: bytes, claim: Claim) -> bool:
    """Whether this is HTML beyond doubt, or by what is claimed and nothing speaks against."""
    if _is_html(first):
        # `<html> a <page> .` is Turtle, if somebody says that it is.
        return claim.family is not Family.NOTATION or _CLOSES.search(text) is not None
    usual = not first.namespace and first.name.lower() in _HTML_ELEMENTS
    if claim.family is Family.HTML:
        return usual or (bool(first.name) and not first.declared and not _known(first))
    return (
        claim.is_open
        and claim.family is Family.UNKNOWN
        and not first.declared
        and usual
        and _CLOSES.search(text) is not None
    )


def _is_xhtml(claim: Claim, first: Opening) -> bool:
    if claim.media_type == kinds.XHTML:
        return True
    if claim.media_type == kinds.HTML:
        return False
    return first.namespace == XHTML_NAMESPACE and (first.declared or claim.family is Family.XML)


def _feed_behind_warnings(text: bytes, first: Opening) -> Kind | None:
    """The feed that a script went on to write after it had complained in HTML."""
    if _is_html(first) or first.name.lower() not in ("br", "b", "p", "div", "pre", "font"):
        return None
    behind = opening_behind_junk(text)
    return _known_kind(text, None, behind) if behind else None


def _xml_kind(text: bytes, claim: Claim, first: Opening) -> Kind | None:
    if known := _known_kind(text, claim, first):
        return known
    if claim.family in (Family.OPAQUE, Family.NOTATION, Family.JSON) and not first.declared:
        return None
    if not first.name:
        return None
    if claim.family is Family.XML or first.declared or first.namespace or first.doctype:
        return xml_kind(text, claim, first)
    return None


def _known(first: Opening) -> bool:
    return _known_syntax(b"", None, first) is not None


def _known_kind(text: bytes, claim: Claim | None, first: Opening) -> Kind | None:
    found = _known_syntax(text, claim, first)
    if found is None:
        return None
    media_type, syntax, why = found
    return Kind(media_type, Family.XML, (Evidence(syntax, why),), first.root)


def _is_said_to_be_rdf(claim: Claim | None) -> bool:
    return claim is not None and claim.by_header and claim.media_type == kinds.RDF_XML


def _known_syntax(
    text: bytes, claim: Claim | None, first: Opening
) -> tuple[str, Syntax, str] | None:
    """Feeds and RDF, by their outermost element."""
    claimed = (claim.media_type, claim.suffix_type) if claim else ()
    name = first.name.lower()
    if name == "rss":
        return "application/rss+xml", Syntax.RSS, "an element rss outermost"
    if name == "rdf" and (first.namespace == RDF_NAMESPACE or first.namespace is None):
        if _RSS_AS_RDF.search(first.attributes) and _CHANNEL.search(text):
            return "application/rss+xml", Syntax.RSS, "RDF with a channel of RSS 1.0"
        return kinds.RDF_XML, Syntax.RDF_XML, "an element rdf:RDF outermost"
    if name in ("feed", "entry") and first.namespace in ATOM_NAMESPACES:
        return "application/atom+xml", Syntax.ATOM, f"an element {name} of Atom outermost"
    if name == "feed" and first.namespace is None and _OF_ATOM.search(text, 0, MOST_BYTES):
        return "application/atom+xml", Syntax.ATOM, "an element feed with elements of Atom in it"
    if name == "feed" and "application/atom+xml" in claimed:
        return "application/atom+xml", Syntax.ATOM, "said to be Atom, and has an element feed"
    if _RDF_ATTRIBUTE.search(first.attributes) and RDF_NAMESPACE.encode() in first.attributes:
        return kinds.RDF_XML, Syntax.RDF_XML, "an element with rdf:about outermost"
    if name and kinds.RDF_XML in claimed and RDF_NAMESPACE.encode() in first.attributes:
        return kinds.RDF_XML, Syntax.RDF_XML, "said to be RDF/XML"
    if first.namespace and _is_said_to_be_rdf(claim):
        # RDF/XML, section 7.2.1: a document may be a single element of a node.
        return kinds.RDF_XML, Syntax.RDF_XML, "said to be RDF/XML, with a node outermost"
    return None
