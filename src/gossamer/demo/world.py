"""A small web made from a few numbers: every page of it, none of it stored.

Whatever the size, a page costs the same: its host, path, format, charset and wishes
follow from its number alone (`page`), and its number from its URL (`find`). What it
links to is in `links.py`, its bytes come from `rendering.py`, and what lives at any
other address from `lookup.py`.
"""

from dataclasses import dataclass
from functools import cached_property

from gossamer.demo.chance import mix
from gossamer.demo.content import Format
from gossamer.demo.directives import DRAWS, HEADER, META, Directive
from gossamer.demo.layout import Layout
from gossamer.demo.names import host_name, host_number
from gossamer.demo.paths import HTML_FORMATS, index_in, page_path
from gossamer.demo.robots import KINDS, RobotsKind
from gossamer.demo.schedule import MOVED, Life, life_of
from gossamer.model import Url

MAX_PAGES = 1_000_000
MAX_HOSTS = 10_000
MAX_SEED = (1 << 32) - 1
MAX_DAY = 10_000

# Of 40 pages that are not front pages, so many are written in each format.
FORMAT_MIX = (
    (Format.HTML,) * 6
    + (Format.RDFA,) * 6
    + (Format.JSON_LD_IN_HTML,) * 6
    + (Format.MICRODATA,) * 4
    + (Format.OPEN_GRAPH,) * 3
    + (Format.MIXED,) * 3
    + (Format.BROKEN_JSON_LD_IN_HTML,) * 2
    + (Format.MICROFORMATS,) * 2
    + (Format.RDF_XML,) * 2
    + (Format.TURTLE,) * 2
    + (Format.RSS, Format.ATOM, Format.JSON_LD, Format.N_TRIPLES)
)
_STRIDE = 17  # coprime to 40: neighbours differ, and 40 in a row still hold all of the mix
FRONT_MIX = (
    Format.JSON_LD_IN_HTML,
    Format.RDFA,
    Format.HTML,
    Format.MICRODATA,
    Format.MIXED,
    Format.OPEN_GRAPH,
    Format.MICROFORMATS,
)
CHARSETS = ("utf-8", "iso-8859-1", "utf-8", "windows-1252", "utf-8", "utf-16", "utf-8")

_SESSIONS = 12  # that a visitor may be handed, where links have parameters that change nothing
_PAGE = 1  # salt: one for each kind of draw, so that they do not depend on each other


@dataclass(frozen=True, slots=True)
class Page:
    """One page: where it is, how it is written, and what it asks of robots."""

    number: int
    host: int
    index: int  # within the host; 0 is the front page
    host_name: str
    path: str  # with the query, if any
    format: Format
    charset: str
    zipped: bool  # sent gzipped to whoever accepts that
    meta: Directive | None
    header: Directive | None

    @property
    def url(self) -> Url:
        """The page's canonical URL."""
        return Url(f"http://{self.host_name}{self.path}")

    @property
    def is_html(self) -> bool:
        """Whether the page is an HTML document."""
        return self.format in HTML_FORMATS

    def noindex(self, agent: str) -> bool:
        """Whether the page asks that agent to store nothing of it."""
        return any(
            said.noindex and said.concerns(agent) for said in (self.meta, self.header) if said
        )

    def nofollow(self, agent: str) -> bool:
        """Whether the page asks that agent to follow none of its links."""
        return any(
            said.nofollow and said.concerns(agent) for said in (self.meta, self.header) if said
        )


