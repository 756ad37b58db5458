import pytest

from gossamer.sitemaps.sniff import Beginning, beginning


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("http://a.test/\n", "text"),
        ("Not found", "text"),
        ("", "text"),
        ("<urlset>", "xml"),
        (' \n<?xml version="1.0"?>\n<!-- c -->\n<urlset>', "xml"),
        ("<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset>", "xml"),
        ("<other>", "xml"),
        ("<!DOCTYPE html><title>Error</title>", "html"),
        ("\ufeff\n<!-- c --><HTML lang='en'>", "html"),
        ("<?xml version='1.0'?><!doctype  HTML PUBLIC '-//W3C//DTD XHTML 1.0'>", "html"),
    ],
)
def test_the_first_characters_tell_the_kind(head: str, kind: str) -> None:
    assert beginning(head).kind == kind
    assert not beginning(head).junk


@pytest.mark.parametrize(
    "junk", ["Warning: line 3\n", "<br />\n<b>Warning</b>: no such file<br />\n"]
)
def test_what_a_script_says_before_the_document_is_skipped(junk: str) -> None:
    for document in ("<?xml version='1.0'?><urlset>", "<sit:urlset>", "<rss >"):
        assert beginning(junk + document) == Beginning("xml", len(junk), junk=True)


def test_thousands_of_comments_take_no_thousands_of_tries() -> None:
    # Exponential in the number of comments unless the expression gives nothing back.
    assert beginning("<!---->" * 5000 + "x").kind == "text"
