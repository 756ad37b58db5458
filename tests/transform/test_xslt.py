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


def read(body: bytes, stylesheets: dict[str, str], media_type: str | None = None) -> list[Item]:
    options = Options(stylesheets=MappingProxyType(stylesheets))
    document = Document(URL, body, media_type=media_type, options=options)
    return list(xslt_statements(document))


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


UNTIDY = b"<title>T &amp; U</title><p>one<p>two<br>&nbsp;<table><td>x"
XHTML = "http://www.w3.org/1999/xhtml"


@pytest.mark.parametrize("key", [XHTML, "html"])
def test_html_is_given_to_a_stylesheet_as_the_xhtml_of_its_tree(key: str, tmp_path: Path) -> None:
    """As browsers have it: paragraphs closed, bodies of tables made, in XHTML's namespace."""
    path = stored(
        tmp_path,
        making_rdf(
            f"concat(//*[local-name() = 'title'], count(//*[namespace-uri() = '{XHTML}']),"
            "local-name(//*[local-name() = 'tr']/..), //*[local-name() = 'p'][1])"
        ),
    )
    assert read(UNTIDY, {key: path}, "text/html") == [
        f'<{URL}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> "T & U11tbodyone"'
    ]


def test_html_for_which_there_is_no_stylesheet_is_not_looked_at(tmp_path: Path) -> None:
    assert read(UNTIDY, {"book": stored(tmp_path, making_rdf("1"))}, "text/html") == []


def test_html_that_nests_deeply_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = stored(tmp_path, making_rdf("count(//*[local-name() = 'p'])"))
    found = read(b"<div>" * 1500 + b"</div>" * 1500 + b"<p>", {"html": path}, "text/html")
    assert [isinstance(item, Problem) for item in found] == [True, False]
    assert "256" in str(found[0])
    assert '"1"' in str(found[1])
