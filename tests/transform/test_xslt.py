from pathlib import Path
from types import MappingProxyType

import pytest
from lxml import etree
from tests.transform.canary import canary, making_rdf

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.xslt import stylesheet_key, xslt_statements

BOOK = b'<book xmlns="http://books.test/ns"><title>T &amp; U</title></book>'
URL = "https://example.test/book"


def read(body: bytes, stylesheets: dict[str, str]) -> list[Item]:
    options = Options(stylesheets=MappingProxyType(stylesheets))
    return list(xslt_statements(Document(URL, body, options=options)))


def stored(folder: Path, source: bytes) -> str:
    path = folder / "book.xsl"
    path.write_bytes(source)
    return str(path)


@pytest.mark.parametrize("key", ["http://books.test/ns", "book"])
def test_a_stylesheet_is_found_by_namespace_or_name(key: str, tmp_path: Path) -> None:
    path = stored(tmp_path, making_rdf("//*[local-name() = 'title']"))
    assert read(BOOK, {key: path}) == [
        f'<{URL}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> "T & U"'
    ]


def test_the_namespace_goes_first() -> None:
    options = Options(stylesheets=MappingProxyType({"book": "1", "http://books.test/ns": "2"}))
    assert stylesheet_key(options, etree.fromstring(BOOK)) == "http://books.test/ns"
    assert stylesheet_key(options, etree.fromstring(b"<film/>")) is None


def test_a_document_without_a_stylesheet_says_nothing(tmp_path: Path) -> None:
    assert read(BOOK, {}) == []
    assert read(b"no XML", {"book": "x"}) == []
    assert read(BOOK, {"film": stored(tmp_path, making_rdf("1"))}) == []


def test_a_missing_stylesheet_is_a_problem_that_names_it(tmp_path: Path) -> None:
    (problem,) = read(BOOK, {"book": str(tmp_path / "none.xsl")})
    assert isinstance(problem, Problem)
    assert "none.xsl is not used: it cannot be read: No such file" in problem.message


def test_a_bad_stylesheet_is_a_problem_that_names_it(tmp_path: Path) -> None:
    (problem,) = read(BOOK, {"book": stored(tmp_path, b"<x/>")})
    assert isinstance(problem, Problem)
    assert "book.xsl is not used: it is no stylesheet" in problem.message


def test_nothing_outside_is_read_or_written(tmp_path: Path) -> None:
    with canary(tmp_path) as bird:
        for source in bird.attempts():
            bird.assert_untouched(read(BOOK, {"book": stored(tmp_path, source)}))


def test_broken_xml_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = stored(tmp_path, making_rdf("count(//*)"))
    found = read(b"<book>" + b"<p>" * 100_000, {"book": path})
    assert [isinstance(item, Problem) for item in found] == [True, False]
