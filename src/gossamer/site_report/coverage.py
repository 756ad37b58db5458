"""The rules `coverage` and `template`: pages of one template of which some lack what nearly all others have."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from gossamer.report.finding import FactKind, Finding, Severity
from gossamer.site_report.store import ReportStore

FEWEST: Final = 10  # pages that are compared
NEARLY_ALL: Final = 0.9  # of them have what the rest lacks
# What depends on the thing alone: that one has no rating yet is no mistake of its page.
OPTIONAL: Final = frozenset(
    [
        "aggregateRating",
        "review",
        "reviews",
        "dateModified",
        "sameAs",
        "award",
        "awards",
        "video",
        "endDate",
        "deathDate",
    ]
)
_ROWS: Final = """SELECT p.host, p.template, p.id, f.subject, f.value FROM pages p
    LEFT JOIN facts f ON f.page = p.id AND f.kind = ? ORDER BY p.host, p.template, p.id"""


def uneven_templates(store: ReportStore) -> Iterator[Finding]:
    """What nearly all pages of a template have and some lack: a type, or a property of one."""
    rows = store.rows(_ROWS, FactKind.USES.value)
    for (host, template), group in groupby(rows, key=lambda row: (row[0], row[1])):
        pages, types, properties = _count(group)
        if pages < FEWEST:
            continue
        for kind, having in sorted(types.items()):
            if NEARLY_ALL <= having / pages < 1:
                yield _lacking_type(store, host, template, pages, kind, having)
            for name in sorted(properties[kind]):
                count = properties[kind][name]
                is_uneven = having >= FEWEST and NEARLY_ALL <= count / having < 1
                if is_uneven and name not in OPTIONAL:
                    yield _lacking_property(store, host, template, (kind, having), (name, count))


def _count(rows: Iterator[Any]) -> tuple[int, Counter[str], dict[str, Counter[str]]]:
    """The number of pages; of those with each type; of those with each of its properties."""
    pages = set[int]()
    types, properties = Counter[str](), dict[str, Counter[str]]()
    for _, _, page, kind, names in rows:
        pages.add(page)
        if kind is not None:
            types[kind] += 1
            properties.setdefault(kind, Counter()).update(names.split() if names != "-" else ())
    return len(pages), types, properties


def _lacking_type(
    store: ReportStore, host: str, template: str, pages: int, kind: str, having: int
) -> Finding:
    query = """SELECT p.url FROM pages p WHERE p.host = ? AND p.template = ? AND NOT EXISTS (
        SELECT 1 FROM facts f WHERE f.page = p.id AND f.kind = ? AND f.subject = ?)
        ORDER BY p.url LIMIT 1"""
    ((url,),) = store.rows(query, host, template, FactKind.USES.value, kind)
    return Finding(
        f"{_of(pages - having, pages)} like {host}{template} have no {kind}, and all others have.",
        Severity.WARNING,
        fix="See that the template writes it for all of them.",
        rule="template",
        page=url,
    )


def _lacking_property(
    store: ReportStore, host: str, template: str, kind: tuple[str, int], name: tuple[str, int]
) -> Finding:
    query = """SELECT p.url FROM pages p JOIN facts f ON f.page = p.id
        WHERE p.host = ? AND p.template = ? AND f.kind = ? AND f.subject = ?
        AND instr(' ' || f.value || ' ', ?) = 0 ORDER BY p.url LIMIT 1"""
    words = f" {name[0]} "
    ((url,),) = store.rows(query, host, template, FactKind.USES.value, kind[0], words)
    return Finding(
        f"{_of(kind[1] - name[1], kind[1])} like {host}{template} with a {kind[0]} have no {name[0]}.",
        Severity.WARNING,
        fix=f"See that the template writes {name[0]} for all of them.",
        rule="coverage",
        page=url,
        see=f"https://schema.org/{name[0]}",
    )


def _of(some: int, total: int) -> str:
    return f"{some:,} of {total:,} pages"
