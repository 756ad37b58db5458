import pytest
from tests.demo.formats.reading import HTML_FORMATS, page, pages, rdfa_graph

from gossamer.demo.content import Format
from gossamer.model import Syntax


@pytest.mark.parametrize("format_", [Format.RDFA, Format.MIXED, Format.OPEN_GRAPH])
def test_pyrdfa_finds_what_the_page_is_said_to_hold(
    format_: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    for read in pages(format_, 14):
        assert rdfa_graph(read.text, monkeypatch) == read.graph(Syntax.RDFA), read.spec


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_a_page_holds_rdfa_only_if_it_says_so(
    format_: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    for read in pages(format_, 3):
        if Syntax.RDFA not in read.rendered.triples:
            assert rdfa_graph(read.text, monkeypatch) == frozenset()


def test_both_styles_of_naming_properties_occur() -> None:
    texts = [page(number, Format.RDFA).text for number in range(20)]
    assert any('property="s:name"' in text for text in texts)
    assert any('vocab="http://schema.org/"' in text for text in texts)
