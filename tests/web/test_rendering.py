"""Templates into pages."""

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup
from tests.service.running import Client
from tests.web.conftest import Look
from tests.web.reading import well_formed

from gossamer.web.rendering import TEMPLATES, plain_page, rendered


def test_a_page_out_of_a_title_and_markup_escapes_the_title() -> None:
    answer = plain_page("<b>Log in</b>", Markup("<p>Here.</p>"), status=401)
    source = bytes(answer.body).decode()
    well_formed(source)
    assert (answer.status_code, answer.media_type) == (401, "text/html")
    assert "<h1>&lt;b&gt;Log in&lt;/b&gt;</h1>" in source
    assert "<p>Here.</p>" in source


def test_a_value_that_is_missing_is_no_silence() -> None:
    with pytest.raises(UndefinedError):
        rendered("problem.html", object())


def test_no_template_takes_text_for_markup() -> None:
    for path in TEMPLATES.glob("*.html"):
        source = path.read_text()
        assert "|safe" not in source.replace(" ", ""), path
        assert "autoescape" not in source, path


def test_a_page_is_not_sent_again_to_whoever_has_it(ask: Client) -> None:
    tag = ask("/").headers["etag"]
    assert ask("/", headers={"If-None-Match": tag}).status == 304


def test_head_of_a_page_has_its_headers_alone(ask: Client) -> None:
    answer = ask("/", "HEAD")
    assert (answer.status, answer.media_type, answer.body) == (200, "text/html", b"")


def test_a_page_names_where_one_is(look: Look) -> None:
    assert look("/").one(".nav [aria-current]").text() == "Search"
