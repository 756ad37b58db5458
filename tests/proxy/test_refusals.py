from datetime import timedelta

import pytest

from gossamer.fetch.names import Unreachable
from gossamer.http.wire.fields import Malformed
from gossamer.model import Cause
from gossamer.proxy.permits import Denied
from gossamer.proxy.refusals import Refused, of_denied, of_malformed, of_unreachable


@pytest.mark.parametrize(
    ("denied", "status", "again"),
    [
        (Denied("robots", "No."), 403, None),
        (Denied("robots", "Closed.", timedelta(minutes=1)), 403, b"60"),
        (Denied("clock", "Later.", timedelta(seconds=1.2)), 429, b"2"),
        (Denied("clock", "Now.", timedelta(0)), 429, b"1"),
        (Denied("away", "Busy.", timedelta(seconds=5)), 503, b"5"),
        (Denied("refused-address", "Private."), 403, None),
        (Denied("no-such-name", "Unknown."), 502, None),
    ],
)
def test_what_is_denied_has_a_status_and_a_time(
    denied: Denied, status: int, again: bytes | None
) -> None:
    refused = of_denied(denied)
    assert refused.status == status
    assert dict(refused.fields).get(b"Retry-After") == again
    assert b"X-Gossamer-Cause: %b\r\n" % denied.rule.encode() in refused.block
    assert b'Cache-Status: gossamer; detail="%b"\r\n' % denied.rule.encode() in refused.block


@pytest.mark.parametrize("rule", ["clock", "pause", "busy"])
def test_a_rest_a_pause_and_a_busy_host_are_told_apart(rule: str) -> None:
    refused = of_denied(Denied(rule, "Later.", timedelta(seconds=59.5)))
    assert (refused.status, refused.cause) == (429, rule)
    assert (b"Retry-After", b"60") in refused.fields


@pytest.mark.parametrize(
    ("cause", "status"),
    [
        (Cause.CONNECT, 502),
        (Cause.CERTIFICATE, 502),
        (Cause.TIMEOUT_FIRST_BYTE, 504),
        (Cause.SLOW, 504),
        (Cause.REFUSED_ADDRESS, 403),
    ],
)
def test_trouble_with_a_server_has_its_cause(cause: Cause, status: int) -> None:
    refused = of_unreachable(Unreachable(cause, "Why."))
    assert refused.status == status
    assert b"X-Gossamer-Cause: %b\r\n" % cause.encode() in refused.block


def test_a_sentence_is_in_the_body_and_in_a_header() -> None:
    refused = of_malformed(Malformed(400, "Größe\nfehlt."))
    assert refused.body == "Größe\nfehlt.\n".encode()
    assert b"X-Gossamer-Reason: Gr\\xf6\\xdfe fehlt.\r\n" in refused.block
    assert b"Content-Length: 15\r\n" in refused.block
    assert b'Cache-Status: gossamer; detail="refused"\r\n' in refused.block
    assert b"X-Gossamer-Cause" not in refused.block


def test_more_fields_may_go_along() -> None:
    assert b"A: 1\r\n" in Refused(400, "No.", ((b"A", b"1"),)).block


def test_nothing_that_is_repeated_ends_a_line_or_moves_a_cursor() -> None:
    refused = Refused(502, "It says: a\r\nSet-Cookie: b\rX: y\0\x1b[31m\x9b and \ud800.")
    assert (
        b"\r\nX-Gossamer-Reason: It says: a Set-Cookie: b X: y [31m  and \\ud800.\r\n"
        in refused.block
    )
    assert refused.body == b"It says: a \nSet-Cookie: b X: y [31m  and ?.\n"
