from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from gossamer.transform.document import Document
from gossamer.transform.safe_xml import Xml, parsed


def read(body: bytes, **more: bool) -> Xml:
    return parsed(Document("https://example.test/", body), "rss", **more)


def text_of(xml: Xml) -> str:
    assert xml.root is not None
    return str(xml.root.xpath("string()"))


def test_good_xml_is_a_tree_without_problems() -> None:
    xml = read("<a><b>é</b><!-- c --></a>".encode())
    assert xml.root is not None
    assert etree.tostring(xml.root, encoding="unicode") == "<a><b>é</b></a>"
    assert xml.problems == ()


def test_comments_are_kept_when_wanted() -> None:
    xml = read(b"<a><!-- c --><?p?></a>", keep_comments=True)
    assert xml.root is not None
    assert etree.tostring(xml.root) == b"<a><!-- c --><?p?></a>"


def test_what_is_good_of_broken_xml_is_kept_and_the_line_told() -> None:
    xml = read(b"<a>\n<b>x</a>")
    assert text_of(xml) == "\nx"
    assert [(problem.syntax, problem.line) for problem in xml.problems] == [("rss", 2)]


@pytest.mark.parametrize("body", [b"", b"no markup", b"<", b"<!-- only -->", b"\0\0"])
def test_what_is_no_xml_has_no_root(body: bytes) -> None:
    xml = read(body)
    assert xml.root is None
    assert xml.problems


def test_stray_bytes_of_windows_are_read_as_they_were_meant() -> None:
    xml = read("<a>é".encode() + "’</a>".encode("cp1252"))
    assert text_of(xml) == "é’"
    assert "Windows-1252" in xml.problems[0].message


def test_no_file_is_ever_read(tmp_path: Path) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("secret")
    dtd = tmp_path / "canary.dtd"
    dtd.write_text('<!ENTITY y "secret"><!ATTLIST a z CDATA "secret">')
    subset = f'<!ENTITY x SYSTEM "{canary.as_uri()}"><!ENTITY % p SYSTEM "{dtd.as_uri()}"> %p;'
    body = f'<!DOCTYPE a SYSTEM "{dtd.as_uri()}" [{subset}]><a b="&y;">&x;&y;</a>'
    xml = read(body.encode())
    assert xml.root is not None
    assert b"secret" not in etree.tostring(xml.root)


def test_deep_nesting_ends_where_the_parser_stops() -> None:
    xml = read(b"<a>" * 100_000)
    assert xml.root is not None
    assert "depth" in xml.problems[0].message


@given(st.binary(max_size=200))
def test_any_bytes_give_a_tree_or_a_problem(body: bytes) -> None:
    xml = read(b"<a>" + body)
    assert xml.root is not None or xml.problems
