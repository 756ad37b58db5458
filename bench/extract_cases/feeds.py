"""RSS and Atom feeds, read by us; beside them, the floor: lxml's tree and nothing more."""

from lxml import etree

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Url
from gossamer.transform.document import Document
from gossamer.transform.feeds import atom_statements, rss_statements

URL = Url("http://shop.example.test/list")


def pages() -> list[bytes]:
    """Demo feeds of all dresses, with ten and with a hundred entries."""
    return [
        render(PageSpec(URL, number, format_, "utf-8", _anchors(count))).body
        for format_ in (Format.RSS, Format.ATOM)
        for count in (10, 100)
        for number in range(10)
    ]


def ours(page: bytes) -> int:
    """How many statements we find."""
    transform = atom_statements if b"<feed" in page else rss_statements
    return sum(1 for _ in transform(Document(URL, page)))


def peer(page: bytes) -> int:
    """How many elements lxml finds."""
    return sum(1 for _ in etree.fromstring(page).iter())


def _anchors(count: int) -> tuple[Anchor, ...]:
    return tuple(Anchor(f"/things/{number}", f"Thing {number}") for number in range(count))
