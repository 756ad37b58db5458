"""The rules `broken-link`, `blocked`, `canonical`, `hreflang` and `sitemap`: addresses in data, by how they were answered."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from gossamer.model import Url
from gossamer.politeness.robots.policy import RobotsPolicy
from gossamer.report.finding import FactKind, Finding, Severity
from gossamer.site_report.store import ReportStore
from gossamer.urls.parts import origin_of
from gossamer.wording import quoted

GONE: Final = frozenset({404, 410})
EVERYBODY: Final = "robots-of-nobody"  # a name that no robots.txt has: the rules for all apply
NAMES: Final = {FactKind.IMAGE.value: "image", FactKind.CRUMB.value: "breadcrumb"}
_LEADS: Final = (FactKind.IMAGE.value, FactKind.CRUMB.value)


def broken_links(store: ReportStore) -> Iterator[Finding]:
    """Pictures and breadcrumbs that were answered with an error."""
    query = """SELECT f.kind, f.subject, f.value, f.more, f.line, p.url, a.status FROM facts f
        JOIN pages p ON p.id = f.page JOIN answers a ON a.url = f.value
        WHERE f.kind IN (?, ?) AND a.status >= 400 ORDER BY p.url, f.rowid"""
    for kind, subject, target, name, line, url, status in store.rows(query, *_LEADS):
        yield Finding(
            f"The {_named(kind, name)} {quoted(target)} was answered with {status}.",
            Severity.ERROR if status in GONE else Severity.WARNING,
            line,
            subject,
            "Correct the address, or take it away.",
            "broken-link",
            url,
        )


def blocked_links(store: ReportStore) -> Iterator[Finding]:
    """Pages with data, and pictures and breadcrumbs in it, that robots.txt keeps from all robots."""
    policies = {
        origin: RobotsPolicy.parse(body, EVERYBODY)
        for origin, body in store.rows("SELECT origin, body FROM robots")
    }
    if not policies:
        return

    @lru_cache(maxsize=4_096)
    def is_blocked(url: str) -> bool:
        try:
            policy = policies.get(origin_of(Url(url)))
        except ValueError:  # no address
            return False
        return policy is not None and not policy.allows(Url(url))

    query = """SELECT p.url FROM pages p WHERE EXISTS (
        SELECT 1 FROM facts f WHERE f.page = p.id AND f.kind = ?) ORDER BY p.url"""
    for (url,) in store.rows(query, FactKind.USES.value):
        if is_blocked(url):
            yield Finding(
                "The page has structured data, and robots.txt keeps all robots from it.",
                Severity.WARNING,
                fix="Allow the page in robots.txt if it is to be found.",
                rule="blocked",
                page=url,
            )
    query = """SELECT f.kind, f.subject, f.value, f.more, f.line, p.url FROM facts f
        JOIN pages p ON p.id = f.page WHERE f.kind IN (?, ?) ORDER BY p.url, f.rowid"""
    for kind, subject, target, name, line, url in store.rows(query, *_LEADS):
        if is_blocked(target):
            yield Finding(
                f"robots.txt keeps all robots from the {_named(kind, name)} {quoted(target)}.",
                Severity.WARNING,
                line,
                subject,
                "Allow it in robots.txt: search engines show no picture that they may not fetch.",
                "blocked",
                url,
            )


def wrong_canonical_targets(store: ReportStore) -> Iterator[Finding]:
    """Canonical addresses that are gone or not to be indexed, or whose page lacks what this one says."""
    query = """SELECT f.value, p.url, a.status, t.id, p.id FROM facts f JOIN pages p ON p.id = f.page
        LEFT JOIN answers a ON a.url = f.value LEFT JOIN pages t ON t.url = f.value
        WHERE f.kind = ? AND f.value <> p.url ORDER BY p.url"""
    for target, url, status, other, page in store.rows(query, FactKind.CANONICAL.value):
        if status is not None and status >= 300:
            yield _of_head(
                f"The canonical address {quoted(target)} was answered with {status}.",
                Severity.ERROR if status in GONE else Severity.WARNING,
                "Name an address that answers with the page.",
                "canonical",
                url,
            )
        elif other is not None:
            if _has(store, other, FactKind.NOINDEX):
                message = f"The canonical page {quoted(target)} says noindex."
                yield _of_head(
                    message, Severity.WARNING, "Let one of them be found.", "canonical", url
                )
            if missing := _types(store, page) - _types(store, other):
                message = f"The canonical page {quoted(target)} has no {' and no '.join(sorted(missing))}, which this one has."
                fix = "Put the data on the canonical page: search engines read it there."
                yield _of_head(message, Severity.WARNING, fix, "canonical", url)


def wrong_hreflangs(store: ReportStore) -> Iterator[Finding]:
    """Alternate pages that are gone, do not lead back, or lack what this one says."""
    query = """SELECT f.subject, f.value, p.url, a.status, t.id, p.id FROM facts f
        JOIN pages p ON p.id = f.page
        LEFT JOIN answers a ON a.url = f.value LEFT JOIN pages t ON t.url = f.value
        WHERE f.kind = ? AND f.value <> p.url ORDER BY p.url, f.rowid"""
    for language, target, url, status, other, page in store.rows(query, FactKind.HREFLANG.value):
        if status is not None and status >= 400:
            message = f"The page in {language}, {quoted(target)}, was answered with {status}."
            yield _of_head(message, Severity.ERROR, "Correct the address.", "hreflang", url)
        elif other is not None:
            back = store.rows(
                "SELECT 1 FROM facts WHERE page = ? AND kind = ? AND value = ? LIMIT 1",
                other,
                FactKind.HREFLANG.value,
                url,
            )
            if next(back, None) is None:
                message = f"The page in {language}, {quoted(target)}, does not name this one."
                fix = "Name all pages on each of them: search engines ignore what is not mutual."
                yield _of_head(message, Severity.WARNING, fix, "hreflang", url)
            if missing := _types(store, page) - _types(store, other):
                message = f"The page in {language}, {quoted(target)}, has no {' and no '.join(sorted(missing))}, which this one has."
                fix = "Give all languages the same data."
                yield _of_head(message, Severity.WARNING, fix, "hreflang", url)


def wrong_listings(store: ReportStore) -> Iterator[Finding]:
    """Addresses in sitemaps that are gone, not to be indexed, or not the canonical ones."""
    query = """SELECT l.url, l.sitemap, a.status, (
            SELECT f.value FROM facts f WHERE f.page = p.id AND f.kind = ?1 AND f.value <> p.url LIMIT 1
        ), EXISTS (SELECT 1 FROM facts f WHERE f.page = p.id AND f.kind = ?2)
        FROM listed l LEFT JOIN answers a ON a.url = l.url LEFT JOIN pages p ON p.url = l.url
        WHERE a.status >= 300 OR p.id IS NOT NULL ORDER BY l.sitemap, l.url"""
    kinds = FactKind.CANONICAL.value, FactKind.NOINDEX.value
    for url, sitemap, status, canonical, is_hidden in store.rows(query, *kinds):
        why = None
        if status is not None and status >= 300:
            why = f"was answered with {status}"
        elif is_hidden:
            why = "says noindex"
        elif canonical is not None:
            why = f"has another canonical address, {quoted(canonical)}"
        if why is not None:
            yield _of_head(
                f"The sitemap lists {quoted(url)}, which {why}.",
                Severity.WARNING,
                "List pages that are to be found, by their canonical addresses.",
                "sitemap",
                sitemap,
            )


def _named(kind: str, name: str) -> str:
    return name if kind == FactKind.IMAGE.value and name else NAMES[kind]


def _has(store: ReportStore, page: int, kind: FactKind) -> bool:
    query = "SELECT 1 FROM facts WHERE page = ? AND kind = ? LIMIT 1"
    return next(store.rows(query, page, kind.value), None) is not None


def _types(store: ReportStore, page: int) -> set[str]:
    query = "SELECT subject FROM facts WHERE page = ? AND kind = ?"
    return {kind for (kind,) in store.rows(query, page, FactKind.USES.value)}


def _of_head(message: str, severity: Severity, fix: str, rule: str, page: str) -> Finding:
    return Finding(message, severity, fix=fix, rule=rule, page=page)
