import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import graph
from tests.transform.feeds.reading import URL, about, problems, read, short

from gossamer.transform.feeds.json_feed import json_feed_statements

FEED = f"<{URL}>"
KEYS = st.sampled_from(
    (
        *("title", "items", "url", "id", "authors", "author", "name", "tags", "attachments"),
        *("content_text", "language", "image", "icon", "date_published", "size_in_bytes"),
    )
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def test_a_feed_says_what_it_is() -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "T",
        "home_page_url": "/",
        "description": "D",
        "language": "en",
        "icon": "/i.png",
        "items": [],
        "authors": [{"name": "Ada", "url": "https://ada.test/"}, {}, 7],
    }
    items = read(json_feed_statements, json.dumps(feed))
    assert about(items, FEED) == {
        'rss:title "T"@en',
        'rss:link "https://example.test/"',
        'rss:description "D"@en',
        'dcterms:language "en"',
        "schema:image <https://example.test/i.png>",
        "dcterms:creator _:d0",
        "rss:items _:d1",
    }
    assert about(items, "_:d0") == {'foaf:name "Ada"', "foaf:homepage <https://ada.test/>"}


def test_an_item_says_what_it_is() -> None:
    item = {
        "id": 7,
        "url": "/e",
        "external_url": "http://x.test/",
        "title": "T",
        "language": "fr",
        "content_html": "<p>",
        "content_text": "no",
        "summary": "S",
        "image": "/i.png",
        "date_published": "2024-01-01T00:00:00Z",
        "date_modified": "2024",
        "tags": ["a", 1],
        "author": {"name": "Bob"},
        "attachments": [
            {
                "url": "/m",
                "mime_type": "audio/mpeg",
                "title": "M",
                "size_in_bytes": 3,
                "duration_in_seconds": 90,
            }
        ],
    }
    items = read(json_feed_statements, json.dumps({"items": [item]}))
    assert about(items, "<https://example.test/e>") == {
        'dcterms:identifier "7"',
        'rss:link "https://example.test/e"',
        "dcterms:references <http://x.test/>",
        'rss:title "T"@fr',
        'content:encoded "<p>"@fr',
        'rss:description "S"@fr',
        "schema:thumbnailUrl <https://example.test/i.png>",
        'dcterms:issued "2024-01-01T00:00:00Z"^^xsd:dateTime',
        'dcterms:modified "2024"^^xsd:gYear',
        'dcterms:subject "a"@fr',
        "dcterms:creator _:d1",
        "schema:associatedMedia _:d2",
    }
    assert about(items, "_:d2") == {
        "schema:contentUrl <https://example.test/m>",
        'schema:encodingFormat "audio/mpeg"',
        'schema:contentSize "3"',
        'schema:name "M"@fr',
        'schema:duration "PT90S"^^xsd:duration',
    }


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ({"url": "/e", "id": "http://i.test/"}, "<https://example.test/e>"),
        ({"id": "http://i.test/"}, "<http://i.test/>"),
        ({"id": "7"}, "_:d1"),
    ],
)
def test_an_item_is_named_by_its_url_or_id(item: dict[str, str], name: str) -> None:
    assert f"_:d0 rdf:_1 {name}" in short(read(json_feed_statements, json.dumps({"items": [item]})))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"x"', "[" * 100_000, '{"a":' * 100_000, "1" * 5000, '{"items": nil}']
)
def test_what_is_no_feed_is_a_problem(text: str) -> None:
    items = read(json_feed_statements, text)
    assert short(items) == []
    assert len(problems(items)) == 1


@given(JSON)
def test_any_json_gives_good_statements(value: object) -> None:
    items = read(json_feed_statements, json.dumps(value))
    assert graph(f"{item} ." for item in items if isinstance(item, str)) is not None
