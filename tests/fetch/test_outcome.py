from datetime import UTC, datetime, timedelta

import pycurl
import pytest

from gossamer.fetch.transfer import Patience, Transfer, TransferLimits
from gossamer.fetch.transfers import CAUSES, CurlError, Start, cause_of, failed, outcome_of
from gossamer.model import BodyState, Cause, Failed, Fetched, Url

URL = Url("http://site.test/")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
START = Start(NOON, 100.0)
RESET = CurlError(pycurl.E_RECV_ERROR, "Recv failure: Connection reset by peer")
HEAD = (b"HTTP/1.0 200 OK\r\n", b"A: 1\r\n", b"\r\n")


def transfer(*lines: bytes, body: bytes = b"") -> Transfer:
    patience = Patience(
        connect_by=110, total_by=160, first_byte=30, low_speed_bytes=0, low_speed_time=20
    )
    begun = Transfer(URL, TransferLimits(1000, 1000), patience, lambda: 101.0)
    begun.asked()
    for line in lines:
        begun.add_header(line)
    if body:
        begun.add_body(body)
    return begun


def outcome(begun: Transfer, error: CurlError | None = None) -> Fetched | Failed:
    return outcome_of(begun, error, "127.0.0.1", START, 103.0)


def test_a_whole_answer_carries_its_times() -> None:
    assert outcome(transfer(*HEAD, body=b"hi")) == Fetched(
        url=URL,
        status=200,
        headers=(("A", "1"),),
        body=b"hi",
        body_state=BodyState.WHOLE,
        http_version="1.0",
        address="127.0.0.1",
        started_at=NOON,
        first_byte_at=NOON + timedelta(seconds=1),
        finished_at=NOON + timedelta(seconds=3),
    )


def test_a_body_that_broke_off_is_marked() -> None:
    kept = outcome(transfer(*HEAD, body=b"hi"), RESET)
    assert isinstance(kept, Fetched)
    assert (kept.body, kept.body_state) == (b"hi", BodyState.TRUNCATED)


def test_an_answer_that_broke_off_before_its_body_failed() -> None:
    lost = outcome(transfer(*HEAD), RESET)
    assert isinstance(lost, Failed)
    assert (lost.cause, lost.message) == (
        Cause.TRUNCATED,
        "Recv failure: Connection reset by peer.",
    )


def test_an_answer_that_ended_within_its_headers_failed_though_curl_is_content() -> None:
    lost = outcome(transfer(*HEAD[:2]))
    assert isinstance(lost, Failed)
    assert lost.cause is Cause.TRUNCATED


@pytest.mark.parametrize("state", [BodyState.SKIPPED, BodyState.CUT])
def test_enough_of_a_body_is_an_answer_whatever_curl_says(state: BodyState) -> None:
    begun = transfer(*HEAD, body=b"hi")
    begun.stop(state)
    kept = outcome(begun, CurlError(pycurl.E_WRITE_ERROR, "Failure writing output"))
    assert isinstance(kept, Fetched)
    assert kept.body_state is state


def test_our_own_reason_counts_for_more_than_curls() -> None:
    begun = transfer(*HEAD, body=b"hi")
    begun.stop(Cause.TOO_LARGE, "Too much.")
    assert outcome(begun, RESET) == failed(URL, Cause.TOO_LARGE, "Too much.", START, 103.0)


def test_a_message_is_a_printable_sentence() -> None:
    lost = outcome(transfer(), CurlError(pycurl.E_GOT_NOTHING, "Empty\r\n\x1b[31mreply"))
    assert isinstance(lost, Failed)
    assert lost.message == "Empty   [31mreply."
    assert lost.took == timedelta(seconds=3)
    silent = outcome(transfer(), CurlError(pycurl.E_GOT_NOTHING, ""))
    assert isinstance(silent, Failed)
    assert silent.message == "The transfer failed."


def test_each_error_of_curl_has_one_cause() -> None:
    assert cause_of(pycurl.E_COULDNT_CONNECT) is Cause.CONNECT
    assert cause_of(pycurl.E_PEER_FAILED_VERIFICATION) is Cause.CERTIFICATE
    assert cause_of(pycurl.E_PARTIAL_FILE) is Cause.TRUNCATED


def test_an_error_we_never_met_is_worth_another_attempt() -> None:
    assert cause_of(12345) is Cause.OTHER
    assert cause_of(12345).transient


def test_no_error_of_curl_is_blamed_on_our_own_rules() -> None:
    ours = {Cause.REFUSED_ADDRESS, Cause.RESERVED_NAME, Cause.STOPPED, Cause.OTHER}
    assert not ours & set(CAUSES.values())
