import pytest
from tests.demo.formats.reading import Page, pages
from tests.transform.jsonld.reading_back import graph, items, lines, messages

from gossamer.demo.content import Format
from gossamer.model import Syntax
from gossamer.transform.document import Document, Item


def found_on(read: Page) -> list[Item]:
    media_type = read.rendered.content_type.partition(";")[0]
    return items(Document(read.spec.url, read.text.encode(), media_type=media_type))


@pytest.mark.parametrize("format_", [Format.JSON_LD, Format.JSON_LD_IN_HTML, Format.MIXED])
def test_a_page_holds_exactly_what_it_says(format_: Format) -> None:
    for read in pages(format_, 100):
        found = found_on(read)
        assert messages(found) == []
        assert graph(lines(found)) == read.graph(Syntax.JSON_LD), read.spec


def test_a_broken_block_is_read_and_its_repair_is_on_record() -> None:
    for read in pages(Format.BROKEN_JSON_LD_IN_HTML, 100):
        found = found_on(read)
        assert messages(found)
        assert graph(lines(found)) == read.graph(Syntax.JSON_LD), read.spec
