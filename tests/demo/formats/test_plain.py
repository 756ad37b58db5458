from tests.demo.formats.reading import pages

from gossamer.demo.content import Format
from gossamer.model import Syntax


def test_a_plain_page_speaks_only_of_itself() -> None:
    for read in pages(Format.HTML, 20):
        assert set(read.rendered.triples) == {Syntax.PAGE}
        assert not any(mark in read.text for mark in ("itemprop", "property=", "ld+json", "class="))
