"""The rules `two-things`, `two-ids` and `same-as`: what pages say together of the things that they name."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from gossamer.report.finding import FactKind, Finding, Severity
from gossamer.report.schema_shape import with_article
from gossamer.site_report.store import ReportStore, host_in
from gossamer.vocabulary.schema_terms import class_and_above
from gossamer.wording import quoted

LOOKED_AT: Final = 200  # statements of one thing
GONE: Final = "404, 410"
# One of a name is enough for a site; persons and products may share theirs.
SOLE: Final = "'Organization', 'WebSite'"
_FACTS: Final = """SELECT f.subject, f.value, f.more, f.line, p.url FROM facts f
    JOIN pages p ON p.id = f.page WHERE f.kind = ?"""


def two_things(store: ReportStore) -> Iterator[Finding]:
    """IRIs that name a thing of one type on a page, and of another or with another name on a second."""
    subjects = store.rows(
        """SELECT subject FROM facts WHERE kind = ? GROUP BY subject
        HAVING count(DISTINCT value) > 1 OR count(DISTINCT more) > 1 ORDER BY subject""",
        FactKind.ENTITY.value,
    )
    for (subject,) in [*subjects]:
        query = f"{_FACTS} AND f.subject = ? ORDER BY p.url, f.rowid LIMIT ?"
        rows = [*store.rows(query, FactKind.ENTITY.value, subject, LOOKED_AT)]
        found = _contradiction(rows)
        if found is not None:
            yield found


def _contradiction(rows: Sequence[Any]) -> Finding | None:
    subject, types, named, _, url = rows[0]
    language, _, name = named.partition("\t")
    for _, others, also_named, line, other in rows[1:]:
        if _are_unlike(types.split(), others.split()):
            return Finding(
                f"{quoted(subject)} is {with_article(others)} here, and {with_article(types)} at {url}.",
                Severity.ERROR,
                line,
                subject,
                "Give each thing an @id of its own.",
                "two-things",
                other,
            )
        also_language, _, also_name = also_named.partition("\t")
        is_otherwise = name.casefold() != also_name.casefold() and bool(name and also_name)
        if is_otherwise and language == also_language:
            return Finding(
                f"{quoted(subject)} is called {quoted(also_name)} here, and {quoted(name)} at {url}.",
                Severity.WARNING,
                line,
                subject,
                "Give each thing an @id of its own, and each @id one name.",
                "two-things",
                other,
            )
    return None


def _are_unlike(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether no type of the one is a type of the other, or above or below one."""
    above = frozenset[str]().union(*map(class_and_above, some)) - {"Thing"}
    also = frozenset[str]().union(*map(class_and_above, others)) - {"Thing"}
    return not (above & set(others) or also & set(some)) and bool(above and also)


def two_ids(store: ReportStore) -> Iterator[Finding]:
    """Numbers of one product or book under two IRIs of a host, and one organisation or site under two."""
    query = f"""{_FACTS} AND f.value IN (
        SELECT f.value FROM facts f JOIN pages p ON p.id = f.page WHERE f.kind = ?
        GROUP BY p.host, f.value HAVING count(DISTINCT f.subject) > 1) ORDER BY f.value, p.url"""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    kind = FactKind.KEY.value
    for subject, key, _, line, url in store.rows(query, kind, kind):
        yield from _second(first, (key, host_in(url)), subject, line, url, key.replace(":", " "))
    query = f"{_FACTS} AND f.value IN ({SOLE}) ORDER BY p.url"
    first = {}
    for subject, types, named, line, url in store.rows(query, FactKind.ENTITY.value):
        name = named.partition("\t")[2]
        if name:
            key = f"{types} {name.casefold()}"
            words = f"The {types} {quoted(name)}"
            yield from _second(first, (key, host_in(url)), subject, line, url, words)


def _second(
    first: dict[tuple[str, str], tuple[str, str]],
    key: tuple[str, str],
    subject: str,
    line: int | None,
    url: str,
    words: str,
) -> Iterator[Finding]:
    """A finding where a key has another IRI than at first; told once for each two IRIs."""
    known, where = first.setdefault(key, (subject, url))
    pair = (key[0], f"{known} {subject}")
    if subject != known and pair not in first:
        first[pair] = ("", "")
        yield Finding(
            f"{words} has the @id {quoted(subject)} here, and {quoted(known)} at {where}.",
            Severity.WARNING,
            line,
            subject,
            f"Write {known} everywhere.",
            "two-ids",
            url,
        )


def wrong_same_as(store: ReportStore) -> Iterator[Finding]:
    """`sameAs` whose target is gone, or names things of its own and does not point back."""
    query = f"""SELECT f.subject, f.value, f.line, p.url, a.status FROM facts f
        JOIN pages p ON p.id = f.page JOIN answers a ON a.url = f.more
        WHERE f.kind = ? AND a.status IN ({GONE}) ORDER BY p.url, f.rowid"""
    for subject, target, line, url, status in store.rows(query, FactKind.SAME_AS.value):
        yield Finding(
            f"sameAs leads to {quoted(target)}, which was answered with {status}.",
            Severity.ERROR,
            line,
            subject,
            "Take it away, or write where the page is now.",
            "same-as",
            url,
            "https://schema.org/sameAs",
        )
    query = """SELECT f.subject, f.value, f.line, p.url FROM facts f JOIN pages p ON p.id = f.page
        WHERE f.kind = ?1 AND EXISTS (SELECT 1 FROM facts t WHERE t.kind = ?2 AND t.subject = f.value)
        AND f.value <> f.subject AND NOT EXISTS (
            SELECT 1 FROM facts b WHERE b.kind = ?1 AND b.subject = f.value AND b.value = f.subject)
        ORDER BY p.url, f.rowid"""
    for subject, target, line, url in store.rows(
        query, FactKind.SAME_AS.value, FactKind.ENTITY.value
    ):
        yield Finding(
            f"sameAs leads to {quoted(target)}, which does not lead back.",
            Severity.WARNING,
            line,
            subject,
            f"Give it sameAs with {subject}, or one @id for both.",
            "same-as",
            url,
            "https://schema.org/sameAs",
        )
