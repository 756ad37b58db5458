from datetime import UTC, datetime

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.pages import PageGraphs, content_of
from gossamer.index.graph.response_fields import FIELDS, LONGEST, MOST_VALUES, response_fields
from gossamer.model import ResponseHead, Url

PAGE = Url("http://a.test/page")
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
GREETING = "caf\u00e9".encode().decode("latin-1")  # as a server that writes UTF-8 is read


def fields(*headers: tuple[str, str]) -> list[tuple[str, object]]:
    return [(name, value) for name, value in response_fields(ResponseHead(PAGE, 200, headers))]


def test_the_fields_that_matter_are_kept_each_in_its_kind() -> None:
    assert fields(
        ("ETag", 'W/"1"'),
        ("Last-Modified", "Sun, 01 Mar 2026 10:00:00 GMT"),
        ("SERVER", "nginx"),
        ("Content-Length", "0123"),
        ("Content-Language", "de-AT, en"),
        ("Link", '</a>; rel="next"'),
        ("Link", "<http://b.test/>; rel=license"),
        ("Set-Cookie", "secret=1"),
    ) == [
        ("etag", 'W/"1"'),
        ("lastModified", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("server", "nginx"),
        ("contentLength", 123),
        ("contentLanguage", "de-at"),
        ("contentLanguage", "en"),
        ("link", '</a>; rel="next"'),
        ("link", "<http://b.test/>; rel=license"),
    ]


def test_text_in_utf_8_is_read_as_such() -> None:
    assert fields(("Server", GREETING)) == [("server", "café")]
    assert fields(("Server", "caf\xe9")) == [("server", "café")]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ETag", "x" * (LONGEST + 1)),
        ("ETag", ""),
        ("Server", "a\x00b"),
        ("Server", "a\x1b[31m"),
        ("Last-Modified", "yesterday"),
        ("Last-Modified", "Sun, 99 Mar 2026 10:00:00 GMT"),
        ("Content-Length", "-1"),
        ("Content-Length", "1, 1"),
        ("Content-Language", "<script>"),
        ("Content-Language", "," * 1000),
    ],
)
def test_a_value_that_says_nothing_is_left_out(name: str, value: str) -> None:
    assert fields((name, value)) == []


def test_of_several_values_of_a_single_field_none_is_believed() -> None:
    assert fields(("ETag", '"1"'), ("ETag", '"2"')) == []
    assert fields(("ETag", '"1"'), ("ETag", '"1"')) == [("etag", '"1"')]


def test_no_server_has_us_keep_many() -> None:
    links = [("Link", f"</{number}>; rel=next") for number in range(1000)]
    languages = ("Content-Language", ",".join(f"en-{number}" for number in range(200)))
    assert len(fields(*links, languages)) == 2 * MOST_VALUES


headers = st.tuples(
    st.sampled_from([*FIELDS, "Transfer-Encoding"]),
    st.text(st.characters(max_codepoint=255), max_size=40),
)


@given(st.lists(headers, max_size=12))
def test_whatever_a_server_sends_the_statements_can_be_kept(sent: list[tuple[str, str]]) -> None:
    found = response_fields(ResponseHead(PAGE, 200, tuple(sent)))
    facts = FetchFacts(
        url=PAGE, outcome=FetchOutcome.FETCHED, started_at=NOW, finished_at=NOW, fields=found
    )
    bare = content_of(PageGraphs(PAGE, b"", fetch_nquads(facts))).fetch
    stated = {
        (quad.predicate.value.rpartition(":")[2], quad.object.value)
        for quad in bare
        if isinstance(quad.object, ox.Literal)
    }
    texts = {(name, value) for name, value in found if isinstance(value, str)}
    assert texts <= stated
