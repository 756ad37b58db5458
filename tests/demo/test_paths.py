from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.content import Format
from gossamer.demo.paths import HTML_FORMATS, Shelf, index_in, page_path, relative, shelf_of

DRAWS = st.integers(0, 2**64 - 1)
FORMATS = st.sampled_from(Format)
INDEXES = st.integers(0, 999_999)


@given(INDEXES, FORMATS, DRAWS)
def test_a_path_tells_its_index(index: int, format_: Format, draw: int) -> None:
    assert index_in(page_path(index, format_, draw)) == index


def test_every_shelf_is_used_and_most_pages_are_public() -> None:
    shelves = [shelf_of(page_path(7, Format.HTML, draw)) for draw in range(24)]
    assert set(shelves) == set(Shelf)
    assert shelves.count(Shelf.PUBLIC) > 15


@pytest.mark.parametrize(
    ("path", "shelf"),
    [
        ("/", Shelf.PUBLIC),
        ("/private/3", Shelf.PRIVATE),
        ("/private/open/3", Shelf.PRIVATE_OPEN),
        ("/private/opened", Shelf.PRIVATE),
        ("/privateer", Shelf.PUBLIC),
        ("/drafts/3.html", Shelf.DRAFTS),
        ("/people/3/print", Shelf.PRINT),
        ("/people/3/printed", Shelf.PUBLIC),
    ],
)
def test_a_shelf_is_a_folder_or_an_ending(path: str, shelf: Shelf) -> None:
    assert shelf_of(path) is shelf


@given(INDEXES, FORMATS, DRAWS, INDEXES, FORMATS, DRAWS)
def test_a_relative_reference_leads_there(
    here: int, format_: Format, draw: int, there: int, other: Format, other_draw: int
) -> None:
    base, path = page_path(here, format_, draw), page_path(there, other, other_draw)
    assert urljoin("http://a.test" + base, relative(base, path)) == "http://a.test" + path


@pytest.mark.parametrize("path", ["/people/x", "/12a/b", "", "no-slash", "/people/12x.html"])
def test_a_path_without_a_number_tells_no_index(path: str) -> None:
    assert index_in(path) is None


def test_formats_are_html_or_have_an_ending() -> None:
    assert Format.MIXED in HTML_FORMATS
    assert Format.TURTLE not in HTML_FORMATS
    assert len(HTML_FORMATS) == 8
