from pathlib import Path

from tests.transform.canary import canary, making_rdf

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.grddl import grddl_statements

URL = "https://example.test/a/page"
SHEET = "https://example.test/a/sheet.xsl"
XML = b'<x xmlns:g="http://www.w3.org/2003/g/data-view#" g:transformation="sheet.xsl">7</x>'
HTML = b"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/xhtml1.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head profile="a http://www.w3.org/2003/g/data-view">
<base href="/a/b/"/><link rel="stylesheet transformation" href="../sheet.xsl"/></head>
<body>&nbsp;<a rel="Transformation" href="/other.xsl">x</a></body></html>"""
VALUE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>"


def read(body: bytes, source: bytes | None, *allowed: str) -> list[Item]:
    contexts = {} if source is None else {SHEET: source}
    options = Options(grddl=allowed)
    return list(grddl_statements(Document(URL, body, options=options, contexts=contexts)))


def test_an_allowed_transformation_of_xml_runs() -> None:
    assert read(XML, making_rdf("/*"), SHEET) == [f'<{URL}> {VALUE} "7"']


def test_transformations_of_xhtml_are_links_of_a_head_with_the_profile() -> None:
    first, second = read(HTML, making_rdf("count(//*)"), SHEET)
    assert first == f'<{URL}> {VALUE} "6"'
    assert isinstance(second, Problem)
    assert '"https://example.test/other.xsl" is not in `transform.grddl`' in second.message
    assert read(HTML.replace(b"data-view", b"other-view"), making_rdf("1"), SHEET) == []
    assert read(HTML.replace(b"profile", b"title"), making_rdf("1"), SHEET) == []


def test_a_transformation_that_nobody_allowed_is_not_even_wanted() -> None:
    (problem,) = read(XML, making_rdf("/*"))
    assert isinstance(problem, Problem)
    assert problem.wants is None


def test_an_allowed_transformation_that_is_not_at_hand_is_wanted() -> None:
    (problem,) = read(XML, None, SHEET)
    assert isinstance(problem, Problem)
    assert problem.wants == SHEET


def test_blank_nodes_of_two_transformations_do_not_meet() -> None:
    other = "https://example.test/other.xsl"
    source = making_rdf("1").replace(b' rdf:about=""', b"")
    contexts = {SHEET: source, other: source}
    document = Document(URL, HTML, options=Options(grddl=(SHEET, other)), contexts=contexts)
    first, second = grddl_statements(document)
    assert str(first).split()[0] != str(second).split()[0]


def test_nothing_outside_is_read_or_written(tmp_path: Path) -> None:
    with canary(tmp_path) as bird:
        for source in bird.attempts():
            bird.assert_untouched(read(XML, source, SHEET))


def test_a_document_names_only_so_many() -> None:
    many = " ".join(f"s{number}.xsl" for number in range(1000)).encode()
    assert len(read(XML.replace(b"sheet.xsl", many), None)) == 8
    assert read(b"<broken http://www.w3.org/2003/g/data-view", None) == []
