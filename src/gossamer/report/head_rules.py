"""The rules `canonical` and `hreflang-language`: what the head of a page says, and its data says otherwise."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from gossamer.report.facts import CANONICAL
from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.report.schema_page import SchemaStatement
from gossamer.report.statements import TermKind
from gossamer.wording import quoted

MAIN: Final = (
    *("Article", "Product", "Event", "Recipe", "JobPosting", "VideoObject", "Book", "Movie"),
    *("Course", "Dataset", "WebPage", "SoftwareApplication", "HowTo", "LearningResource"),
)  # what a page is about, where it has one of them


def wrong_canonicals(page: RulePage) -> Iterator[Finding]:
    """A main thing whose `url` or `mainEntityOfPage` is another page of the site than the canonical one."""
    addresses = page.values.get(CANONICAL, ())
    if len(addresses) != 1:
        if len({same(each) for each in addresses}) > 1:
            yield Finding(
                f"The page names {len(addresses)} canonical addresses, {quoted(addresses[0])} and {quoted(addresses[1])}.",
                Severity.ERROR,
                page.line_of(addresses[1]),
                fix="Name one.",
            )
        return
    for each in _main_statements(page, ("url", "mainEntityOfPage")):
        value, wanted = each.value.strip(), addresses[0]
        is_ours = urlsplit(value).netloc == urlsplit(wanted).netloc != ""
        if is_ours and same(value) != same(wanted):
            yield Finding(
                f"{each.name} is {quoted(value)}, and the canonical address {quoted(wanted)}.",
                Severity.WARNING,
                page.line_of(value, each.name) or page.line_of(value),
                each.entity,
                f"Write {wanted}.",
                see=definition(each.name),
            )


def wrong_languages_of_head(page: RulePage) -> Iterator[Finding]:
    """An `inLanguage` of a main thing that is not the language in which `hreflang` has the page."""
    if not page.hreflangs:
        return
    here = {same(page.url), *(same(each) for each in page.values.get(CANONICAL, ()))}
    own = {language for language, address in page.hreflangs if same(address) in here}
    own -= {"x-default"}
    if not own:
        return
    for each in _main_statements(page, ("inLanguage",)):
        said = each.value.strip().lower().replace("_", "-")
        if each.kind is TermKind.TEXT and said.partition("-")[0] not in {
            language.partition("-")[0] for language in own
        }:
            yield Finding(
                f"inLanguage is {quoted(each.value)}, and hreflang says {quoted(min(own))} of this page.",
                Severity.WARNING,
                page.line_of(each.value.strip(), "inLanguage"),
                each.entity,
                f"Write {min(own)}, or correct the head.",
                see=definition("inLanguage"),
            )


def same(address: str) -> str:
    """What two addresses of one page have in common: without scheme, fragment and last slash."""
    return address.partition("#")[0].partition("://")[2].rstrip("/")


def _main_statements(page: RulePage, names: tuple[str, ...]) -> Iterator[SchemaStatement]:
    """Statements about the main thing, on pages that have exactly one."""
    inner = {each.value for each in page.schema.statements if each.kind is not TermKind.TEXT}
    mains = [
        entity
        for entity, known in page.schema.entities.items()
        if known.is_a(MAIN) and entity not in inner
    ]
    if len(mains) == 1:
        for each in page.schema.statements:
            if each.entity == mains[0] and each.name in names and each.kind is not TermKind.BLANK:
                yield each
