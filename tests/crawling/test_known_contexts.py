import pytest

from gossamer.crawling.known_contexts import is_well_known


@pytest.mark.parametrize(
    "address",
    [
        "https://schema.org",
        "http://schema.org/docs/jsonldcontext.jsonld",
        "https://www.w3.org/ns/activitystreams",
        "http://www.w3.org/ns/activitystreams#",
        "https://w3id.org/security/v1",
        "http://xmlns.com/foaf/0.1/",
        "http://purl.org/dc/terms/",
    ],
)
def test_what_everybody_uses_is_well_known_however_it_is_written(address: str) -> None:
    assert is_well_known(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://w3id.org/made-up",
        "https://w3id.org/security/v1?x=1",
        "https://www.w3.org/ns/made-up",
        "https://schema.org.example.test/",
        "https://example.test/https://www.w3.org/ns/ldp",
    ],
)
def test_other_addresses_of_the_same_hosts_are_not(address: str) -> None:
    assert not is_well_known(address)
