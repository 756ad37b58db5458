"""The token once, and then a cookie: over a real socket, as a browser sends it."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from tests.service.running import TOKEN, Answered, Client, service_on
from tests.web.conftest import BROWSER
from tests.web.reading import read

from gossamer.config import Service
from gossamer.folder.data import DataFolder

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": BROWSER}


@pytest.fixture(scope="module")
def away(crawl: DataFolder, ask: Client) -> Iterator[Client]:
    """A service that others than this machine get to."""
    assert ask  # which has the folder
    with service_on(crawl, Service(token=TOKEN), is_loopback=False, beside=True) as client:
        yield client


def sent(ask: Client, token: str, back: str = "/crawl", **headers: str) -> Answered:
    return ask("/login", "POST", body=f"token={token}&next={back}", headers={**FORM, **headers})


def own(ask: Client) -> dict[str, str]:
    """What a browser says of a request of our own page."""
    return {"Origin": ask.url, "Sec-Fetch-Site": "same-origin"}


def cookie(ask: Client) -> dict[str, str]:
    begun = sent(ask, TOKEN, **own(ask))
    assert begun.status == 303
    return {"Cookie": begun.headers["set-cookie"].partition(";")[0]}


def test_the_token_gives_a_cookie_that_does_not_tell_it(away: Client) -> None:
    begun = sent(away, TOKEN, "/crawl?a=b", **own(away))
    assert (begun.status, begun.headers["location"]) == (303, "/crawl?a=b")
    given = begun.headers["set-cookie"]
    assert TOKEN not in given
    assert "httponly" in given.lower()
    assert "samesite=strict" in given.lower()
    assert "secure" not in given.lower()
    assert given.startswith(f"gossamer-{urlsplit(away.url).port}=")


def test_the_cookie_is_kept_to_tls_where_the_browser_came_by_it(away: Client) -> None:
    begun = sent(away, TOKEN, Origin=away.url.replace("http:", "https:"))
    assert "secure" in begun.headers["set-cookie"].lower()


def test_a_page_leads_to_the_form_and_on_to_where_one_wanted(away: Client) -> None:
    turned = away("/search?q=a%20b", headers={"Accept": BROWSER})
    assert turned.status == 303
    assert turned.headers["location"] == "/login?next=%2Fsearch%3Fq%3Da%2520b"
    page = read(away(turned.headers["location"], headers={"Accept": BROWSER}))
    assert page.one("input[name=next]").attributes["value"] == "/search?q=a%20b"
    assert away("/search?q=a", headers={"Accept": BROWSER, **cookie(away)}).status == 200
    assert away("/api/status").status == 401
    assert away("/api/status", headers=cookie(away)).status == 200


def test_a_wrong_token_is_said_to_be_wrong(away: Client) -> None:
    wrong = sent(away, "guess", **own(away))
    assert wrong.status == 401
    assert "set-cookie" not in wrong.headers
    page = read(wrong)
    assert "not the token" in page.text
    assert "guess" not in page.source


def test_who_tries_many_tokens_waits_and_gets_in_with_the_right_one(
    crawl: DataFolder, ask: Client
) -> None:
    assert ask  # which has the folder
    with service_on(crawl, Service(token=TOKEN), is_loopback=False, beside=True) as away:
        tried = [sent(away, f"guess{number}", **own(away)) for number in range(6)]
        assert [answer.status for answer in tried] == [401] * 5 + [429]
        assert tried[-1].headers["retry-after"] == "1"
        assert "wrong tokens" in read(tried[-1]).text
        assert sent(away, TOKEN, **own(away)).status == 303  # nobody locks out who knows it


def test_the_way_back_is_never_somebody_elses(away: Client) -> None:
    assert sent(away, TOKEN, "//evil.test/", **own(away)).headers["location"] == "/"
    assert sent(away, TOKEN, "https://evil.test/", **own(away)).headers["location"] == "/"


def test_a_cookie_changes_things_only_where_a_page_of_ours_sends_it(ask: Client) -> None:
    session = cookie(ask)

    def paused(**headers: str) -> int:
        return ask("/api/crawl/pause", "POST", headers={**session, **headers}).status

    assert paused(**own(ask)) == 409  # may, and there is no crawl
    assert paused(Origin=ask.url) == 409
    assert paused() == 401
    assert paused(Origin="http://evil.test") == 403
    assert paused(Origin="null") == 403
    assert paused(**{"Sec-Fetch-Site": "cross-site"}) == 403
    assert paused(**{**own(ask), "Cookie": "gossamer-1=x"}) == 401


def test_a_logout_ends_it(ask: Client) -> None:
    session = cookie(ask)
    assert "logged in" in read(ask("/login", headers={**session, "Accept": BROWSER})).text
    assert ask("/logout", "POST", headers={**FORM, **session}).status == 403
    ended = ask("/logout", "POST", headers={**FORM, **session, **own(ask)})
    assert ended.status == 303
    assert "max-age=0" in ended.headers["set-cookie"].lower()
    page = read(ask("/login", headers={**session, "Accept": BROWSER}))
    assert "Enter the token" in page.text
    assert "service.token or GOSSAMER_SERVICE_TOKEN" in page.text
    assert "/login?next=/crawl" in read(ask("/crawl", headers={"Accept": BROWSER})).links()


def test_without_a_token_nobody_logs_in(crawl: DataFolder, ask: Client) -> None:
    with service_on(crawl, Service(), beside=True) as other:
        page = read(other("/login", headers={"Accept": BROWSER}))
        assert "No token is set" in page.text
        assert sent(other, "", **own(other)).status == 403
        steering = read(other("/crawl", headers={"Accept": BROWSER}))
        assert "/login?next=/crawl" not in steering.links()
        assert "service.token" in steering.text
        assert ask("/health").status == 200


def test_a_login_of_many_bytes_is_refused(ask: Client) -> None:
    assert sent(ask, "x" * 70_000, **own(ask)).status == 413
