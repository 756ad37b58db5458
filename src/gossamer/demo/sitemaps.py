"""Which pages a host lists in its sitemaps, and the files that list them."""

import gzip
from collections.abc import Iterable
from functools import lru_cache

from gossamer.demo.names import host_name
from gossamer.demo.resources import File
from gossamer.demo.robots import RobotsKind
from gossamer.demo.world import World

ENTRIES = 1_000  # of one file; a plain sitemap lists no more than these, an index all pages
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def listed(world: World, host: int) -> range:
    """The numbers of the pages that a host's sitemaps list."""
    start, size = world.layout.starts[host], world.layout.size(host)
    match world.robots(host):
        case RobotsKind.SIMPLE | RobotsKind.NONE:
            return range(start, start + min(size, ENTRIES))
        case RobotsKind.SITEMAPS:
            return range(start, start + size)
    return range(0)


def sitemap_at(world: World, host: int, path: str) -> File | None:
    """The sitemap at a path of a host, if one is there."""
    numbers = listed(world, host)
    if world.robots(host) is not RobotsKind.SITEMAPS:
        plain = path == "/sitemap.xml" and len(numbers)
        return File("application/xml", _urlset(world, numbers)) if plain else None
    files = [f"/sitemaps/{nth}.xml.gz" for nth in range(-(-len(numbers) // ENTRIES))]
    if path == "/sitemap-index.xml":
        return File("application/xml", _index(f"http://{host_name(host)}{file}" for file in files))
    if path not in files:
        return None
    nth = files.index(path) * ENTRIES
    return File("application/gzip", _zipped(world, numbers[nth : nth + ENTRIES]))


def _urlset(world: World, numbers: range) -> bytes:
    entries = "".join(
        f"<url><loc>{_escaped(world.url(n))}</loc><priority>0.{n % 10}</priority></url>\n"
        for n in numbers
    )
    return _xml("urlset", entries)


@lru_cache(maxsize=16)
def _zipped(world: World, numbers: range) -> bytes:
    return gzip.compress(_urlset(world, numbers), mtime=0)


def _index(urls: Iterable[str]) -> bytes:
    return _xml("sitemapindex", "".join(f"<sitemap><loc>{url}</loc></sitemap>\n" for url in urls))


def _xml(root: str, entries: str) -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<{root} xmlns="{_NAMESPACE}">\n{entries}</{root}>\n'.encode()


def _escaped(url: str) -> str:
    return url.replace("&", "&amp;")
