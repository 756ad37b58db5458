import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.jsonld.reading_back import URL, items, json_document, lines, messages

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.jsonld.habits import NO_CONTEXT, NULL_ID, SPACED, decode_references
from gossamer.wording import quoted

MEANT = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Mac",
    "author": {"@type": "Person"},
}
UNNAMED = {name: value for name, value in MEANT.items() if name != "@context"}
JUNK = "page.test"


def page(value: Any, *, strict: bool = False) -> Document:
    text = value if isinstance(value, str) else json.dumps(value)
    body = f'<script type="application/ld+json">{text}</script>'.encode()
    return Document(URL, body, media_type="text/html", options=Options(strict=strict))


def said(value: Any, *, strict: bool = False) -> list[str]:
    return lines(items(page(value, strict=strict)))


def told(value: Any) -> list[str]:
    return messages(items(page(value)))


@pytest.mark.parametrize(
    "context",
    [
        "https://schema.googleapis.com/",
        "https://schema.org/Recipe",
        "schema.org",
        "www.schema.org/",
        "http//schema.org",
        "htps://schema.org",
        "http:/schema.org/",
        "https://pending.schema.org/",
        "https://web.archive.org/web/20200101000000/http://schema.org/",
    ],
)
def test_an_address_that_is_plainly_meant_for_schema_org_is_read_so(context: str) -> None:
    value = {**MEANT, "@context": context}
    assert said(value) == said(MEANT)
    assert told(value) == [f"The context {quoted(context)} is read as https://schema.org."]
    assert said(value, strict=True) != said(MEANT)


@pytest.mark.parametrize("context", ["https://schema.org", "http://schema.org/", "//schema.org"])
def test_the_usual_addresses_are_no_mistake(context: str) -> None:
    value = {**MEANT, "@context": context}
    assert said(value) == said(MEANT)
    assert told(value) == []


@pytest.mark.parametrize(
    "context",
    ["https://myschema.org/", "https://schema.org.evil.test/", "https://a.test/schema.org"],
)
def test_other_addresses_are_not_taken_for_schema_org(context: str) -> None:
    assert said({**MEANT, "@context": context}) == []


@pytest.mark.parametrize(
    "none", [UNNAMED, {**MEANT, "@context": None}, {**MEANT, "@context": ""}, [UNNAMED]]
)
def test_names_without_a_context_are_those_of_schema_org(none: Any) -> None:
    assert said(none) == said(MEANT)
    assert told(none) == [NO_CONTEXT]
    assert any(JUNK in line.split(" ")[2] for line in said(none, strict=True))


def test_a_graph_without_a_context_is_read_too_and_members_with_one_are_left_alone() -> None:
    assert said({"@graph": [UNNAMED]}) == said(
        {"@context": "https://schema.org", "@graph": [UNNAMED]}
    )
    own = {"@graph": [{**MEANT, "@context": {"@vocab": "http://own.test/"}}]}
    assert told(own) == []
    assert all("http://own.test/" in line for line in said(own))


def test_a_json_document_without_a_context_is_not_guessed_at() -> None:
    found = items(json_document(json.dumps(UNNAMED)))
    assert lines(found) == []
    assert messages(found) == [
        'No context gives the class "Recipe" a meaning; left out.',
        'No context gives the class "Person" a meaning; left out.',
    ]


def test_a_namespace_without_its_slash_gets_it() -> None:
    vocabulary = {**MEANT, "@context": {"@vocab": "http://schema.org"}}
    assert said(vocabulary) == said({**MEANT, "@context": {"@vocab": "http://schema.org/"}})
    assert told(vocabulary) == [
        "The namespace of schema.org is written without its slash; read with it."
    ]
    prefix = {"@context": {"s": "http://schema.org"}, "s:name": "x"}
    assert [line.split(" ")[1] for line in said(prefix)] == ["<http://schema.org/name>"]


def test_names_of_baidu_are_read() -> None:
    value = {
        "@context": "https://ziyuan.baidu.com/contexts/cambrian.jsonld",
        "@id": "http://page.test/x",
        "appid": "1",
        "title": "t",
        "pubDate": "2020-01-01T08:00:01",
    }
    assert [line.split(" ")[1] for line in said(value)] == [
        "<https://ziyuan.baidu.com/contexts/cambrian.jsonld#appid>",
        "<http://schema.org/headline>",
        "<http://schema.org/datePublished>",
    ]


def test_an_unknown_context_makes_no_classes_of_the_pages_address() -> None:
    value = {**MEANT, "@context": "https://unknown.test/"}
    assert said(value) == []
    assert any(JUNK in line.split(" ")[2] for line in said(value, strict=True))
    relative = {"@context": {"p": "http://p.test/"}, "@type": "#Own", "p:x": "y"}
    assert any("#Own" in line for line in said(relative)), "what is plainly an address is kept"


def test_an_entity_whose_name_is_null_has_none() -> None:
    value = {**MEANT, "@id": None, "author": {"@id": None, "name": "Bo"}}
    assert said(value) == said({**MEANT, "author": {"name": "Bo"}})
    assert told(value) == [NULL_ID]


def test_classes_that_are_null_or_have_spaces_around_them_cost_nothing() -> None:
    assert said({**MEANT, "@type": ["Recipe ", None]}) == said({**MEANT, "@type": ["Recipe"]})


def test_names_with_spaces_are_read_without() -> None:
    value = {"@context": "https://schema.org", " name": "a", "cook Time": "b", "prep time": "c"}
    assert [line.split(" ")[1] for line in said(value)] == [
        "<http://schema.org/name>",
        "<http://schema.org/cookTime>",
        "<http://schema.org/prepTime>",
    ]
    assert told(value) == [SPACED]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Mac &#039;n cheese", "Mac 'n cheese"),
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("&quot;x&quot; &lt;3 &#x27;y&#X27;", "\"x\" <3 'y'"),
        ("caf&eacute;&nbsp;&#146;", "caf\xe9\xa0\u2019"),
        ("https://a.test/?a=1&amp;b=2", "https://a.test/?a=1&b=2"),
        ("&amp;amp;", "&amp;"),  # once
        ("AT&T; &unknown; &copy=1 &", "AT&T; &unknown; &copy=1 &"),
        ("<p>a &amp; b</p>", "<p>a &amp; b</p>"),  # HTML, in which the reference belongs
    ],
)
def test_strings_that_are_plainly_escaped_for_html_are_decoded_once(text: str, meant: str) -> None:
    assert decode_references(text) == meant
    value = {"@context": "https://schema.org", "name": text}
    in_a_document = json_document(json.dumps({**value, "name": meant}))  # where nothing is decoded
    assert said(value) == lines(items(in_a_document))
    assert said(value, strict=True) == lines(items(json_document(json.dumps(value))))


def test_markup_and_json_literals_mean_themselves() -> None:
    markup = {
        "@context": {"html": "http://p.test/html"},
        "html": {"@value": "&amp;", "@type": "rdf:HTML"},
    }
    assert "&amp;" in said(markup)[0]
    literal = {
        "@context": {"j": {"@id": "http://p.test/j", "@type": "@json"}},
        "j": {"@id": None, "a b": "&amp;"},
    }
    assert "&amp;" in said(literal)[0]
    assert told(literal) == []


@given(
    st.recursive(
        st.none() | st.text(alphabet="a &;#3<", max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["@id", "@type", "@context", " a b", "name", "@graph"]), inner
            )
        ),
        max_leaves=12,
    )
)
def test_no_value_is_too_odd(value: Any) -> None:
    items(page(json.dumps(value).replace("<", "\\u003c")))
