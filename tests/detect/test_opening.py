import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.detect.opening import MOST_BYTES, Opening, opening, opening_behind_junk


@pytest.mark.parametrize(
    ("text", "name", "namespace"),
    [
        ("<a/>", "a", None),
        ("\ufeff \n<a>", "a", None),
        ('<a xmlns="urn:a">', "a", "urn:a"),
        ("<p:a xmlns='urn:x' xmlns:p = 'urn:p'>", "a", "urn:p"),
        ("<p:a xmlns='urn:x'>", "a", None),
        ('<a title="> xmlns=x" xmlns="urn:a">', "a", "urn:a"),
        ('<a xmlns="">', "a", None),
        ('<!DOCTYPE a [<!ENTITY n "urn:n#">]><a xmlns="&n;b&m;">', "a", "urn:n#b&m;"),
        ("<!-- <b> --><!-- > --><?b <c> ?><!DOCTYPE d><a>", "a", None),
        ("<?php oops ><a>", "a", None),
        ("<!-- never closed <a>", "", None),
        ("<!DOCTYPE a [ never closed <a>", "", None),
        ("<http://example.test/>", "", None),
        *(("<#me>", "", None), ("<>", "", None), ("</a>", "", None), ("<urn:a:b>", "", None)),
        *(("", "", None), ("text <a>", "", None), ("<a", "", None), ("<1>", "", None)),
    ],
)
def test_the_first_element_is_found_with_its_namespace(
    text: str, name: str, namespace: str | None
) -> None:
    found = opening(text.encode())
    assert (found.name, found.namespace) == (name, namespace)
    assert (found.root is None) == (not name)


def test_declaration_and_document_type_are_told() -> None:
    found = opening(b'<?xml version="1.0"?><!DOCTYPE HTML PUBLIC "-//W3C//DTD"><html lang="en">')
    assert found == Opening(True, "html", "html", None, b' lang="en"')
    assert opening(b"<html>") == Opening(False, "", "html", None)
    assert opening(b"<!doctype html><p>").doctype == "html"


def test_a_document_is_found_behind_junk() -> None:
    found = opening_behind_junk(b"Warning: oops\n<?xml version='1.0'?><rss>")
    assert found == Opening(True, "", "rss", None)
    assert opening_behind_junk(b"oops <a:feed xmlns:a='urn:a'>") == Opening(
        False, "", "feed", "urn:a", b" xmlns:a='urn:a'"
    )
    assert opening_behind_junk(b"oops <p>") is None
    assert opening_behind_junk(b"x" * 5000 + b"<rss>") is None


def test_a_root_far_down_is_not_looked_for() -> None:
    assert opening(b"<!---->" * 10 + b"<a>").name == "a"
    assert opening(b" " * MOST_BYTES + b"<a>").name == ""


@given(st.binary(max_size=200))
def test_any_bytes_open_somehow(text: bytes) -> None:
    for start in (b"", b"<!DOCTYPE a [", b"<a xmlns=", b"<!--", b"<?"):
        found = opening(start + text)
        assert (found.root is None) == (not found.name)
        opening_behind_junk(start + text)
