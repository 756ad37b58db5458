"""What is in front of every route, asked over a real socket."""

import asyncio
import http.client
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.responses import JSONResponse, Response
from tests.service.running import TOKEN, Client, service_on
from tests.slowness import patience

from gossamer.config import Service
from gossamer.events import ServiceFault
from gossamer.folder.data import DataFolder
from gossamer.service.guard import HEADERS
from gossamer.service.monitoring import ROUTES as HEALTH
from gossamer.service.routes import Call, Route, json_reply
from gossamer.service.schemas import ANYTHING
from gossamer.web import app


async def broken(call: Call) -> Response:
    raise ZeroDivisionError("a secret")


async def fine(call: Call) -> Response:
    return JSONResponse({"much": "x" * 5000})


async def endless(call: Call) -> Response:
    await asyncio.Event().wait()
    return JSONResponse({})


WELL = json_reply("Well.", ANYTHING)
ROUTES = (
    *HEALTH,
    Route(path="/broken", summary="Break", handler=broken, replies=WELL),
    Route(path="/endless", summary="Wait", handler=endless, replies=WELL),
    Route(path="/thing", summary="See", handler=fine, replies=WELL),
    Route(path="/thing", method="PUT", summary="Set", handler=fine, replies=WELL, changes=True),
)
FRIEND = "https://friend.test"


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path)


@pytest.fixture
def say(folder: DataFolder) -> Iterator[Client]:
    with service_on(folder, Service(token=TOKEN, origins=(FRIEND,)), routes=ROUTES) as client:
        yield client


def test_a_defect_of_ours_is_told_to_the_log_and_not_to_whoever_asked(say: Client) -> None:
    answer = say("/broken")
    assert (answer.status, answer.json["code"]) == (500, "our-fault")
    assert b"secret" not in answer.body
    assert b"Traceback" not in answer.body
    (event,) = say.events
    assert isinstance(event, ServiceFault)
    assert event.route == "GET /broken"
    assert event.message == "ZeroDivisionError: a secret"
    assert "test_app.py" in event.where


def test_nobody_waits_for_ever(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "WAIT_SECONDS", 0.1)
    with service_on(folder, Service(query_time=timedelta(seconds=0.1)), routes=ROUTES) as say:
        answer = say("/endless")
    assert (answer.status, answer.json["code"]) == (503, "busy")


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/nothing", "GET", 404),
        ("/thing", "DELETE", 405),
        ("/thing", "PATCH", 405),
        ("//", "GET", 404),
    ],
)
def test_what_there_is_not_has_the_shape_of_all_errors(
    say: Client, path: str, method: str, status: int
) -> None:
    answer = say(path, method)
    assert (answer.status, answer.media_type) == (status, "application/problem+json")
    assert answer.json["status"] == status
    if status == 405:
        assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "PUT"}


@pytest.mark.parametrize("path", ["/health", "/nothing", "/broken", "/thing"])
def test_every_answer_has_the_headers_that_keep_browsers_safe(say: Client, path: str) -> None:
    told = say(path).headers
    assert {name: told[name.lower()] for name in HEADERS} == dict(HEADERS)
    assert "server" not in told
    assert "unsafe" not in told["content-security-policy"]


def test_another_name_is_refused_before_anything_else(say: Client) -> None:
    answer = say("/health", headers={"Host": "evil.test"})
    assert (answer.status, answer.json["code"]) == (421, "unknown-host")
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_request_without_a_host_is_refused(say: Client) -> None:
    connection = http.client.HTTPConnection(urlsplit(say.url).netloc, timeout=patience(60))
    connection.putrequest("GET", "/health", skip_host=True)
    connection.endheaders()
    assert connection.getresponse().status in (400, 421)
    connection.close()


@pytest.mark.parametrize(("token", "status"), [(TOKEN, 200), ("other", 401), (None, 401)])
def test_changes_want_the_token(say: Client, token: str | None, status: int) -> None:
    assert say.put("/thing", 1, token).status == status
    assert say("/thing").status == 200


