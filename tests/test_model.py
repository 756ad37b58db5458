from datetime import UTC, datetime, timedelta

import pytest

from gossamer.model import TRANSIENT, BodyState, Cause, Failed, Fetched, ResponseHead, Url

URL = Url("http://site.test/")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def head(*headers: tuple[str, str], status: int = 200) -> ResponseHead:
    return ResponseHead(URL, status, headers)


def test_every_cause_is_transient_or_not() -> None:
    assert set(TRANSIENT) == set(Cause)
    assert Cause.RESET.transient
    assert not Cause.CERTIFICATE.transient


def test_a_header_is_found_in_any_case_and_with_all_its_values() -> None:
    said = head(("Link", "<a>"), ("LINK", "<b>"))
    assert said.header_values("link") == ("<a>", "<b>")
    assert said.header("lInK") == "<a>"
    assert said.header("location") is None


@pytest.mark.parametrize(
    ("content_type", "media_type"),
    [
        ("text/html", "text/html"),
        (" Text/HTML ; charset=utf-8", "text/html"),
        ("", None),
        (";", None),
    ],
)
def test_the_media_type_stands_without_its_parameters(
    content_type: str, media_type: str | None
) -> None:
    assert head(("Content-Type", content_type)).media_type == media_type
    assert head().media_type is None


def test_the_codings_of_a_body_are_one_list() -> None:
    assert head(("Content-Encoding", "gzip"), ("content-encoding", "br")).content_encoding == (
        "gzip, br"
    )
    assert head().content_encoding == ""


def test_only_a_redirect_points_elsewhere() -> None:
    pointing = ("Location", "/caf\u00c3\u00a9")  # UTF-8, read as Latin-1
    assert head(pointing, status=301).location == "/café"
    assert head(pointing, status=201).location is None
    assert head(status=301).location is None
    assert head(("Location", "/\xe9"), status=302).location == "/%E9"


@pytest.mark.parametrize(
    ("headers", "length"),
    [
        ((), None),
        ((("Content-Length", "12"),), 12),
        ((("Content-Length", "0000012"),), 12),
        ((("Content-Length", "-1"),), None),
        ((("Content-Length", "\u0661"),), None),
        ((("Content-Length", "9" * 5000),), 10**20 - 1),
        ((("Content-Length", "12"), ("Transfer-Encoding", "chunked")), None),
    ],
)
def test_the_length_of_a_body_is_what_can_be_read_of_it(
    headers: tuple[tuple[str, str], ...], length: int | None
) -> None:
    assert head(*headers).content_length == length


def test_an_outcome_knows_how_long_it_took() -> None:
    end = NOON + timedelta(seconds=2)
    assert Failed(URL, Cause.RESET, "Reset.", NOON, end).took == timedelta(seconds=2)
    got = Fetched(URL, 200, (), b"", BodyState.WHOLE, "1.1", None, NOON, NOON, end)
    assert got.took == timedelta(seconds=2)
