from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest
from tests.report.pages import rule_page, schema

from gossamer.report import rules
from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.rules import FAILED, GROUP, RULES, check_page, load_rules


def names_are_missing(page: RulePage) -> Iterator[Finding]:
    if "Ada" not in page.text:
        yield Finding("Ada is not mentioned.", fix="Mention her.")


def raises(page: RulePage) -> Iterator[Finding]:
    yield Finding("This was found before.")
    raise KeyError("price")


def returns_text(page: RulePage) -> list[str]:
    return ["no finding"]


def returns_numbers(page: RulePage) -> list[Finding]:
    return [Finding("A line is a number.", line="3")]  # type: ignore[arg-type]


def never_ends(page: RulePage) -> Iterator[Finding]:
    while True:
        for nth in range(rules.MOST_FINDINGS * 2):
            yield Finding(f"Number {nth}.")


def entry(name: str, function: str) -> EntryPoint:
    return EntryPoint(name, f"{__name__}:{function}", GROUP)


def found_by(*entries: EntryPoint) -> list[Finding]:
    installed = load_rules(entries)
    return [each for each in check_page(rule_page(), installed) if each.rule not in RULES]


def test_a_clean_page_has_no_findings() -> None:
    person = schema("Person", name="Ada", birthDate="1815-12-10", sameAs="http://ada.test/")
    assert [*check_page(rule_page(person), load_rules(()))] == []


def test_a_rule_of_another_package_is_named_by_its_entry_point() -> None:
    assert found_by(entry("names", "names_are_missing")) == [
        Finding("Ada is not mentioned.", fix="Mention her.", rule="names", page="http://a.test/")
    ]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("raises", "The rule mine failed: KeyError: 'price'."),
        ("returns_text", "failed: TypeError: it returned an object of type str"),
        ("returns_numbers", "failed: TypeError: the line of a finding is of type str"),
        ("no_such_function", "The rule mine cannot be loaded: AttributeError"),
        ("FAILED", "cannot be loaded: TypeError: it is no function"),
    ],
)
def test_a_broken_rule_is_a_finding_and_the_others_run(function: str, why: str) -> None:
    found = found_by(entry("mine", function), entry("names", "names_are_missing"))
    assert "names" in {each.rule for each in found}
    (failed,) = (each for each in found if each.rule == FAILED)
    assert why in failed.message
    assert (failed.severity, failed.page) == (Severity.ERROR, "http://a.test/")


def test_what_a_rule_found_before_it_failed_is_kept() -> None:
    first, _ = found_by(entry("mine", "raises"))
    assert first.message == "This was found before."


def test_a_rule_cannot_take_the_name_of_another() -> None:
    (failed,) = found_by(entry("date", "names_are_missing"))
    assert "there is another rule of that name" in failed.message


def test_a_rule_without_end_is_cut() -> None:
    assert len(found_by(entry("endless", "never_ends"))) == rules.MOST_FINDINGS


def test_what_is_found_twice_is_told_once() -> None:
    bad = schema("Offer", price="much")
    page = rule_page({"@id": "http://a.test/#o", **bad}, {"@id": "http://a.test/#o", **bad})
    assert [each.rule for each in check_page(page, load_rules(()))] == ["price"]
