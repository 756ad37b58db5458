"""A page as a browser reads it: parsed by the rules of HTML5, with nothing in it that could do harm."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import html5lib
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tests.service.running import Answered

OURS = re.compile(r"/(?!/)|#")
FOLLOWED = ("http://", "https://")
# Parse errors that a page of ours must not have; html5lib knows some newer elements not.
FORGIVEN: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Page:
    """What came back, parsed."""

    headers: Mapping[str, str]
    source: str

    @cached_property
    def tree(self) -> LexborHTMLParser:
        return LexborHTMLParser(self.source)

    @property
    def text(self) -> str:
        """All words of the main part."""
        return " ".join(self.one("main").text(separator=" ").split())

    @property
    def title(self) -> str:
        return self.one("head > title").text()

    def all(self, selector: str) -> list[LexborNode]:
        return self.tree.css(selector)

    def one(self, selector: str) -> LexborNode:
        (found,) = self.tree.css(selector)
        return found

    def links(self, selector: str = "main a") -> list[str]:
        return [each.attributes["href"] or "" for each in self.tree.css(selector)]


def read(answer: Answered) -> Page:
    """The page, once it was found well-formed and harmless."""
    source = answer.body.decode()
    well_formed(source)
    page = Page(answer.headers, source)
    harmless(page)
    return page


def well_formed(source: str) -> None:
    """Assert that a parser has nothing to mend."""
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(source)
    wrong = [(where, code) for where, code, _ in parser.errors if code not in FORGIVEN]
    lines = source.splitlines()
    assert not wrong, [(code, lines[where[0] - 1 : where[0]]) for where, code in wrong[:5]]
    ids = re.findall(r'\sid="([^"]*)"', source)
    assert len(ids) == len(set(ids)), sorted(each for each in ids if ids.count(each) > 1)


def harmless(page: Page) -> None:
    """Assert that there is no script or style inside, and that links lead nowhere strange."""
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    for node in page.tree.css("*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on"), node.html
            assert name != "style", node.html
            if name in ("href", "src", "action", "formaction", "data"):
                check_address(node, value or "")
    assert not page.all("style, object, embed, base, applet")
    assert all(each.attributes.get("src") and not each.text() for each in page.all("script"))


def check_address(node: LexborNode, address: str) -> None:
    """Ours, or of the web and then without a word about who follows it."""
    if OURS.match(address):
        return
    assert address.startswith(FOLLOWED), node.html
    assert node.tag in ("a", "img"), node.html
    if node.tag == "a":
        rel = (node.attributes.get("rel") or "").split()
        assert {"nofollow", "noreferrer", "noopener"} <= set(rel), node.html
