"""Requests as their routes read them, asked over a real socket."""

import json
from collections.abc import Iterator

import pytest
from starlette.responses import JSONResponse, Response
from tests.service.running import Client, service_on

from gossamer.config import Service
from gossamer.folder.data import DataFolder
from gossamer.service.routes import JSON, Body, Call, Parameter, Route, json_reply
from gossamer.service.schemas import ANYTHING, listed, text, whole


async def echo(call: Call) -> Response:
    body = call.body.decode() if isinstance(call.body, bytes) else call.body
    return JSONResponse({**call.given, "body": body})


ANSWER = json_reply("What was said.", ANYTHING)
ROUTES = (
    Route(
        path="/echo/{name}",
        summary="Say it again",
        handler=echo,
        replies=ANSWER,
        parameters=(
            Parameter(name="name", doc="Whose.", place="path", schema=text(most=5)),
            Parameter(name="limit", doc="Most.", schema=whole(1, 9), default=3),
            Parameter(name="type", doc="Any.", many=True),
        ),
    ),
    Route(path="/need", summary="Need", handler=echo, replies=ANSWER, takes_anything=True,
          parameters=(Parameter(name="q", doc="It.", required=True),)),
    Route(
        path="/body",
        method="POST",
        summary="Send",
        handler=echo,
        replies=ANSWER,
        body=Body(
            doc="Texts.", schemas={JSON: listed(text(most=9), most=5), "text/plain": ANYTHING}
        ),
    ),
    Route(
        path="/perhaps",
        method="POST",
        summary="Send or not",
        handler=echo,
        replies=ANSWER,
        body=Body(doc="Anything.", schemas={JSON: ANYTHING}, required=False),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def say(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = DataFolder(tmp_path_factory.mktemp("empty"))
    with service_on(folder, Service(max_body_bytes=2000), routes=ROUTES) as client:
        yield client


def test_parameters_come_as_their_schemas_have_them(say: Client) -> None:
    assert say("/echo/ada").json == {"name": "ada", "limit": 3, "type": [], "body": None}
    asked = say("/echo/a%20b", limit=9, type=["x", "y"]).json
    assert asked == {"name": "a b", "limit": 9, "type": ["x", "y"], "body": None}


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/echo/ada?limit=x", "`limit` is a whole number, not 'x'."),
        ("/echo/ada?limit=", "`limit` is a whole number, not ''."),
        ("/echo/ada?limit=10", "`limit` is at most 9, not 10."),
        ("/echo/ada?limit=1&limit=2", "`limit` may be given once."),
        ("/echo/lovelace", "`name` may have 5 characters, not 8."),
        ("/echo/ada?limits=1", "There is no parameter 'limits' here. Did you mean limit?"),
        ("/echo/ada?%00=1", "There is no parameter '\\x00' here. There is limit, type."),
        ("/need?x=1", "`q` is missing."),
    ],
)
def test_a_parameter_that_does_not_fit_is_told_in_words(say: Client, path: str, told: str) -> None:
    answer = say(path)
    assert (answer.status, answer.json["code"], answer.json["detail"]) == (
        400,
        "bad-parameter",
        told,
    )


def test_a_body_is_read_by_its_media_type(say: Client) -> None:
    sent = say("/body", "POST", body='["a"]', headers={"Content-Type": "application/json; x=y"})
    assert sent.json == {"body": ["a"]}
    sent = say("/body", "POST", body="[", headers={"Content-Type": "text/plain"})
    assert sent.json == {"body": "["}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{}", 400, "bad-body"),
        ("[1]", 400, "bad-body"),
        ("[", 400, "bad-body"),
        ("", 400, "bad-body"),
        ("NaN", 400, "bad-body"),
        ("[" * 1900, 400, "bad-body"),
        ('["a","a","a","a","a","a"]', 400, "bad-body"),
        (b"\xff\xfe", 400, "bad-body"),
        (json.dumps(["a" * 3000]), 413, "too-large"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(
    say: Client, body: str | bytes, status: int, code: str
) -> None:
    answer = say("/body", "POST", body=body, headers={"Content-Type": JSON})
    assert (answer.status, answer.json["code"]) == (status, code)


def test_a_body_that_does_not_say_how_large_it_is_has_the_same_limit(say: Client) -> None:
    chunks = (b"x" * 500 for _ in range(9))
    answer = say("/body", "POST", body=chunks, headers={"Content-Type": JSON})  # type: ignore[arg-type]  # http.client sends these in pieces
    assert (answer.status, answer.json["code"]) == (413, "too-large")


@pytest.mark.parametrize("media_type", ["", "text/html", "application/xml"])
def test_a_body_of_another_media_type_is_refused(say: Client, media_type: str) -> None:
    answer = say("/body", "POST", body="[]", headers={"Content-Type": media_type})
    assert (answer.status, answer.json["code"]) == (415, "wrong-media-type")


def test_a_body_that_need_not_be_may_be_left_out(say: Client) -> None:
    assert say("/perhaps", "POST").json == {"body": None}
