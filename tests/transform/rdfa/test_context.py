from gossamer.transform.iris import mended
from gossamer.transform.rdfa.context import PREFIXES, TERMS, XHTML_TERMS


def test_every_prefix_stands_for_an_iri_that_needs_no_mending() -> None:
    assert all(mended(namespace) == namespace for namespace in PREFIXES.values())


def test_prefixes_are_in_small_letters_as_they_are_looked_up() -> None:
    assert all(prefix == prefix.lower() for prefix in PREFIXES)


def test_xhtml_knows_all_terms_of_the_core_and_its_own_link_types() -> None:
    assert TERMS.items() <= XHTML_TERMS.items()
    assert XHTML_TERMS["next"] == "http://www.w3.org/1999/xhtml/vocab#next"
    assert "next" not in TERMS
