from datetime import date

import pytest
from tests.report.clean_items import CLEAN
from tests.report.pages import rule_page, schema

from gossamer.report.finding import Finding
from gossamer.report.options import ReportOptions
from gossamer.report.profile import load_profile, profile_names
from gossamer.report.profile_rules import profile_findings
from gossamer.report.rules import check_page, load_rules
from gossamer.report.schema_page import SCHEMA
from gossamer.vocabulary import is_class
from gossamer.vocabulary.schema_terms import is_property


def found(profile: str, *things: object) -> list[Finding]:
    return [*profile_findings(rule_page(*things), [load_profile(profile)])]


@pytest.mark.parametrize("name", profile_names())
def test_a_profile_has_a_source_a_day_and_terms_that_there_are(name: str) -> None:
    profile = load_profile(name)
    assert profile.source.startswith("https://")
    assert date(2020, 1, 1) < profile.as_of < date(2030, 1, 1)
    for feature in profile.features:
        assert feature.source.startswith("https://")
        assert feature.classes or feature.is_of_page
        paths = [path for each in feature.requirements for path in each.paths]
        names = {*feature.via, *feature.only_with, *(step for path in paths for step in path)}
        for iri in names:
            assert not iri.startswith(SCHEMA) or is_property(iri[len(SCHEMA) :]), iri
        for iri in feature.classes | feature.of:
            assert not iri.startswith(SCHEMA) or is_class(iri), iri


def test_what_is_required_is_an_error_and_what_is_recommended_a_warning() -> None:
    offer = {"@type": "Offer", "priceCurrency": "EUR"}
    told = found("rich-results", schema("Product", name="Lamp", offers=offer))
    assert [(each.rule, each.severity.value, each.line) for each in told] == [
        ("required", "error", 3),
        ("recommended", "warning", 3),
    ]
    assert told[0].message == (
        "An Offer has no price or priceSpecification.price, which Product snippet requires (rich-results)."
    )
    assert (told[0].see or "").startswith("https://developers.google.com/")


def test_an_offer_of_something_else_is_not_meant_by_the_feature_of_products() -> None:
    event = schema(
        "Event",
        name="x",
        startDate="2026-01-01",
        location={"@type": "Place", "address": "x"},
        offers={"@type": "Offer"},
    )
    assert not any(each.rule == "required" for each in found("rich-results", event))


def test_a_subclass_is_meant_too() -> None:
    told = found("rich-results", schema("MusicEvent", name="x"))
    assert {each.message.partition(",")[0] for each in told if each.rule == "required"} == {
        "A MusicEvent has no startDate",
        "A MusicEvent has no location",
    }


def test_pages_are_asked_for_open_graph_where_they_are_html() -> None:
    told = found("open-graph")
    assert "The page has no og:title, which Open Graph requires (open-graph)." in {
        each.message for each in told
    }
    head = "".join(
        f'<meta property="{name}" content="x">'
        for name in [
            "og:title",
            "og:type",
            "og:image",
            "og:url",
            "og:description",
            "og:site_name",
            "og:locale",
            "og:image:alt",
        ]
    )
    assert [*profile_findings(rule_page(more=head), [load_profile("open-graph")])] == []


def test_a_catalogue_by_dcat_ap() -> None:
    context = {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"}
    data = {"@context": context, "@type": "dcat:Dataset", "dct:title": "x"}
    told = [each for each in found("dcat-ap", data) if each.rule == "required"]
    assert [each.message for each in told] == [
        "A Dataset has no dct:description, which Dataset requires (dcat-ap)."
    ]


def test_no_profile_is_applied_unless_it_is_chosen() -> None:
    page = rule_page({"@context": "https://schema.org", **CLEAN[12]})
    assert [*check_page(page, load_rules(()))] == []
    chosen = ReportOptions(profiles=("rich-results",))
    assert all(each.rule != "rule-failed" for each in check_page(page, load_rules(()), chosen))
