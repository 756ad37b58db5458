import pytest

from gossamer.index.entities.registries import account, registered, spelled


@pytest.mark.parametrize(
    ("iri", "spelling"),
    [
        ("https://www.wikidata.org/wiki/Q7259", "http://www.wikidata.org/entity/Q7259"),
        ("http://wikidata.org/entity/Q7259", "http://www.wikidata.org/entity/Q7259"),
        ("https://viaf.org/viaf/24711/", "http://viaf.org/viaf/24711"),
        ("https://www.geonames.org/2643743/london.html", "https://sws.geonames.org/2643743/"),
        ("http://dbpedia.org/page/Ada_Lovelace", "http://dbpedia.org/resource/Ada_Lovelace"),
        ("https://d-nb.info/gnd/119232022", "https://d-nb.info/gnd/119232022"),
        ("http://dx.doi.org/10.1000/ABC", "https://doi.org/10.1000/abc"),
        ("urn:isbn:0306406152", "urn:isbn:9780306406157"),
        ("http://www.twitter.com/Ada/", "https://twitter.com/ada"),
        ("https://de.linkedin.com/in/Ada", "https://linkedin.com/in/ada"),
        ("https://youtube.com/watch?v=Ab", "https://youtube.com/watch?v=Ab"),
        ("http://good.org/Ada/", "http://good.org/Ada/"),
        ("urn:x:1", "urn:x:1"),
    ],
)
def test_a_name_has_one_spelling(iri: str, spelling: str) -> None:
    assert spelled(iri) == spelling
    assert spelled(spelling) == spelling


def test_registries_have_an_order() -> None:
    wikidata = registered("http://www.wikidata.org/entity/Q7259")
    dbpedia = registered("http://dbpedia.org/resource/Ada_Lovelace")
    assert wikidata is not None
    assert dbpedia is not None
    assert wikidata < dbpedia


@pytest.mark.parametrize(
    "iri",
    [
        "http://evil.test/?www.wikidata.org/wiki/Q7259",
        "http://www.wikidata.org.evil.test/wiki/Q7259",
        "http://evil.test/orcid.org/0000-0002-1825-0097",
        "http://www.wikidata.org/wiki/Ada",
        "http://www.wikidata.org/wiki/Q1" + "0" * 5_000,
    ],
)
def test_nobody_else_can_look_like_a_registry(iri: str) -> None:
    assert registered(iri) is None


def test_accounts_are_those_of_networks() -> None:
    assert account("https://www.linkedin.com/in/ada%20lovelace") == "in/ada lovelace"
    assert account("https://linkedin.com.evil.test/in/ada") is None
    assert account("https://good.org/in/ada") is None
    assert account("mailto:ada@twitter.com") is None
