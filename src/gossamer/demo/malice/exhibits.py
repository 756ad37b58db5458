"""How an exhibit of the malicious part is put up: hosts of their own, under `malice.test`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gossamer.demo.links import Link
from gossamer.demo.resources import Listing, Resource, Speed
from gossamer.model import Url

Exhibits = Mapping[str, Resource]  # by path


def url_of(host: str, path: str) -> Url:
    """The URL of an exhibit."""
    return Url(f"http://{host}{path}")


def link_to(url: Url, label: str) -> Link:
    """An HTML link to an exhibit."""
    return Link(url, url, label)


def landing(host: str, path: str, speed: Speed = Speed.AT_ONCE) -> Listing:
    """A well-behaved page without links."""
    return Listing(url_of(host, path), speed=speed)


def _nothing(path: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class MaliceHost:
    """One host of exhibits: its front page links to all of them."""

    name: str
    about: str
    exhibits: Exhibits
    behind: Callable[[str], Resource | None] = _nothing  # what the exhibits lead to
    robots: Resource | None = None  # None: no robots.txt, so nothing is forbidden

    def at(self, path: str) -> Resource | None:
        """What lives at a path of this host."""
        if path == "/":
            return self._front()
        if path == "/robots.txt":
            return self.robots
        return self.exhibits.get(path) or self.behind(path)

    def _front(self) -> Listing:
        links = (link_to(url_of(self.name, path), path[:40]) for path in self.exhibits)
        return Listing(url_of(self.name, "/"), tuple(links))
