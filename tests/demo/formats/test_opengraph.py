from tests.demo.formats.reading import URL, graph, html_root, pages

from gossamer.demo.content import Format
from gossamer.model import Syntax

NAMESPACES = {
    "og": "http://ogp.me/ns#",
    "article": "http://ogp.me/ns/article#",
    "twitter": "https://dev.twitter.com/cards/markup#",
}


def meta_lines(text: str) -> list[str]:
    """The meta elements of a page as docs/vocabularies.md reads them."""
    root = html_root(text)
    language = root.get("lang")
    lines = []
    for element in root.xpath("//meta[@property or @name]"):
        prefix, _, local = (element.get("property") or element.get("name")).partition(":")
        content = element.get("content")
        if prefix == "keywords":
            subject = "http://purl.org/dc/terms/subject"
            lines += [
                f'<{URL}> <{subject}> "{part.strip()}"@{language} .' for part in content.split(",")
            ]
        elif prefix in NAMESPACES:
            tag = "" if prefix == "twitter" and local == "card" else f"@{language}"
            lines.append(f'<{URL}> <{NAMESPACES[prefix]}{local}> "{content}"{tag} .')
    return lines


def test_the_meta_elements_say_what_the_page_is_said_to_hold() -> None:
    for format_ in (Format.OPEN_GRAPH, Format.MIXED):
        for read in pages(format_, 60):
            assert graph(meta_lines(read.text)) == read.graph(Syntax.OPEN_GRAPH), read.spec


def test_what_open_graph_says_rdfa_says_too() -> None:
    for read in pages(Format.OPEN_GRAPH, 20):
        triples = read.rendered.triples
        assert triples[Syntax.RDFA] < triples[Syntax.OPEN_GRAPH]
        assert any("ogp.me" in line for line in triples[Syntax.RDFA])


def test_no_other_page_has_open_graph() -> None:
    for format_ in (Format.HTML, Format.RDFA, Format.MICRODATA):
        for read in pages(format_, 7):
            assert meta_lines(read.text) == []