def test_without_a_token_nothing_can_be_changed(folder: DataFolder) -> None:
    with service_on(folder, routes=ROUTES) as say:
        answer = say.put("/thing", 1, "")
    assert (answer.status, answer.json["code"]) == (403, "no-token")


def test_on_another_address_all_but_health_wants_the_token(folder: DataFolder) -> None:
    with service_on(folder, Service(token=TOKEN), is_loopback=False, routes=ROUTES) as say:
        assert say("/thing").status == 401
        assert say("/nothing").status == 401
        assert say("/health").status == 200
        assert say("/thing", headers={"Authorization": f"Bearer {TOKEN}"}).status == 200


def test_scripts_of_pages_that_are_named_may_ask(say: Client) -> None:
    allowed = say("/thing", headers={"Origin": FRIEND})
    assert allowed.headers["access-control-allow-origin"] == FRIEND
    assert "Origin" in allowed.headers["vary"]
    shown = set(allowed.headers["access-control-expose-headers"].split(", "))
    assert {"ETag", "Link", "Retry-After", "X-Gossamer-Row-Limit", "X-Gossamer-Cut"} <= shown
    other = say("/thing", headers={"Origin": "https://evil.test"})
    assert not [name for name in other.headers if name.startswith("access-control")]
    assert "Origin" in other.headers["vary"]  # or a cache could hand it to our friend


ASKED = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}


@pytest.mark.parametrize("is_loopback", [True, False])
def test_a_browser_may_ask_beforehand_without_the_token(
    folder: DataFolder, is_loopback: bool
) -> None:
    service = Service(token=TOKEN, origins=(FRIEND,))
    with service_on(folder, service, is_loopback=is_loopback, routes=ROUTES) as say:
        may = say("/thing", "OPTIONS", headers={**ASKED, "Origin": FRIEND})
        assert (may.status, may.body) == (204, b"")
        assert may.headers["access-control-allow-origin"] == FRIEND
        assert "PUT" in may.headers["access-control-allow-methods"]
        assert "Authorization" in may.headers["access-control-allow-headers"]
        # What it asks then needs the token all the same, and its script can read so.
        bare = say("/thing", "PUT", headers={"Origin": FRIEND})
        assert (bare.status, bare.headers["access-control-allow-origin"]) == (401, FRIEND)
        right = {"Origin": FRIEND, "Authorization": f"Bearer {TOKEN}"}
        assert say("/thing", "PUT", headers=right).status == 200


@pytest.mark.parametrize("is_loopback", [True, False])
@pytest.mark.parametrize("origin", ["https://evil.test", "null", "https://friend.test.evil.test"])
def test_a_browser_hears_nothing_for_pages_that_are_not_named(
    folder: DataFolder, is_loopback: bool, origin: str
) -> None:
    service = Service(token=TOKEN, origins=(FRIEND,))
    with service_on(folder, service, is_loopback=is_loopback, routes=ROUTES) as say:
        refused = say("/thing", "OPTIONS", headers={**ASKED, "Origin": origin})
    assert (refused.status, refused.json["code"]) == (403, "other-origin")
    assert not [name for name in refused.headers if name.startswith("access-control")]


def test_who_tries_many_tokens_has_to_wait(folder: DataFolder) -> None:
    with service_on(folder, Service(token=TOKEN), routes=ROUTES) as say:
        told = [say.put("/thing", 1, f"guess {number}") for number in range(6)]
        assert [answer.status for answer in told] == [401] * 5 + [429]
        assert (told[-1].json["code"], told[-1].headers["retry-after"]) == ("too-many-tries", "1")
        assert say.put("/thing", 1).status == 200  # nobody locks out who knows it
        assert say("/thing").status == 200


def test_what_is_long_is_compressed_for_those_who_can_read_it(say: Client) -> None:
    small = say("/thing", headers={"Accept-Encoding": "gzip"})
    assert small.headers["content-encoding"] == "gzip"
    assert len(small.body) < 500
    assert "content-encoding" not in say("/thing").headers


def test_head_is_get_without_a_body(say: Client) -> None:
    answer = say("/thing", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["content-length"]) > 5000
