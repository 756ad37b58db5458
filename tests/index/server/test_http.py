import threading
from pathlib import Path

import pytest
from tests.fetch.authority import new_authority
from tests.index.server.gate import Gate, Seen, Told, always
from tests.slowness import patience

from gossamer.index.server.address import Server
from gossamer.index.server.http import Http, Request, UnreachableError, media_types, said


def asked(gate: Gate, **server: str) -> int:
    return Http(Server(gate.url, **server)).ask(Request(gate.url, b"x", "text/plain")).status  # type: ignore[arg-type]  # texts alone


def test_an_answer_has_status_body_and_type() -> None:
    with Gate() as gate:
        gate.rule = always(200, b"hello", Content_Type="text/Plain; charset=x")
        answer = Http(Server(gate.url)).ask(Request(f"{gate.url}/a?b", b"body", "x/y", "u/v"))
    assert (answer.status, answer.body, answer.media_type) == (200, b"hello", "text/plain")
    (seen,) = gate.seen
    assert (seen.method, seen.path, seen.body) == ("POST", "/a?b", b"body")
    assert (seen.headers["Content-Type"], seen.headers["Accept"]) == ("x/y", "u/v")
    assert "Authorization" not in seen.headers


def test_a_body_is_read_as_it_comes_and_no_further_than_wanted() -> None:
    with Gate() as gate:
        gate.rule = always(200, b"x" * 3_000_000)
        http = Http(Server(gate.url))
        request = Request(gate.url, b"", "x/y")
        with http.open(request) as exchange:
            first = exchange.read(10)
            assert first == b"x" * 10
        assert len(http.ask(request).body) == 4096
        assert len(http.ask(request, 1 << 30).body) == 3_000_000


def test_no_redirect_is_followed() -> None:
    with Gate() as gate:
        gate.rule = always(302, Location=f"{gate.url}/elsewhere")
        answer = Http(Server(gate.url)).ask(Request(gate.url, b"", "x/y"))
        assert (answer.status, answer.location) == (302, f"{gate.url}/elsewhere")
        assert len(gate.seen) == 1


def test_a_user_is_named_with_password_or_token() -> None:
    with Gate() as gate:
        gate.rule = always(200)
        asked(gate, user="me", password="p:ö")
        asked(gate, token="t0ken")
    assert [seen.headers["Authorization"] for seen in gate.seen] == [
        "Basic bWU6cDrDtg==",
        "Bearer t0ken",
    ]


def test_a_password_is_given_by_digest_where_that_is_wanted() -> None:
    def rule(seen: Seen) -> Told:
        if seen.headers.get("Authorization", "").startswith("Digest"):
            return Told(200, seen.body)
        return Told(
            401, headers={"WWW-Authenticate": 'Digest realm="SPARQL", nonce="1", qop="auth"'}
        )

    with Gate() as gate:
        gate.rule = rule
        http = Http(Server(gate.url, user="me", password="secret"))
        for _ in range(2):
            answer = http.ask(Request(gate.url, b"body", "x/y"))
            assert (answer.status, answer.body) == (200, b"body")
        assert asked(gate) == 401


def test_a_wrong_password_by_digest_is_an_answer_too() -> None:
    with Gate() as gate:
        gate.rule = always(401, WWW_Authenticate='Digest realm="SPARQL", nonce="1", qop="auth"')
        http = Http(Server(gate.url, user="me", password="wrong"))
        assert [http.ask(Request(gate.url, b"", "x/y")).status for _ in range(2)] == [401, 401]


def test_who_does_not_answer_is_unreachable_and_why_is_told() -> None:
    with Gate() as gate:
        url = gate.url
    with pytest.raises(UnreachableError, match="nobody takes the connection"):
        Http(Server(url)).ask(Request(url, b"", "x/y"))


def test_who_takes_too_long_is_unreachable() -> None:
    over = threading.Event()
    with Gate() as gate:
        gate.rule = lambda _: Told(200) if over.wait(patience(30)) else None
        with pytest.raises(UnreachableError, match="too long"):
            Http(Server(gate.url)).ask(Request(gate.url, b"", "x/y", timeout=0.05))
        over.set()


def test_certificates_are_checked_against_the_authorities_that_are_named(tmp_path: Path) -> None:
    authority = new_authority(tmp_path)
    with Gate(tls=authority.server_side()) as gate:
        gate.rule = always(200)
        assert asked(gate, authorities=str(authority.file)) == 200
        with pytest.raises(UnreachableError, match=r"(?i)certificate"):
            asked(gate)


def test_the_first_words_of_an_answer_are_for_people() -> None:
    assert said(400, b" no\n  such\x1b[31m thing ") == "400: no such[31m thing"
    assert said(500, b"<!doctype html>") == "500"
    assert len(said(500, b"x" * 9_999)) < 300


def test_the_first_of_some_types_is_wanted_most() -> None:
    assert media_types(["a/b", "c/d"]) == "a/b;q=1.0, c/d;q=0.9"
