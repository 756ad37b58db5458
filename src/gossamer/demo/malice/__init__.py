"""The malicious part of the demo web: hosts of their own, and some pages of ordinary hosts.

`malice.test` links to every host of exhibits, and each of those to its exhibits; the
first page of the world links to `malice.test`. docs/demo-web.md lists them all.
"""

from collections.abc import Mapping

from gossamer.demo.links import HUB
from gossamer.demo.malice.broken import BROKEN
from gossamer.demo.malice.exhibits import MaliceHost, link_to, url_of
from gossamer.demo.malice.redirects import REDIRECTS
from gossamer.demo.malice.refusals import CLOSED, REFUSALS
from gossamer.demo.malice.traps import TRAPS
from gossamer.demo.resources import Listing, Moved, Resource, Sorry
from gossamer.demo.world import World

__all__ = ["HUB_NAME", "MALICE_HOSTS", "closed_by_robots", "malice_at", "misplaced"]

HUB_NAME = "malice.test"
MALICE_HOSTS: Mapping[str, MaliceHost] = {
    host.name: host for host in (REDIRECTS, *REFUSALS, BROKEN, TRAPS, *CLOSED)
}


def closed_by_robots(name: str) -> bool:
    """Whether a host is closed because its robots.txt cannot be had."""
    return any(host.name == name for host in CLOSED)


def malice_at(name: str, path: str) -> Resource | None:
    """What lives at a path of a host of exhibits."""
    if name == HUB_NAME:
        return _hub() if path == "/" else None
    return MALICE_HOSTS[name].at(path)


def misplaced(world: World, host: int, path: str) -> Resource | None:
    """What malice has put up on an ordinary host: pages that are moved, missing or gone."""
    _, folder, *rest = path.split("/")
    if len(rest) != 1 or not rest[0].isdecimal():
        return None
    if folder == "gone":
        return Sorry(410)
    if folder == "moved":
        # To the page after it, so that some redirects lead into forbidden folders.
        number = world.layout.starts[host] + (int(rest[0]) + 1) % world.layout.size(host)
        return Moved(301, world.page(number).path, world.url(number))
    return None


def _hub() -> Listing:
    links = (link_to(url_of(host.name, "/"), host.about) for host in MALICE_HOSTS.values())
    return Listing(HUB, tuple(links))
