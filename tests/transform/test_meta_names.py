import pytest

from gossamer.transform import kinds
from gossamer.transform.meta_names import DCTERMS, TWITTER, dublin_core, meaning_of


@pytest.mark.parametrize(
    ("name", "predicate", "kind"),
    [
        ("DC.title", f"{DCTERMS}title", kinds.text),
        ("dc:Creator", f"{DCTERMS}creator", kinds.code),
        ("DCTERMS.issued", f"{DCTERMS}issued", kinds.time),
        ("DC.date.issued", f"{DCTERMS}issued", kinds.time),
        ("DC.Date.X-MetadataLastModified", f"{DCTERMS}date", kinds.time),
        ("dcterms.ispartof", f"{DCTERMS}isPartOf", kinds.address_or_code),
        ("Last-Modified", f"{DCTERMS}modified", kinds.time),
        ("citation_pdf_url", f"{DCTERMS}hasFormat", kinds.address),
        ("twitter:Title", f"{TWITTER}title", kinds.text),
        ("twitter:data12", f"{TWITTER}data12", kinds.text),
        ("twitter:image", f"{TWITTER}image", kinds.address),
        ("twitter:image:alt", f"{TWITTER}image:alt", kinds.text),
        ("twitter:app:id:iphone", f"{TWITTER}app:id:iphone", kinds.code),
    ],
)
def test_a_name_has_its_predicate_and_kind_in_any_case(
    name: str, predicate: str, kind: kinds.Kind
) -> None:
    assert meaning_of(name) == (f"<{predicate}>", kind)


@pytest.mark.parametrize(
    "name",
    [
        *("", "dc", "DC.", "DC.foo", "dcx.title", "schema.DC", "twitter:", "twitter", "title"),
        *("description", "author", "viewport", "robots"),
    ],
)
def test_other_names_mean_nothing_here(name: str) -> None:
    assert meaning_of(name) is None


def test_names_of_links_are_those_of_dublin_core_alone() -> None:
    assert dublin_core("dc.license") is not None
    assert dublin_core("keywords") is None
