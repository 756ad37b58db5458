"""Pages of a world as bytes: what `formats/` makes of what the world decided."""

from functools import lru_cache
from zlib import crc32

from gossamer.demo.content import Anchor, Format, PageSpec, Rendered
from gossamer.demo.formats import render
from gossamer.demo.links import Link, links_of
from gossamer.demo.resources import Listing
from gossamer.demo.things import thing
from gossamer.demo.world import MAX_PAGES, Page, World

_NUMBERS = 1 << 21  # so many things belong to each seed: one per page, the rest for listings


def rendered(world: World, page: Page | Listing) -> Rendered:
    """A page's bytes, and the statements in them."""
    return render(_page_spec(world, page) if isinstance(page, Page) else _listing_spec(world, page))


def _page_spec(world: World, page: Page) -> PageSpec:
    return PageSpec(
        url=page.url,
        number=_thing_number(world, page.number),
        format=page.format,
        charset=page.charset,
        anchors=_anchors(world, links_of(world, page)),
        robots_meta=page.meta.text if page.meta else None,
        edition=world.life(page).edition(world.day),
    )


def _listing_spec(world: World, listing: Listing) -> PageSpec:
    number = MAX_PAGES + crc32(listing.url.encode()) % (_NUMBERS - MAX_PAGES)
    return PageSpec(
        url=listing.url,
        number=_thing_number(world, number),
        format=Format.HTML,
        charset="utf-8",
        anchors=_anchors(world, listing.links),
    )


def _anchors(world: World, links: tuple[Link, ...]) -> tuple[Anchor, ...]:
    return tuple(Anchor(link.href, _label(world, link.label), link.nofollow) for link in links)


def _label(world: World, label: str | int) -> str:
    return label if isinstance(label, str) else _name(_thing_number(world, label))


@lru_cache(maxsize=50_000)
def _name(number: int) -> str:
    # Half of the time of a page would go into the names of what it links to.
    return thing(number).name


def _thing_number(world: World, number: int) -> int:
    return world.seed * _NUMBERS + number
