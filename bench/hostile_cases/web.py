"""A web of good hosts, and of hostile ones that try every attack we know at once.

A good page says one thing of itself and links to the next few of its host. A hostile host has an
endless number of pages, one attack each in turn, every one of which links to the next ones and to
hosts below its own. `Sent` is what goes out: a head, a body, and how the body is sent.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

LINKS = 40  # as in the web of `bench/crawl.py`
GOOD: Final = "good"
BAD: Final = "bad"
HTML: Final = "text/html; charset=utf-8"
JSON_LD: Final = "application/ld+json"
MIB: Final = 1024 * 1024
# Matched by an expression with nested repetition, this takes longer than anybody has.
EXPONENTIAL_TAG: Final = "<a" + " a=" * 60 + "<"


class Pace(Enum):
    """How a body is sent."""

    AT_ONCE = "at once"
    ONE_BYTE_CHUNKS = "one byte a chunk"
    ENDLESS_TRAILERS = "trailers without end"
    DRIPPING = "a few bytes a second"


@dataclass(frozen=True, slots=True)
class Sent:
    """One response."""

    body: bytes
    media_type: str = HTML
    status: int = 200
    headers: Mapping[str, str] | None = None
    pace: Pace = Pace.AT_ONCE


NOT_FOUND: Final = Sent(b"nothing", status=404)


@dataclass(frozen=True, slots=True)
class Web:
    """What is served: so many good hosts with so many pages each, and so many hostile hosts."""

    good: int
    bad: int
    pages: int
    weight: float = 1.0  # scales the size of every attack; 1 is as large as our limits let in

    def seeds(self, *, hostile: bool) -> list[str]:
        """The first page of every host, those of the hostile hosts if wanted."""
        good = [good_url(host, 0) for host in range(self.good)]
        return [*good, *(f"http://{BAD}{host}.test/" for host in range(self.bad))][
            : None if hostile else self.good
        ]

    def answer(self, host: str, path: str) -> Sent:
        """The response to a request."""
        if host.startswith(GOOD):
            return self._good(host, path)
        if path.endswith("/context.json"):
            return _packed(_context(self._count(4 * MIB)), JSON_LD)
        if path == "/robots.txt":
            return _hostile_rules(host)
        if path.startswith("/sitemap"):
            return _packed(_sitemap(self._count(48 * MIB)), "application/xml")
        page = path.rpartition("/")[2] or "0"
        if not page.isdecimal():
            return NOT_FOUND
        number, kinds = int(page), list(ATTACKS)
        attack = ATTACKS[kinds[number % len(kinds)]]
        return attack(host, number, self._count)

    def _good(self, host: str, path: str) -> Sent:
        if path == "/robots.txt":
            return Sent(b"User-agent: *\nAllow: /\n", "text/plain")
        page = path.rpartition("/")[2]
        if not page.isdecimal() or int(page) >= self.pages:
            return NOT_FOUND
        number = int(page)
        index = int(host.removeprefix(GOOD).removesuffix(".test"))
        block = {"@context": "https://schema.org", "@id": path, "name": good_name(index, number)}
        following = range(number + 1, min(number + 1 + LINKS, self.pages))
        links = "".join(f'<a href="/{each}">page {each}</a>' for each in following)
        return Sent(f"{_script(block)}{links}".encode())

    def _count(self, full: int) -> int:
        return max(1, int(full * self.weight))


def good_url(host: int, page: int) -> str:
    """Where a good page is."""
    return f"http://{GOOD}{host}.test/{page}"


def good_name(host: int, page: int) -> str:
    """What a good page says that its name is."""
    return f"page {page} of host {host}"


Scale = Callable[[int], int]
Attack = Callable[[str, int, Scale], Sent]


def _poisoned_literal(host: str, number: int, scale: Scale) -> Sent:
    block = {"@context": "https://schema.org", "@id": "#it", "name": EXPONENTIAL_TAG}
    escapes = "\x1b[2J\x1b]0;owned\x07\u202e"  # what a terminal would obey
    block["description"] = escapes
    return _page(host, number, f"<title>{escapes}</title>{_script(block)}".encode())


def _many_contexts(host: str, number: int, scale: Scale) -> Sent:
    named = [f"http://ctx{each}-{number}.{host}/context.json" for each in range(32)]
    blocks = (_script({"@context": each, "name": "x"}) for each in named)
    return _page(host, number, "".join(blocks).encode())


def _chained_terms(host: str, number: int, scale: Scale) -> Sent:
    return _page(host, number, _chain(scale(12_000)))


def _incomplete_triples(host: str, number: int, scale: Scale) -> Sent:
    return _page(host, number, _rel_lists(scale(2_000)))


def _referred_items(host: str, number: int, scale: Scale) -> Sent:
    return _page(host, number, _itemrefs(scale(3_000)))


def _long_links(host: str, number: int, scale: Scale) -> Sent:
    urls = (f"/{'x' * 1900}{each}/{number}" for each in range(scale(4_000)))
    return _page(host, number, "".join(f'<a href="{url}">x</a>' for url in urls).encode())


def _many_hosts(host: str, number: int, scale: Scale) -> Sent:
    hosts = (f"http://h{each}-{number}.{host}/{number}" for each in range(scale(200)))
    return _page(host, number, "".join(f'<a href="{url}">x</a>' for url in hosts).encode())


def _deep_tree(host: str, number: int, scale: Scale) -> Sent:
    return _page(host, number, b"<div property=p>" * scale(200_000))


def _heavy_page(host: str, number: int, scale: Scale) -> Sent:
    return _page(host, number, _statements(scale(150_000)))


def _bomb(host: str, number: int, scale: Scale) -> Sent:
    return _packed(_zeros(scale(60 * MIB)), HTML)


def _one_byte_chunks(host: str, number: int, scale: Scale) -> Sent:
    sent = _page(host, number, b"x" * scale(64 * 1024))
    return Sent(sent.body, pace=Pace.ONE_BYTE_CHUNKS)


def _endless_trailers(host: str, number: int, scale: Scale) -> Sent:
    return Sent(_page(host, number, b"").body, pace=Pace.ENDLESS_TRAILERS)


def _dripping(host: str, number: int, scale: Scale) -> Sent:
    return Sent(_page(host, number, b"x" * scale(20_000)).body, pace=Pace.DRIPPING)


def _inwards(host: str, number: int, scale: Scale) -> Sent:
    return Sent(b"", status=302, headers={"Location": f"http://127.0.0.1/{number + 1}"})


def _endless_redirect(host: str, number: int, scale: Scale) -> Sent:
    turns = number + len(ATTACKS)
    return Sent(b"", status=302, headers={"Location": f"http://{host}/{turns}"})


ATTACKS: Final[Mapping[str, Attack]] = {
    "links": lambda host, number, scale: _page(host, number, b""),
    "literal": _poisoned_literal,
    "contexts": _many_contexts,
    "terms": _chained_terms,
    "rel lists": _incomplete_triples,
    "itemref": _referred_items,
    "long links": _long_links,
    "hosts": _many_hosts,
    "depth": _deep_tree,
    "heavy": _heavy_page,
    "bomb": _bomb,
    "chunks": _one_byte_chunks,
    "trailers": _endless_trailers,
    "drip": _dripping,
    "inwards": _inwards,
    "redirects": _endless_redirect,
}


def _page(host: str, number: int, payload: bytes) -> Sent:
    """Links to one page of every attack that follows, then the attack itself."""
    following = range(number + 1, number + 1 + len(ATTACKS))
    links = "".join(f'<a href="/{each}">{each}</a>' for each in following)
    return Sent(links.encode() + payload)


def _hostile_rules(host: str) -> Sent:
    sitemaps = "".join(f"Sitemap: http://{host}/sitemap{each}.xml.gz\n" for each in range(20))
    return Sent(f"User-agent: *\nAllow: /\n{sitemaps}".encode(), "text/plain")


def _script(block: object) -> str:
    text = json.dumps(block).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def _packed(body: bytes, media_type: str) -> Sent:
    return Sent(_gzip(body), media_type, headers={"Content-Encoding": "gzip"})


@cache
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


@cache
def _context(size: int) -> bytes:
    return json.dumps({"@context": {"name": "http://x.test/name"}, "pad": " " * size}).encode()


@cache
def _sitemap(size: int) -> bytes:
    attributes = b"".join(b' a%d=""' % each for each in range(size // 12))
    return b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"' + attributes + b"/>"


@cache
def _chain(terms: int) -> bytes:
    context = {f"t{each}": f"t{each + 1}:x" for each in range(terms)}
    return _script({"@context": context, "t0": "x"}).encode()


@cache
def _rel_lists(size: int) -> bytes:
    rels = " ".join(f"http://x.test/p{each}" for each in range(size))
    return f'<div rel="{rels}">{"<b resource=/x></b>" * size}</div>'.encode()


@cache
def _itemrefs(size: int) -> bytes:
    block = "".join(f"<i itemprop=p>{each}</i>" for each in range(size))
    return f"<div id=all>{block}</div>{'<div itemscope itemref=all></div>' * size}".encode()


@cache
def _statements(size: int) -> bytes:
    parts = (f"<p about=/{each}><b property=http://x.test/p>{each}</b>" for each in range(size))
    return "".join(parts).encode()


@cache
def _zeros(size: int) -> bytes:
    return bytes(size)


def chunks_of(body: bytes) -> Iterator[bytes]:
    """A chunked body of one byte a chunk, in writes of a few kilobytes."""
    written = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
    yield from (written[at : at + 4096] for at in range(0, len(written), 4096))
    yield b"0\r\n\r\n"
