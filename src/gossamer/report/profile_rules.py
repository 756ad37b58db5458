"""The rules `required` and `recommended`: what the chosen profiles want of a page's things, and is missing. Pure."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.page_graph import PageGraph
from gossamer.report.profile import ProfileFeature, ReportProfile, Requirement
from gossamer.report.schema_shape import with_article


class MissingValue(NamedTuple):
    """An entity that lacks what a feature wants of it."""

    entity: str
    feature: ProfileFeature
    requirement: Requirement


def missing_values(
    graph: PageGraph, features: Iterable[ProfileFeature], page: str
) -> Iterator[MissingValue]:
    """What entities lack of what features want, in the order of the features."""
    for feature in features:
        for entity in [page] if feature.is_of_page else graph.of_classes(feature.classes):
            if not _is_meant(graph, feature, entity):
                continue
            for requirement in feature.requirements:
                if not any(graph.leads(entity, path) for path in requirement.paths):
                    yield MissingValue(entity, feature, requirement)


def _is_meant(graph: PageGraph, feature: ProfileFeature, entity: str) -> bool:
    if feature.of and not graph.is_reached(entity, feature.of, feature.via):
        return False
    return not feature.only_with or any(graph.has(entity, name) for name in feature.only_with)


def profile_findings(page: RulePage, profiles: Iterable[ReportProfile]) -> Iterator[Finding]:
    """What is missing on a page, as findings; data of a page itself is wanted of HTML alone."""
    for profile in profiles:
        features = [each for each in profile.features if page.tree or not each.is_of_page]
        for missing in missing_values(page.graph, features, page.url):
            yield _finding(page, profile, missing)


def _finding(page: RulePage, profile: ReportProfile, missing: MissingValue) -> Finding:
    entity, feature, wanted = missing
    words = wanted.words.replace(" | ", " or ")
    kinds = " and ".join(_short(each) for each in page.graph.types.get(entity, ()))
    who = "The page" if feature.is_of_page else _capital(with_article(kinds))
    how = "requires" if wanted.is_required else "recommends"
    return Finding(
        f"{who} has no {words}, which {feature.name} {how} ({profile.name}).",
        Severity.ERROR if wanted.is_required else Severity.WARNING,
        None if feature.is_of_page else page.line_of_entity(entity),
        None if feature.is_of_page else entity,
        f"Add {words}.",
        "required" if wanted.is_required else "recommended",
        see=feature.source,
    )


def _short(iri: str) -> str:
    return iri.rpartition("#")[2].rpartition("/")[2] or iri


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
