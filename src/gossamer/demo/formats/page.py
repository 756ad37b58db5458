"""The HTML page that every HTML format shares: head, prose, facts, links, bytes.

A format gives its attributes as a `Markup`; what the page says of itself is told here.
"""

import codecs
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.demo import words
from gossamer.demo.content import Anchor, PageSpec
from gossamer.demo.formats.markup import escaped
from gossamer.demo.formats.statements import DCTERMS, FOAF, iri, literal
from gossamer.demo.things import (
    Amount,
    Code,
    Duration,
    Item,
    Link,
    Moment,
    Text,
    Thing,
    Value,
    Whole,
)

_STYLE: Final = (
    "<style>body{font:16px/1.5 Georgia,serif;max-width:42em;margin:2em auto;padding:0 1em;"
    "color:#222}h1{font-size:1.8em;line-height:1.2}nav{border-top:1px solid #ccc}"
    "dt{color:#777;float:left;clear:left;width:12em}dd{margin-left:12em}</style>"
)
_NOFOLLOW: Final = ' rel="nofollow"'


class Markup:
    """Which attributes an HTML format puts where; this one, for plain pages, puts none."""

    def page(self) -> str:
        """On the element that holds all about the thing."""
        return ""

    def property(self, name: str) -> str:
        """On an element whose text, date or link is a value."""
        return ""

    def link(self, name: str, target: str) -> str:
        """A link to read, not to click: the anchors of a page are all the links it has."""
        attributes = self.property(name)
        return f'<link{attributes} href="{target}">{target}' if attributes else target

    def typed(self, name: str, lexical: str, datatype: str) -> str:
        """On an element whose value needs its type told: a number, a duration."""
        return self.property(name)

    def item(self, name: str, type_: str) -> tuple[str, "Markup"]:
        """On an element that holds an item, and what to use within."""
        return "", self


class Head(NamedTuple):
    """The elements that a format adds to the head."""

    attributes: str = ""  # of the html element
    elements: str = ""


PLAIN: Final = Markup()
NO_HEAD: Final = Head()


def title_of(thing: Thing) -> str:
    """The title of a page."""
    return f"{thing.name} – {words.KIND_NAMES[thing.language][thing.kind]}"


def page_statements(spec: PageSpec, thing: Thing) -> frozenset[str]:
    """What the page says of itself: see docs/vocabularies.md, "The page itself"."""
    page = iri(spec.url)
    mailboxes = [
        f"{page} <{FOAF}mbox> {iri(anchor.href.partition('?')[0])} ."
        for anchor in spec.anchors
        if anchor.href.startswith("mailto:")
    ]
    title = literal(title_of(thing), thing.language)
    description = literal(thing.description, thing.language)
    return frozenset(
        (
            f"{page} <{DCTERMS}title> {title} .",
            f"{page} <{DCTERMS}description> {description} .",
            f'{page} <{DCTERMS}language> "{thing.language}" .',
            *mailboxes,
        )
    )


def html(spec: PageSpec, thing: Thing, markup: Markup = PLAIN, head: Head = NO_HEAD) -> str:
    """The whole page as text."""
    robots = (
        f'<meta name="robots" content="{escaped(spec.robots_meta)}">\n' if spec.robots_meta else ""
    )
    prose = "\n".join(f"<p>{escaped(paragraph)}</p>" for paragraph in thing.paragraphs)
    description = escaped(thing.description)
    return f"""<!DOCTYPE html>
<html lang="{thing.language}"{head.attributes}>
<head>
{_meta_charset(spec, thing)}<title>{escaped(title_of(thing))}</title>
<meta name="viewport" content="width=device-width">
<meta name="description" content="{description}">
{robots}{head.elements}{_STYLE}
</head>
<body>
<main{markup.page()}>
<h1{markup.property("name")}>{escaped(thing.name)}</h1>
<p{markup.property("description")}>{description}</p>
{prose}
<dl>
{_facts(thing, markup)}
</dl>
</main>
<nav>
<h2>{words.SEE_ALSO[thing.language]}</h2>
<ul>
{_anchors(spec.anchors)}
</ul>
</nav>
</body>
</html>
"""


def _anchors(anchors: tuple[Anchor, ...]) -> str:
    return "\n".join(
        f'<li><a href="{escaped(anchor.href)}"{_NOFOLLOW if anchor.nofollow else ""}>'
        f"{escaped(anchor.label)}</a></li>"
        for anchor in anchors
    )


def _facts(thing: Thing, markup: Markup) -> str:
    return "\n".join(
        f"<dt>{_label(thing.language, name)}</dt><dd>{_value(name, value, markup)}</dd>"
        for name, value in thing.item.properties
        if name not in ("name", "description")
    )


@lru_cache(maxsize=256)
def _label(language: str, name: str) -> str:
    if label := words.LABELS[language].get(name):
        return label
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).capitalize()


def _value(name: str, value: Value, markup: Markup) -> str:
    match value:
        case Text(text, language):
            lang = f' lang="{language}"' if language else ""
            return f"<span{markup.property(name)}{lang}>{escaped(text)}</span>"
        case Item(type_, properties):
            attributes, within = markup.item(name, type_)
            parts = ", ".join([_value(part, inner, within) for part, inner in properties])
            return f"<span{attributes}>{parts}</span>"
        case Link(target):
            return markup.link(name, target)
        case Moment(moment):
            return f'<time{markup.property(name)} datetime="{moment}">{moment}</time>'
        case Duration(duration):
            attributes = markup.typed(name, duration, "xsd:duration")
            return f'<time{attributes} datetime="{duration}">{duration}</time>'
        case Code(text):
            return f"<span{markup.property(name)}>{escaped(text)}</span>"
        case Amount():
            return _number(name, value.decimal, "xsd:decimal", markup)
        case Whole(number):
            return _number(name, str(number), "xsd:integer", markup)


def _number(name: str, lexical: str, datatype: str, markup: Markup) -> str:
    attributes = markup.typed(name, lexical, datatype)
    return f'<data{attributes} value="{lexical}">{lexical}</data>'


class Declared(Enum):
    """How a page declares its character encoding."""

    HEADER = auto()
    META = auto()
    BOTH = auto()


def _declared(spec: PageSpec, thing: Thing) -> Declared:
    # HTML forbids a meta element that says UTF-16: whoever can read it knows already.
    if spec.charset.lower().startswith("utf-16"):
        return Declared.HEADER
    return (Declared.HEADER, Declared.META, Declared.BOTH)[thing.style % 3]


def _meta_charset(spec: PageSpec, thing: Thing) -> str:
    if _declared(spec, thing) is Declared.HEADER:
        return ""
    return f'<meta charset="{spec.charset}">\n'


def encoded(spec: PageSpec, thing: Thing, text: str) -> tuple[bytes, str]:
    """The page in its charset, and the content type that goes with it.

    Character references stand for what the charset lacks.
    """
    mark, codec = _codec(spec.charset)
    silent = _declared(spec, thing) is Declared.META
    content_type = "text/html" if silent else f"text/html; charset={spec.charset}"
    return mark + text.encode(codec, "xmlcharrefreplace"), content_type


@lru_cache(maxsize=64)
def _codec(charset: str) -> tuple[bytes, str]:
    # Python's "utf-16" takes the byte order of the machine; a page must not.
    if charset.lower() in ("utf-16", "utf-16le"):
        return codecs.BOM_UTF16_LE, "utf-16-le"
    if charset.lower() == "utf-16be":
        return codecs.BOM_UTF16_BE, "utf-16-be"
    return b"", charset
