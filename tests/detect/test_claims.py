import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.detect.claims import claim_of
from gossamer.detect.kinds import Family

URL = "http://example.test/"


@pytest.mark.parametrize(
    ("header", "media_type", "charset"),
    [
        ("text/html", "text/html", None),
        (" Text/HTML ; charset=UTF-8", "text/html", "UTF-8"),
        ('text/html; charset="utf-8"', "text/html", "utf-8"),
        ("text/html;a=b;Charset = 'koi8-r'; x", "text/html", "koi8-r"),
        ("text/html; charset=a; charset=b", "text/html", "a"),
        ("text/html; xcharset=a", "text/html", None),
        ("text/html, text/plain", "text/html", None),
        ("charset=utf-8", "", None),
        ("; charset=utf-8", "", "utf-8"),
        ("html", "", None),
        ("", "", None),
        (None, "", None),
    ],
)
def test_a_header_names_type_and_charset(
    header: str | None, media_type: str, charset: str | None
) -> None:
    claim = claim_of(URL, header)
    assert (claim.media_type, claim.charset) == (media_type, charset)


@pytest.mark.parametrize(
    ("url", "suffix_type"),
    [
        ("http://example.test/a.ttl", "text/turtle"),
        ("http://example.test/a.TTL?x=b.nt#c.rdf", "text/turtle"),
        ("http://example.test/?a.ttl", ""),
        ("http://example.test/a.ttl/b", ""),
        ("http://example.json", ""),
        ("http://example.test/.json", "application/json"),
        ("http://example.test/a.b.owl", "application/rdf+xml"),
        ("http://example.test/a.unknown", ""),
        ("", ""),
    ],
)
def test_the_end_of_a_url_names_a_type(url: str, suffix_type: str) -> None:
    assert claim_of(url, None).suffix_type == suffix_type


def test_a_header_that_says_nothing_leaves_the_word_to_the_url() -> None:
    for vague in (None, "text/plain", "application/octet-stream", "application/download"):
        claim = claim_of("http://example.test/a.ttl", vague)
        assert (claim.media_type, claim.by_header) == ("text/turtle", False)
    claim = claim_of("http://example.test/a.ttl", "text/csv")
    assert (claim.media_type, claim.by_header) == ("text/csv", True)


def test_a_guess_is_welcome_where_nobody_claims_a_text_of_another_kind() -> None:
    for header in (None, "application/octet-stream", "text/html", "application/rss+xml"):
        assert claim_of(URL, header).is_open
    for header in ("text/plain", "text/markdown", "image/png", "application/json", "text/turtle"):
        assert not claim_of(URL, header).is_open


@given(st.text(), st.text())
def test_any_text_claims_something(url: str, header: str) -> None:
    claim = claim_of(url, header)
    assert claim.family in Family
    assert claim.source
