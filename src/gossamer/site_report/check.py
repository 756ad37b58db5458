"""All rules of sites, and how they run: over a store, when all pages are in it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from gossamer.report.finding import Finding
from gossamer.site_report.coverage import uneven_templates
from gossamer.site_report.links import (
    blocked_links,
    broken_links,
    wrong_canonical_targets,
    wrong_hreflangs,
    wrong_listings,
)
from gossamer.site_report.store import ReportStore
from gossamer.site_report.things import two_ids, two_things, wrong_same_as

MOST_FINDINGS: Final = 1_000  # of one rule
SITE_RULES: Final[Sequence[Callable[[ReportStore], Iterator[Finding]]]] = (
    two_things,
    two_ids,
    wrong_same_as,
    broken_links,
    blocked_links,
    wrong_canonical_targets,
    wrong_hreflangs,
    wrong_listings,
    uneven_templates,
)


def check_site(store: ReportStore) -> list[Finding]:
    """What all rules find, each finding once; kept in the store, until more pages come."""
    if store.is_stale:
        found = (each for rule in SITE_RULES for each in islice(rule(store), MOST_FINDINGS))
        store.keep_site_findings([*dict.fromkeys(found)])
    return store.site_findings()