@dataclass(frozen=True)
class World:
    """The numbers a demo web is made from."""

    seed: int = 1
    pages: int = 120
    hosts: int = 12
    malice: bool = False
    crawl_delay: float = 1.0  # what hosts with a Crawl-delay ask for
    slow_seconds: float = 3.0  # how long slow answers take (malice only)
    day: int | None = None  # of its schedule of change; None: it stands still
    aliases: bool = False  # links have parameters that change nothing

    def __post_init__(self) -> None:
        _check("seed", self.seed, 0, MAX_SEED)
        _check("pages", self.pages, 10, MAX_PAGES)
        _check("hosts", self.hosts, 1, min(MAX_HOSTS, self.pages))
        _check("crawl_delay", self.crawl_delay, 0, 86_400)
        _check("slow_seconds", self.slow_seconds, 0, 3_600)
        _check("day", self.day or 0, 0, MAX_DAY)

    @cached_property
    def layout(self) -> Layout:
        """How the pages are spread over the hosts."""
        return Layout(self.pages, self.hosts)

    def page(self, number: int) -> Page:
        """Page `number`, from 0 to `pages` - 1."""
        host = self.layout.host(number)
        index = number - self.layout.starts[host]
        format_ = self._format(number, host, index)
        is_html = format_ in HTML_FORMATS
        # One draw a page, since links need many pages: its low half for the path,
        # the rest for what the page asks of robots. Front pages ask for nothing.
        draw = mix(self.seed, number, _PAGE)
        asks = index != 0
        path = page_path(index, format_, draw)
        if life_of(self.seed, number, index).has_moved(self.day):
            path = MOVED + path
        return Page(
            number=number,
            host=host,
            index=index,
            host_name=host_name(host),
            path=path,
            format=format_,
            charset=CHARSETS[(number + self.seed) % len(CHARSETS)] if is_html else "utf-8",
            zipped=(number + self.seed) % 3 == 0,
            meta=META.get((draw >> 32) % DRAWS) if is_html and asks else None,
            header=HEADER.get((draw >> 48) % DRAWS) if asks else None,
        )

    def url(self, number: int) -> Url:
        """The canonical URL of page `number`."""
        return self.page(number).url

    def front(self, host: int) -> Url:
        """The URL of a host's front page: where to start."""
        return Url(f"http://{host_name(host)}/")

    def find(self, name: str, path: str) -> Page | None:
        """The page at a path (query included) of the host of that name, if there is one."""
        path = without_aliases(path) if self.aliases else path
        host, index = self.host(name), index_in(path)
        if host is None or index is None or index >= self.layout.size(host):
            return None
        page = self.page(self.layout.starts[host] + index)
        return page if page.path == path and self.life(page).is_there(self.day) else None

    def life(self, page: Page) -> Life:
        """What happens to a page on the days of this world."""
        return life_of(self.seed, page.number, page.index)

    def moved_from(self, host: int, path: str) -> Page | None:
        """The page that was at a path of a host before it moved."""
        index = index_in(path)
        if self.day is None or index is None or index >= self.layout.size(host):
            return None
        page = self.page(self.layout.starts[host] + index)
        return page if page.path == MOVED + path else None

    def number(self, url: str) -> int | None:
        """The number of the page with that canonical URL: the inverse of `url`."""
        name, slash, path = url.removeprefix("http://").partition("/")
        page = self.find(name, slash + path) if url.startswith("http://") else None
        return page.number if page else None

    def host(self, name: str) -> int | None:
        """The number of the ordinary host of that name, if this world has it."""
        host = host_number(name)
        return host if host is not None and host < self.hosts else None

    def robots(self, host: int) -> RobotsKind:
        """What kind of robots.txt a host has."""
        return KINDS[host % len(KINDS)]

    def _format(self, number: int, host: int, index: int) -> Format:
        if index == 0:
            return FRONT_MIX[host % len(FRONT_MIX)]
        rank = number - host - 1  # among the pages that are not front pages
        return FORMAT_MIX[(rank * _STRIDE + self.seed) % len(FORMAT_MIX)]


def alias(path: str, session: int, order: int) -> str:
    """One of the many addresses of the page at a path, where there are such."""
    more = f"sid={1 + session % _SESSIONS}" + ("", "&sort=up", "&sort=down")[order % 3]
    return f"{path}{'&' if '?' in path else '?'}{more}"


def without_aliases(path: str) -> str:
    """The path of a page, of whatever address of it."""
    before, mark, query = path.partition("?")
    kept = [each for each in query.split("&") if each.partition("=")[0] not in ("sid", "sort")]
    return before + (mark + "&".join(kept) if kept else "")


def _check(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least:,} to {most:,}, not {value:,}")
