"""What lives at an address: the one place where server and ground truth look."""

import re

from gossamer.demo.malice import HUB_NAME, MALICE_HOSTS, malice_at, misplaced
from gossamer.demo.malice.refusals import PNG
from gossamer.demo.names import host_name
from gossamer.demo.resources import NOT_FOUND, File, Moved, Resource, Sorry
from gossamer.demo.robots import RULES, RULES_PATH, RobotsKind, robots_text
from gossamer.demo.sitemaps import sitemap_at
from gossamer.demo.world import World
from gossamer.model import Url

_ZIP = b"PK\5\6" + bytes(18)  # an archive of nothing
_FILES = {"4.zip": File("application/zip", _ZIP), "7.png": File("image/png", PNG)}
_FILE = re.compile(r"/files/(\d*(?:4\.zip|7\.png))")


def resource_at(world: World, name: str, path: str) -> Resource:
    """What the host of that name has at a path (query included)."""
    if world.malice and (name == HUB_NAME or name in MALICE_HOSTS):
        return malice_at(name, path) or NOT_FOUND
    host = world.host(name)
    if host is None:
        return NOT_FOUND
    if path == "/robots.txt":
        return _robots(world, host)
    if (page := world.moved_from(host, path)) is not None:
        return Moved(301, page.path, page.url)
    return world.find(name, path) or _beside_pages(world, host, path) or NOT_FOUND


def knows_host(world: World, name: str) -> bool:
    """Whether a host of that name is part of this world."""
    if world.malice and (name == HUB_NAME or name in MALICE_HOSTS):
        return True
    return world.host(name) is not None


def _beside_pages(world: World, host: int, path: str) -> Resource | None:
    if path == RULES_PATH:
        return File("text/plain", RULES.encode())
    if path.startswith("/files/"):
        return _file(world, host, path)
    found = sitemap_at(world, host, path) if path.startswith("/sitemap") else None
    return found or (misplaced(world, host, path) if world.malice else None)


def _file(world: World, host: int, path: str) -> File | None:
    match = _FILE.fullmatch(path)
    if match is None:
        return None
    index, _, _ = match[1].partition(".")
    exists = int(index) < world.layout.size(host) and index == str(int(index))
    return _FILES[match[1][-5:]] if exists else None


def _robots(world: World, host: int) -> Resource:
    kind = world.robots(host)
    match kind:
        case RobotsKind.NONE:
            return NOT_FOUND
        case RobotsKind.FAILING:
            return Sorry(503)
        case RobotsKind.FORBIDDEN:
            return Sorry(403)
        case RobotsKind.REDIRECTED:
            return _to_rules(host, 301)
        case RobotsKind.ELSEWHERE:
            return _to_rules(0, 302)
    return File("text/plain", robots_text(kind, host_name(host), world.crawl_delay))


def _to_rules(host: int, status: int) -> Moved:
    url = f"http://{host_name(host)}{RULES_PATH}"
    return Moved(status, url, Url(url))
