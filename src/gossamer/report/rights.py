"""The rule `usage-rights`: licences and reservations of one page that contradict each other."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from gossamer.politeness.usage import content_preferences
from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.statements import TermKind
from gossamer.wording import quoted

LICENCES: Final = (
    "http://www.w3.org/1999/xhtml/vocab#license",
    "http://purl.org/dc/terms/license",
    "http://creativecommons.org/ns#license",
)
_NAMES: Final = ("license", "isAccessibleForFree")
OPEN: Final = ("creativecommons.org/licenses/", "creativecommons.org/publicdomain/")
_METAS: Final = (
    'meta[name="tdm-reservation" i], meta[name="content-usage" i], meta[name="robots" i]'
)
TDMREP: Final = "https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/"


def contradicting_rights(page: RulePage) -> Iterator[Finding]:
    """A thing with two licences, one that is free and not free, an open licence beside a reservation."""
    if page.schema.names.isdisjoint(_NAMES) and page.values.keys().isdisjoint(LICENCES):
        return
    licences, access = _said_of_things(page)
    of_page = list(dict.fromkeys(each for name in LICENCES for each in page.values.get(name, ())))
    for entity, values in licences.items():
        both = _distinct(values)
        if len(both) > 1:
            yield _finding(
                page, f"license is {quoted(both[0])} and {quoted(both[1])}.", both[1], entity
            )
        elif len(licences) == 1 and of_page and len(_distinct([*values, of_page[0]])) > 1:
            message = f"license is {quoted(both[0])}, and {quoted(of_page[0])} of the page."
            yield _finding(page, message, both[0], entity)
    for entity, values in access.items():
        if len({each.lower() for each in values}) > 1:
            yield _finding(
                page, "isAccessibleForFree is both true and false.", "isAccessibleForFree", entity
            )
    everywhere = [*of_page, *(each for values in licences.values() for each in values)]
    open_one = next((each for each in everywhere if _is_open(each)), None)
    reserved = None if open_one is None else next(_reservations(page), None)
    if open_one is not None and reserved is not None:
        message = (
            f"The license is {quoted(open_one)}, and {reserved} reserves text and data mining."
        )
        yield _finding(page, message, reserved, None, Severity.WARNING, TDMREP)


def _said_of_things(
    page: RulePage,
) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    licences: dict[str, list[str]] = defaultdict(list)
    access: dict[str, list[str]] = defaultdict(list)
    for each in page.schema.statements:
        if each.name == "license" and each.kind is not TermKind.BLANK:
            licences[each.entity].append(each.value.strip())
        elif each.name == "isAccessibleForFree":
            access[each.entity].append(each.value.strip())
    return licences, access


def _distinct(licences: list[str]) -> list[str]:
    """The licences without those that differ in the spelling of their address alone."""
    found: dict[str, str] = {}
    for each in licences:
        plain = each.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.")
        found.setdefault(plain.removesuffix("/legalcode").rstrip("/"), each)
    return list(found.values())


def _is_open(licence: str) -> bool:
    """Whether everybody may use a work, machines included."""
    return any(each in licence for each in OPEN) and "-nd" not in licence


def _reservations(page: RulePage) -> Iterator[str]:
    for node in page.tree.css(_METAS) if page.tree is not None else ():
        name = (node.attributes["name"] or "").lower()
        content = (node.attributes.get("content") or "").strip().lower()
        if (name == "tdm-reservation" and content == "1") or (
            name == "content-usage" and any(each == "n" for _, each in content_preferences(content))
        ):
            yield name
        elif name == "robots" and "noai" in content:
            yield "noai"


def _finding(
    page: RulePage,
    message: str,
    words: str,
    entity: str | None,
    severity: Severity = Severity.ERROR,
    see: str = "https://schema.org/license",
) -> Finding:
    fix = "Say one thing about who may use this, in all places."
    return Finding(message, severity, page.line_of(words), entity, fix, see=see)
