"""What pages link to: a fixed small number of links each, computed and never stored.

Within a host, pages form a tree of four children each below the front page, with a
link back to the parent and two links across. Hosts form a tree of two children each
through their front pages, with closed hosts as its leaves, so that every host can be
reached from the first. One link of each page leads anywhere in the world.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gossamer.demo.chance import mix
from gossamer.demo.paths import relative
from gossamer.demo.robots import KINDS, RobotsKind
from gossamer.demo.world import Page, World, alias
from gossamer.model import Url

BRANCHES = 4
HUB = Url("http://malice.test/")

_CLOSED = (RobotsKind.FAILING, RobotsKind.FORBIDDEN)
_OPEN_PLACES = tuple(place for place, kind in enumerate(KINDS) if kind not in _CLOSED)
_CLOSED_PLACES = tuple(place for place, kind in enumerate(KINDS) if kind in _CLOSED)

# Salts, apart from those of world.py.
_ACROSS, _AWAY, _SPELLING = 11, 13, 14


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written, and where it leads."""

    href: str
    target: Url | None  # canonical; None: no page can be meant (mailto:, javascript:, …)
    label: str | int  # words, or the number of the page whose thing lends its name
    nofollow: bool = False


def links_of(world: World, page: Page) -> tuple[Link, ...]:
    """The links of a page, in document order."""
    links = [*_page_links(world, page), *_file_links(page)]
    if world.malice:
        links += _malice_links(world, page)
    return tuple(links)


def _page_links(world: World, page: Page) -> Iterator[Link]:
    start, size = world.layout.starts[page.host], world.layout.size(page.host)
    first_child = BRANCHES * page.index + 1
    targets = [start + index for index in range(first_child, min(first_child + BRANCHES, size))]
    if page.index:
        targets.append(start + (page.index - 1) // BRANCHES)
    else:
        targets += [world.layout.starts[host] for host in _host_children(page.host, world.hosts)]
    steady = len(targets)
    targets += [start + mix(world.seed, page.number, _ACROSS + n) % size for n in range(2)]
    targets.append(mix(world.seed, page.number, _AWAY) % world.pages)
    for place, number in enumerate(targets):
        yield _link(world, page, place, number, may_refuse=place >= steady)


def _link(world: World, page: Page, place: int, number: int, *, may_refuse: bool) -> Link:
    target = world.page(number)
    if world.aliases:
        target = replace(target, path=alias(target.path, page.number, place))
    if not page.is_html:
        return Link(target.url, target.url, number)
    draw = mix(world.seed, page.number * 16 + place, _SPELLING)
    nofollow = may_refuse and (draw >> 32) % 8 == 0
    return Link(_spelled(page, target, draw), target.url, number, nofollow)


def _spelled(page: Page, target: Page, draw: int) -> str:
    """One of the ways in which an HTML page can write the same URL."""
    path = target.path.replace("%C3%A9", "é") if draw >> 8 & 1 else target.path
    match draw % 8:
        case 0 | 1 if page.host == target.host:
            return path
        case 2 | 3 if page.host == target.host:
            return relative(page.path, path)
        case 4:
            return f"//{target.host_name}{path}"
        case 5:
            return f"http://{target.host_name}{path}#about"
        case 6:
            return f"HTTP://{target.host_name.upper()}:80{path}"
        case _:
            return f"http://{target.host_name}{path}"


def _file_links(page: Page) -> Iterator[Link]:
    suffix = {4: "zip", 7: "png"}.get(page.index % 10)
    if suffix:
        url = Url(f"http://{page.host_name}/files/{page.index}.{suffix}")
        yield Link(url, url, f"the same as {suffix.upper()}")


def _malice_links(world: World, page: Page) -> Iterator[Link]:
    if page.number == 0:
        yield Link(HUB, HUB, "the malicious part of this web")
    if page.index % 6 == 1:
        folder = ("moved", "missing", "gone")[page.index // 6 % 3]
        url = Url(f"http://{page.host_name}/{folder}/{page.index}")
        yield Link(url, url, f"a page that is {folder}")


def _host_children(host: int, hosts: int) -> list[int]:
    """The hosts below a host: two open ones, and sometimes one that is closed to everyone.

    Closed hosts have no children, since nobody may read their front page.
    """
    group, place = divmod(host, len(KINDS))
    if place in _CLOSED_PLACES:
        return []
    rank = group * len(_OPEN_PLACES) + _OPEN_PLACES.index(place)
    children = [_ranked(rank * 2 + n, _OPEN_PLACES) for n in (1, 2)]
    spacing = len(_OPEN_PLACES) // len(_CLOSED_PLACES)
    if rank % spacing == 0:
        children.append(_ranked(rank // spacing, _CLOSED_PLACES))
    return [child for child in children if child < hosts]


def _ranked(rank: int, places: tuple[int, ...]) -> int:
    group, nth = divmod(rank, len(places))
    return group * len(KINDS) + places[nth]
