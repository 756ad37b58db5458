from itertools import islice

from tests.transform.rdfa.saying import URL, problems, said

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements


def test_roles_are_those_of_the_element() -> None:
    page = '<p id="x" role="heading dc:title"></p><p role="note"></p>'
    assert said(page) == [
        *("<#x> xhv:role xhv:heading", "<#x> xhv:role dc:title", "_:1 xhv:role xhv:note")
    ]


def test_links_to_styles_and_icons_are_left_out_unless_asked_for() -> None:
    page = '<p vocab="http://schema.org/"><link rel="shortcut icon next" href="i"></p>'
    assert said(page)[1:] == ["<> s:next <http://page.test/dir/i>"]
    assert len(said(page, options=Options(implied_links=True))) == 4


def test_a_style_that_is_left_out_still_takes_its_object() -> None:
    page = '<p vocab="http://schema.org/"><a rel="icon" href="i"><b property="name">n</b></a></p>'
    assert said(page)[1:] == ['<http://page.test/dir/i> s:name "n"']


def test_what_is_nested_too_deep_is_left_out_with_a_problem() -> None:
    page = "<div property=dc:title>" * 40
    options = Options(max_depth=20)
    assert len(said(page, options=options)) == 20
    shallow = page.replace("property=dc:title", "")
    assert len(said(f"{shallow}<p property=dc:title>t", options=options)) == 1


def test_after_the_depths_the_rest_is_read() -> None:
    deep = "<div about=#x>" * 30 + "<p property=dc:title>t</p>" + "</div>" * 30
    page = f"{deep}<p property=dc:date>d</p>"
    assert said(page, options=Options(max_depth=20)) == ['<> dc:date "d"']


def test_statements_come_while_the_page_is_read() -> None:
    page = '<p property="dc:title">t</p>' + "<p property=dc:title typeof=x:y></p>" * 10_000
    first = list(islice(rdfa_statements(Document(URL, page.encode())), 1))
    assert len(first) == 1


def test_a_hundred_thousand_nested_elements_are_no_trouble(full_size: bool) -> None:
    count = 100_000 if full_size else 20_000
    for start in ("<div property=dc:title>", "<div about=#x rel=dc:source>", "<b lang=en>", "<i>"):
        page = f"{start * count}<p property=dc:date>d</p>"
        found = said(page)
        assert len(found) <= 2 * Options().max_depth
    assert problems("<div property=dc:title>" * 1_000)[-1].startswith("What is nested more than")


def test_a_long_line_is_no_trouble(full_size: bool) -> None:
    count = 500_000 if full_size else 20_000
    page = '<p property="dc:title">t</p>' + '<a href="/x" rel="nofollow">link</a>' * count
    assert said(page) == ['<> dc:title "t"']
