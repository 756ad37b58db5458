"""What is wrong, said to people and to programs."""

import pytest
from tests.service.running import TOKEN, Client, service_on
from tests.web.conftest import BROWSER, Look
from tests.web.reading import read

from gossamer.config import Service
from gossamer.folder.data import DataFolder


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nothing", 404), ("/search?tyqe=x", 400), ("/search?offset=many", 400),
     ("/static/none.css", 404), ("/<script>alert(1)</script>", 404), ("/search?%3Cb%3E=1", 400)],
)  # fmt: skip
def test_people_get_a_page(look: Look, path: str, status: int) -> None:
    page = look(path, status=status)
    assert page.one(".problem-status").text() == str(status)
    assert page.one("h1").text()


def test_a_wrong_parameter_is_named(look: Look) -> None:
    assert "'tyqe'" in look("/search", status=400, tyqe="x").text
    assert "Did you mean type?" in look("/search", status=400, tyqe="x").text


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/api/entity", "/sparql?query=x", "/trace?limit=x"]
)
def test_where_programs_ask_the_answer_is_json_whatever_is_accepted(ask: Client, path: str) -> None:
    answer = ask(path, headers={"Accept": BROWSER})
    assert answer.media_type == "application/problem+json"


@pytest.mark.parametrize(
    "accept", ["*/*", "application/json", "text/html;q=0.1, application/*", ""]
)
def test_programs_get_json_everywhere(ask: Client, accept: str) -> None:
    answer = ask("/nothing", headers={"Accept": accept})
    assert (answer.status, answer.json["code"]) == (404, "not-found")


def test_a_method_that_is_none_of_the_page_is_refused(ask: Client) -> None:
    answer = ask("/search", "POST", headers={"Accept": BROWSER})
    assert (answer.status, answer.media_type) == (405, "text/html")
    read(answer)


def test_whoever_comes_without_the_token_is_led_to_the_form_in_our_look(
    crawl: DataFolder, ask: Client
) -> None:
    with service_on(crawl, Service(token=TOKEN), is_loopback=False, beside=True) as outside:
        turned = outside("/", headers={"Accept": BROWSER})
        assert (turned.status, turned.headers["location"]) == (303, "/login?next=%2F")
        answer = outside("/login", headers={"Accept": BROWSER})
        page = read(answer)
        assert answer.headers["cache-control"] == "no-store"
        for style in page.all("link[rel=stylesheet]"):
            assert outside(style.attributes["href"] or "").status == 200
        assert outside("/search", q="secret").status == 401


def test_a_name_that_is_not_ours_gets_a_page_too(ask: Client) -> None:
    answer = ask("/", headers={"Accept": BROWSER, "Host": "evil.test"})
    assert answer.status == 421
    read(answer)
