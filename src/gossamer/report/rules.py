"""Rules: our own by name, those of other packages by entry points in the group `gossamer.rules`, and how they run.

A rule is somebody's code on a stranger's page: one that raises or returns what is no finding costs the page that rule,
and a finding of the rule `rule-failed` says so. See docs/report.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from itertools import chain, islice
from types import MappingProxyType
from typing import Final, Protocol

from gossamer.report.added_vocabulary import unknown_terms
from gossamer.report.check_digits import GTINS, ISBN, ISSN, wrong_check_digits
from gossamer.report.codes import COUNTRIES, LANGUAGES, wrong_countries, wrong_languages
from gossamer.report.data_types import wrong_values
from gossamer.report.finding import Finding, Severity
from gossamer.report.head_rules import wrong_canonicals, wrong_languages_of_head
from gossamer.report.noindex import data_without_index
from gossamer.report.options import PLAIN, ReportOptions
from gossamer.report.page import RulePage
from gossamer.report.plausibility import (
    DATES_IN_ORDER,
    LIMITS,
    NUMBERS_IN_ORDER,
    wrong_coordinates,
    wrong_order,
    wrong_ratings,
)
from gossamer.report.prices import wrong_prices_between
from gossamer.report.profile import load_profile
from gossamer.report.profile_rules import profile_findings
from gossamer.report.rights import contradicting_rights
from gossamer.report.schema_names import (
    superseded_terms,
    unknown_properties,
    unknown_types,
    unknown_values,
)
from gossamer.report.schema_shape import wrong_domains, wrong_ranges
from gossamer.report.schema_values import (
    CURRENCIES,
    PRICES,
    date_properties,
    wrong_currencies,
    wrong_dates,
    wrong_prices,
)
from gossamer.report.shapes import shape_findings
from gossamer.report.syntax import reader_problems

GROUP: Final = "gossamer.rules"
FAILED: Final = "rule-failed"
MOST_FINDINGS: Final = 200  # of one rule on one page
MOST_CHARACTERS: Final = 2_000  # of one text in a finding


class ReportRule(Protocol):
    """A rule of a report: a function, or anything else that can be called like one."""

    def __call__(self, page: RulePage, /) -> Iterable[Finding]:
        """What is wrong with a page, in a fixed order."""


RULES: Final[Mapping[str, ReportRule]] = MappingProxyType(
    {
        "syntax": reader_problems,
        "unknown-type": unknown_types,
        "unknown-property": unknown_properties,
        "unknown-value": unknown_values,
        "superseded": superseded_terms,
        "wrong-domain": wrong_domains,
        "wrong-range": wrong_ranges,
        "date": wrong_dates,
        "value": wrong_values,  # findings of it are called by their data type
        "price": wrong_prices,
        "currency": wrong_currencies,
        "check-digit": wrong_check_digits,
        "language": wrong_languages,
        "country": wrong_countries,
        "order": wrong_order,
        "rating": wrong_ratings,
        "coordinates": wrong_coordinates,
        "price-mismatch": wrong_prices_between,
        "canonical": wrong_canonicals,
        "hreflang-language": wrong_languages_of_head,
        "noindex": data_without_index,
        "usage-rights": contradicting_rights,
    }
)
"""Our own rules, by the names that findings have."""


NEEDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "date": date_properties(),
        "price": frozenset(PRICES),
        "currency": frozenset(CURRENCIES),
        "check-digit": frozenset((*GTINS, ISBN, ISSN)),
        "language": frozenset(LANGUAGES),
        "country": frozenset(COUNTRIES),
        "order": frozenset(chain(*NUMBERS_IN_ORDER, *DATES_IN_ORDER)),
        "rating": frozenset({"ratingValue"}),
        "coordinates": frozenset(LIMITS),
        "price-mismatch": frozenset({"price"}),
    }
)
"""Properties without which a rule has nothing to look at: most pages have few of them."""


@dataclass(frozen=True, slots=True)
class InstalledRules:
    """All rules there are, and findings about those that do not load."""

    rules: Mapping[str, ReportRule]
    failures: tuple[Finding, ...] = ()


def check_page(
    page: RulePage, rules: InstalledRules | None = None, options: ReportOptions = PLAIN
) -> Iterator[Finding]:
    """What all rules find on a page, each finding once; and what is missing by the chosen profiles and shapes."""
    rules = rules or installed_rules()
    failures = (replace(each, page=page.url) for each in rules.failures)
    yield from failures
    for name, rule in rules.rules.items():
        if name in NEEDS and page.schema.names.isdisjoint(NEEDS[name]):
            continue
        yield from dict.fromkeys(_run(name, rule, page))
    for name, rule in _chosen(options):
        yield from dict.fromkeys(_run(name, rule, page))


def _chosen(options: ReportOptions) -> Iterator[tuple[str, ReportRule]]:
    """The rules that the options ask for."""
    if options.profiles:
        profiles = [load_profile(name) for name in options.profiles]
        yield "required", lambda page: profile_findings(page, profiles)
    if options.vocabularies:
        yield "unknown-term", lambda page: unknown_terms(page, options.vocabularies)
    if options.shapes:
        yield "shape", lambda page: shape_findings(page, options.shapes)


def _run(name: str, rule: ReportRule, page: RulePage) -> Iterator[Finding]:
    try:
        for finding in islice(rule(page), MOST_FINDINGS):
            yield _signed(_checked(finding), name, page)
    except MemoryError:
        raise
    except Exception as error:  # a defect costs one rule, not the page
        yield replace(_failure(name, "failed", error), page=page.url)


def _signed(finding: Finding, rule: str, page: RulePage) -> Finding:
    return replace(finding, rule=finding.rule or rule, page=page.url)


def _checked(finding: object) -> Finding:
    """The finding, once it is sure that it is one: other packages are not all type-checked."""
    if not isinstance(finding, Finding):
        raise TypeError(f"it returned an object of type {type(finding).__name__}, and no Finding")
    texts = {name: getattr(finding, name) for name in ("message", "entity", "fix", "rule", "see")}
    for name, text in texts.items():
        if not isinstance(text, str) and (text is not None or name in ("message", "rule")):
            raise TypeError(f"the {name} of a finding is of type {type(text).__name__}")
    if type(finding.line) is not int and finding.line is not None:
        raise TypeError(f"the line of a finding is of type {type(finding.line).__name__}")
    cut = {name: text and text[:MOST_CHARACTERS] for name, text in texts.items()}
    return replace(finding, severity=Severity(finding.severity), **cut)


@lru_cache(maxsize=1)
def installed_rules() -> InstalledRules:
    """Our rules and those of other packages, loaded when a page is first checked."""
    return load_rules(entry_points(group=GROUP))


def load_rules(found: Iterable[EntryPoint]) -> InstalledRules:
    """Our rules and these of other packages, by name."""
    rules: dict[str, ReportRule] = dict(RULES)
    failures = []
    for each in sorted(found, key=lambda each: (each.name, each.value)):
        try:
            rules[_free_name(each.name, rules)] = _callable(each.load())
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            failures.append(_failure(each.name, "cannot be loaded", error))
    return InstalledRules(MappingProxyType(rules), tuple(failures))


def _free_name(name: str, rules: Mapping[str, ReportRule]) -> str:
    if name in rules:
        raise ValueError("there is another rule of that name")
    return name


def _callable(rule: Callable[[RulePage], Iterable[Finding]]) -> ReportRule:
    if not callable(rule):
        raise TypeError("it is no function")
    return rule


def _failure(name: str, what: str, error: Exception) -> Finding:
    why = f"{type(error).__name__}: {error}".partition("\n")[0][:160].rstrip(": .")
    # An error: what is not checked must not pass for good.
    return Finding(f"The rule {name} {what}: {why}.", Severity.ERROR, rule=FAILED)
