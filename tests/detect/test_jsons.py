import pytest

from gossamer.detect.claims import claim_of
from gossamer.detect.jsons import json_kind, looks_like_json
from gossamer.model import Syntax

NOTHING = claim_of("", None)


@pytest.mark.parametrize(
    "text", [b'{"a": 1}', b"{}", b' \n[{"a"', b'["a"]', b"[[1]]", b'\xef\xbb\xbf{"a"']
)
def test_json_begins_with_brackets_and_quotes(text: bytes) -> None:
    assert looks_like_json(text, NOTHING)


@pytest.mark.parametrize(
    "text", [b"[] a <b> .", b"[ a <b> ] .", b"{ <a> a <b> }", b"a", b"", b"{ color: red }"]
)
def test_turtle_and_stylesheets_begin_otherwise(text: bytes) -> None:
    assert not looks_like_json(text, NOTHING)


def test_a_page_is_json_if_it_ends_like_it() -> None:
    html = claim_of("", "text/html")
    assert looks_like_json(b'{"a": 1}\n', html)
    assert not looks_like_json(b'{"a": 1} <p>', html)


def test_a_script_is_json_if_it_is_linked_data() -> None:
    script = claim_of("", "text/javascript")
    assert looks_like_json(b'{"@context": 1}', script)
    assert not looks_like_json(b'{"a": 1}', script)


@pytest.mark.parametrize(
    ("text", "syntaxes"),
    [
        (b'{"@context": {}}', [Syntax.JSON_LD]),
        (b'{"\\u0040context": {}}', [Syntax.JSON_LD]),
        (b'[{"@id": "a", "https:\\/\\/x.test\\/b" : 1}]', [Syntax.JSON_LD]),
        (b'{"version": "https://jsonfeed.org/version/1"}', [Syntax.JSON_FEED]),
        (b'{"version": "https://jsonfeed.org/version/1", "@context": 1}', [Syntax.JSON_FEED, Syntax.JSON_LD]),
        (b'{"see": "https://jsonfeed.org/version/1"}', []),
        (b'{"context": {}, "id": "http://x.test/"}', []),
        (b'{"http://x.test/": 1}', []),
    ],
)  # fmt: skip
def test_linked_data_and_feeds_are_known_by_their_keys(text: bytes, syntaxes: list[Syntax]) -> None:
    kind = json_kind(text, NOTHING)
    assert [each.syntax for each in kind.evidence] == syntaxes
    assert (kind.skipped is None) == bool(syntaxes)
