from typing import Any

import pytest

import gossamer
from gossamer.config import Transform as Options
from gossamer.transform.schema_forms import is_of_schema_org, one_form
from gossamer.transform.terms import Triple

MICRODATA = b"""<div itemscope itemtype="https://schema.org/Event"><b itemprop=name>One</b>
<link itemprop=eventStatus href="https://schema.org/EventScheduled"></div>"""
RDFA = b"""<div vocab="https://www.schema.org/" typeof=Event><b property=name>One</b></div>"""
TURTLE = (
    b"""@prefix s: <https://schema.org/> . <> a s:Event ; s:name "One" ; s:when "1"^^s:Date ."""
)


def said(body: bytes, url: str = "http://page.test/", **options: Any) -> str:
    kind = "text/turtle" if body is TURTLE else "text/html"
    found = gossamer.extract(body, url=url, content_type=kind, **options)
    return found.nquads.decode()


@pytest.mark.parametrize("body", [MICRODATA, RDFA, TURTLE])
def test_schema_org_has_one_form_in_every_syntax(body: bytes) -> None:
    assert "<http://schema.org/Event>" in said(body)
    assert "<http://schema.org/name>" in said(body)
    assert "https://schema.org/" not in said(body)
    assert "www.schema.org/name" not in said(body)


@pytest.mark.parametrize("options", [{"strict": True}, {"options": Options(keep_schemes=True)}])
def test_what_the_page_wrote_can_be_had(options: dict[str, Any]) -> None:
    assert "<https://schema.org/Event>" in said(MICRODATA, **options)
    assert "<http://schema.org/" not in said(MICRODATA, **options)


def test_pages_of_schema_org_keep_their_addresses() -> None:
    url = "https://schema.org/Person"
    assert f"<{url}>" in said(b"<title>Person</title>", url=url)
    assert is_of_schema_org("http://www.schema.org")
    assert not is_of_schema_org("https://schema.org.test/")


@pytest.mark.parametrize(
    ("triple", "unified"),
    [
        (
            "<a:> <https://schema.org/p> <http://www.schema.org/Q>",
            "<a:> <http://schema.org/p> <http://schema.org/Q>",
        ),
        ("<https://schema.org/A> <b:> _:c", "<http://schema.org/A> <b:> _:c"),
        ('<a:> <b:> "1"^^<https://schema.org/Date>', '<a:> <b:> "1"^^<http://schema.org/Date>'),
        (
            '<a:> <b:> <<( <https://schema.org/A> <b:> "\\" <https://schema.org/x>"^^<https://schema.org/D> )>>',
            '<a:> <b:> <<( <http://schema.org/A> <b:> "\\" <https://schema.org/x>"^^<http://schema.org/D> )>>',
        ),
        # Literals, and addresses that are no names, are what they are.
        ('<a:> <b:> "<https://schema.org/x>"', '<a:> <b:> "<https://schema.org/x>"'),
        ('<a:> <b:> "\\" <https://schema.org/x>"@en', '<a:> <b:> "\\" <https://schema.org/x>"@en'),
        (
            "<a:> <b:> <https://schema.org/docs/x.html>",
            "<a:> <b:> <https://schema.org/docs/x.html>",
        ),
        ("<a:> <b:> <https://schema.org.test/x>", "<a:> <b:> <https://schema.org.test/x>"),
    ],
)
def test_names_are_changed_wherever_they_stand_and_nothing_else_is(
    triple: str, unified: str
) -> None:
    assert one_form(Triple(triple)) == unified
