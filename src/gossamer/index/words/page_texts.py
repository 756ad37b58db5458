"""The visible texts of pages as documents need them: those of an entity's pages, and entities of pages that say nothing. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from gossamer.index.entities import Entity
from gossamer.index.entities.texts import cleaned
from gossamer.index.entities.whereabouts import host_of_iri, site_of_iri
from gossamer.transform.text.page_text import PackedTextError, PageText, shorten

MOST_PAGES: Final = 3  # of one entity, whose texts are taken
_MOST_OF_A_LABEL: Final = 200
_WEB: Final = ("http://", "https://")


class PageTexts(Protocol):
    """Where the texts of pages come from, packed."""

    def of(self, names: Sequence[str]) -> Mapping[str, bytes]:
        """The texts of these pages, of those that have one."""

    def names(self) -> Iterator[str]:
        """All pages that have a text."""


class NoTexts:
    """No page has a text."""

    def of(self, names: Sequence[str]) -> Mapping[str, bytes]:
        """None."""
        return MappingProxyType({})

    def names(self) -> Iterator[str]:
        """None."""
        return iter(())


NO_TEXTS: Final = NoTexts()


@dataclass(frozen=True, slots=True)
class EntityText:
    """The text of a page that an entity is."""

    text: PageText
    packed: bytes
    is_own: bool  # a page of the entity's own site: only such a title is one of its names


def may_be_page(subject: str) -> bool:
    """Whether a subject may be a page: page names have no fragment."""
    return subject.startswith(_WEB) and "#" not in subject


def entity_texts(home: str, pages: Mapping[str, bytes]) -> list[EntityText]:
    """The texts of the pages that an entity is, its own ones first; of many pages some."""
    site = site_of_iri(home)
    ranked = sorted(pages, key=lambda page: (page != home, site_of_iri(page) != site, page))
    found = []
    for page in ranked[:MOST_PAGES]:
        try:
            text = PageText.unpack(pages[page])
        except PackedTextError:  # a page that had its worker speak for it
            continue
        found.append(EntityText(text, pages[page], site_of_iri(page) == site))
    return found


def page_entity(
    home: str, pages: Iterable[str], texts: Sequence[EntityText], links_in: int
) -> Entity | None:
    """The entity of pages of which nothing is said that names or describes them: their titles do."""
    if not texts:
        return None
    text = texts[0].text
    names = (text.title, *text.headings, shorten(text.main, _MOST_OF_A_LABEL // 2), home)
    label = next(name for each in names if (name := cleaned(each, _MOST_OF_A_LABEL)))
    urls = tuple(sorted(pages))
    hosts = tuple(sorted({host for url in urls if (host := host_of_iri(url))}))
    return Entity(
        home=home,
        label=label,
        language=text.language or None,
        types=(),
        description=None,
        image=None,
        names=(),  # its title is what people see, and no data
        texts=(),
        pages=urls,
        page_count=len(urls),
        hosts=hosts,
        host_count=len(hosts),
        members=urls,
        member_count=len(urls),
        properties=(),
        dates=(),
        links_in=links_in,
        links_out=0,
        is_page=True,
    )
