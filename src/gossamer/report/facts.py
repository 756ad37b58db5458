"""Facts of a page: what it says that is compared with other pages, and with what was fetched. Pure.

Bounded: a page gives so many facts of each kind, the first ones.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from gossamer.config import Sitemaps
from gossamer.model import Refusal, Url
from gossamer.report.finding import FactKind, PageFact
from gossamer.report.noindex import noindex_sources
from gossamer.report.page import RulePage, joined
from gossamer.report.schema_page import SchemaStatement
from gossamer.report.statements import TermKind
from gossamer.sitemaps.read import read_sitemap
from gossamer.sitemaps.values import SitemapEntry
from gossamer.urls.canonical import canonical

MOST_OF_A_KIND: Final = 60
MOST_LISTED: Final = 50_000
OPENING: Final = 2_000  # characters in which a sitemap says that it is one
LONGEST: Final = 1_000  # characters of a value
CANONICAL: Final = "http://www.iana.org/assignments/relation/canonical"
LANGUAGE: Final = "http://purl.org/dc/terms/language"
OG_IMAGES: Final = ("http://ogp.me/ns#image", "http://ogp.me/ns/image#url")
IMAGES: Final = ("image", "logo", "thumbnailUrl", "primaryImageOfPage")
KEYS: Final = ("gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn", "issn", "leiCode")
NAMES: Final = ("name", "headline")


def page_facts(page: RulePage) -> Iterator[PageFact]:
    """The facts of a page, in a fixed order."""
    taken = Counter[FactKind]()
    found = chain(_of_head(page), _of_entities(page), _of_statements(page), _uses(page))
    for fact in dict.fromkeys(found):
        if len(fact.subject) <= LONGEST and 0 < len(fact.value) <= LONGEST:
            taken[fact.kind] += 1
            if taken[fact.kind] <= MOST_OF_A_KIND:
                yield fact._replace(more=fact.more[:LONGEST])
    yield from _listed(page)


def _of_head(page: RulePage) -> Iterator[PageFact]:
    for address in page.values.get(CANONICAL, ()):
        yield PageFact(FactKind.CANONICAL, page.url, plain_address(address))
    for name in OG_IMAGES:
        for address in page.values.get(name, ()):
            where, line = plain_address(joined(page.url, address)), page.line_of(address)
            yield PageFact(FactKind.IMAGE, page.url, where, "og:image", line)
    for language, address in page.hreflangs:
        yield PageFact(FactKind.HREFLANG, language, plain_address(address))
    for source in noindex_sources(page):
        yield PageFact(FactKind.NOINDEX, page.url, source)


def _of_entities(page: RulePage) -> Iterator[PageFact]:
    names: dict[str, str] = {}
    language = next(iter(page.values.get(LANGUAGE, ())), "")
    for entity, _, text in page.schema_values(NAMES):
        names.setdefault(entity, " ".join(text.split()))
    named = (
        (entity, known.types)
        for entity, known in page.schema.entities.items()
        if known.types and not entity.startswith("_:")
    )
    for entity, types in islice(named, MOST_OF_A_KIND):
        told = f"{language}\t{names.get(entity, '')}"
        line = page.line_of_entity(entity)
        yield PageFact(FactKind.ENTITY, entity, " ".join(types), told, line)


def _of_statements(page: RulePage) -> Iterator[PageFact]:
    # Counted before lines are looked for: a hostile page may have a hundred thousand pictures.
    counts = Counter[FactKind]()
    for each in page.schema.statements:
        kind = _kind(page, each)
        if kind is None or counts[kind] >= MOST_OF_A_KIND:
            continue
        counts[kind] += 1
        value = each.value.strip()
        if kind is FactKind.KEY:
            key = f"{each.name.rstrip('0123456789')}:{value.replace('-', '').replace(' ', '')}"
            yield PageFact(kind, each.entity, key, line=page.line_of(value, each.name))
        elif kind is FactKind.SAME_AS:
            yield PageFact(kind, each.entity, value, plain_address(value), page.line_of(value))
        elif address := _address(page, each):
            line = page.line_of(value, each.name) or page.line_of(value)
            yield PageFact(kind, each.entity, address, each.name, line)


def _kind(page: RulePage, each: SchemaStatement) -> FactKind | None:
    """What a statement tells that is compared; None for most."""
    is_named = not each.entity.startswith("_:")
    if each.name in KEYS:
        return FactKind.KEY if is_named and each.kind is TermKind.TEXT else None
    if each.name == "sameAs":
        return FactKind.SAME_AS if is_named and each.kind is not TermKind.BLANK else None
    if each.name in IMAGES or (each.name == "url" and _is_image(page, each)):
        return FactKind.IMAGE
    if each.name == "item" and page.schema.entity(each.entity).is_a(("ListItem",)):
        return FactKind.CRUMB
    return None


def _is_image(page: RulePage, each: SchemaStatement) -> bool:
    return page.schema.entity(each.entity).is_a(("ImageObject",))


def _address(page: RulePage, each: SchemaStatement) -> str | None:
    """The address that a value is, if it is one."""
    if each.kind is TermKind.BLANK:
        return None
    address = plain_address(joined(page.url, each.value.strip()))
    return address if address.startswith(("http://", "https://")) else None


def plain_address(address: str) -> str:
    """An address in the one spelling by which pages are known; as it is, where it is none."""
    url = canonical(address)
    return address if isinstance(url, Refusal) else url


def _uses(page: RulePage) -> Iterator[PageFact]:
    """The types of the page's entities, each with the properties that all of its entities have together."""
    properties: dict[str, set[str]] = defaultdict(set)
    for each in page.schema.statements:
        properties[each.entity].add(each.name)
    by_type: dict[str, set[str]] = {}
    for entity, known in page.schema.entities.items():
        for kind in known.types:
            by_type.setdefault(kind, set()).update(properties[entity])
    for kind, names in by_type.items():
        yield PageFact(FactKind.USES, kind, " ".join(sorted(names)) or "-")


def _listed(page: RulePage) -> Iterator[PageFact]:
    if "<urlset" not in page.text[:OPENING]:
        return
    body = page.text.encode(errors="replace")
    for item in islice(read_sitemap(body, Url(page.url), Sitemaps()), MOST_LISTED):
        if isinstance(item, SitemapEntry):
            yield PageFact(FactKind.LISTED, page.url, item.url)
