from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import pytest
from tests.demo.conftest import MALICE
from tests.demo.walker import Client

from gossamer.demo.malice.refusals import CLOSED, PNG


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 500])
def test_errors_are_what_they_are_called(malice_client: Client, status: int) -> None:
    assert malice_client.get(f"http://errors.malice.test/status/{status}").status == status


def test_labels_lie(malice_client: Client) -> None:
    page = malice_client.get("http://errors.malice.test/not-a-picture")
    assert (page.media_type, page.body[:9]) == ("image/png", b"<!DOCTYPE")
    picture = malice_client.get("http://errors.malice.test/a-picture")
    assert (picture.media_type, picture.body) == ("text/html", PNG)


@pytest.mark.parametrize("path", ["/bad%zz", "/100%", "/%", "/zero%00byte"])
def test_paths_with_bad_escapes_are_pages(malice_client: Client, path: str) -> None:
    assert malice_client.get(f"http://errors.malice.test{path}").status == 200


def test_away_says_until_when(malice_client: Client) -> None:
    response = malice_client.get("http://away.malice.test/closed")
    assert response.status == 503
    until = parsedate_to_datetime(response.headers["Retry-After"])
    assert (until - datetime.now(UTC)).total_seconds() <= 2
    assert malice_client.get("http://away.malice.test/closed").status == 200


def test_parked_never_opens(malice_client: Client) -> None:
    for _ in range(5):
        response = malice_client.get("http://parked.malice.test/never")
        assert (response.status, response.headers["Retry-After"]) == (503, "86400")


@pytest.mark.parametrize("path", ["/late", "/trickle"])
def test_slow_pages_arrive_whole_in_the_end(malice_client: Client, path: str) -> None:
    response = malice_client.get(f"http://slow.malice.test{path}")
    assert response.status == 200
    assert len(response.body) == int(response.headers["Content-Length"])
    assert MALICE.slow_seconds > 0


@pytest.mark.parametrize("host", CLOSED, ids=lambda host: host.name)
def test_no_robots_txt_is_to_be_had(malice_client: Client, host: object) -> None:
    name = getattr(host, "name", "")
    if name.startswith("robots-reset"):
        with pytest.raises(ConnectionError):
            malice_client.get(f"http://{name}/robots.txt")
    else:
        assert malice_client.get(f"http://{name}/robots.txt").status in (429, 500)
