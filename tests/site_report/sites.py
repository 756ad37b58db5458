"""Small sites as reports see them: pages that are read, and how other addresses were answered."""

import json
from collections.abc import Mapping
from pathlib import Path

import gossamer
from gossamer.report.facts import page_facts
from gossamer.report.finding import Finding
from gossamer.report.page import RulePage
from gossamer.report.rules import check_page, load_rules
from gossamer.site_report.check import check_site
from gossamer.site_report.store import CheckedPage, ReportStore


def ld(*things: Mapping[str, object]) -> str:
    """Things in JSON-LD, a property a line."""
    return "\n".join(
        '<script type="application/ld+json">\n'
        + json.dumps({"@context": "https://schema.org", **thing}, indent=1)
        + "\n</script>"
        for thing in things
    )


def html(*body: str, head: str = "") -> str:
    """A page."""
    return "\n".join(("<!doctype html>", "<html lang=en>", "<title>A page</title>", head, *body))


def checked(url: str, text: str) -> CheckedPage:
    """A page that was read and checked."""
    page = RulePage(gossamer.extract(text, url=url), lambda: text)
    return CheckedPage(url, [*check_page(page, load_rules(()))], [*page_facts(page)])


def found(
    folder: Path,
    pages: Mapping[str, str],
    answers: Mapping[str, int] | None = None,
    robots: Mapping[str, str] | None = None,
) -> list[Finding]:
    """What looking at all pages together finds."""
    store = ReportStore.open(folder / "report.db")
    try:
        store.take(checked(url, text) for url, text in pages.items())
        store.answered([*dict.fromkeys(pages, 200).items(), *(answers or {}).items()])
        for origin, text in (robots or {}).items():
            store.keep_robots(origin, text.encode())
        return check_site(store)
    finally:
        store.close()
