import pytest

from gossamer.transform.jsonld.schema_org import (
    DATE_PROPERTIES,
    IRI_PROPERTIES,
    SCHEMA,
    TERMS,
    context_for,
    is_schema_org,
    whole_context,
)


@pytest.mark.parametrize(
    "address",
    [
        *("http://schema.org", "https://schema.org", "http://schema.org/", "https://schema.org/"),
        *("http://www.schema.org", "https://www.schema.org/", "HTTPS://Schema.org/"),
        *("https://schema.org/docs/jsonldcontext.json", "http://schema.org/#"),
        "https://schema.org/docs/jsonldcontext.jsonld",
        "https://schema.org/version/latest/schemaorgcontext.jsonld",
        "https://schema.org/version/28.1/schemaorgcontext.jsonld",
    ],
)
def test_its_addresses_are_known(address: str) -> None:
    assert is_schema_org(address)


@pytest.mark.parametrize(
    "address",
    [
        *("", "schema.org", "http://schema.org.test/", "http://schemaXorg", "ftp://schema.org"),
        *("https://schema.org/Product", "https://schema.org@other.test/", "https://schema.org:81"),
        "https://other.test/?https://schema.org",
    ],
)
def test_others_are_not(address: str) -> None:
    assert not is_schema_org(address)


def test_a_block_gets_the_terms_it_uses() -> None:
    text = '{"@type": "Thing", "name": "an url: x", "image" : "dc:title", "id": "startDate"}'
    assert context_for(text) == {
        "@vocab": SCHEMA,
        "id": "@id",
        "image": {"@type": "@id"},
        "dc": "http://purl.org/dc/elements/1.1/",
        "startDate": {"@type": f"{SCHEMA}Date"},
    }


def test_the_whole_has_all_terms() -> None:
    assert whole_context().keys() == TERMS.keys() | {"@vocab"}


def test_no_property_is_both_a_date_and_an_iri() -> None:
    assert not IRI_PROPERTIES & DATE_PROPERTIES
    assert (len(IRI_PROPERTIES), len(DATE_PROPERTIES)) == (80, 44)
