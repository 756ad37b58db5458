"""Caches of the process that owns a folder: what each holds and did, and emptying them while it runs.

`pages` are responses that the proxy keeps, `robots` the rules of origins, `names` the addresses of hosts, and
`urls` the URLs seen of late in front of the frontier. Emptying one costs requests or time, and never data.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Final

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.owner.handlers import Handlers
from gossamer.owner.questions import CacheFigures, ClearCaches
from gossamer.owner.told import CachesShown, Cleared
from gossamer.sending.client import PoliteClient

PAGES, ROBOTS, NAMES, URLS = CACHES = ("pages", "robots", "names", "urls")
BY_HOST: Final = frozenset({PAGES, ROBOTS, NAMES})  # of which a part can be emptied


@dataclass(frozen=True, slots=True)
class OpenCache:
    """A cache that is in use: its name, its figures, and how it is emptied, wholly or for a host."""

    name: str
    figures: Callable[[], Mapping[str, int]]
    clear: Callable[[str | None], int | Awaitable[int]]  # says how many entries are gone


def caches_of_client(client: PoliteClient) -> tuple[OpenCache, ...]:
    """The caches that our own requests use."""
    return (
        OpenCache(ROBOTS, client.robots.figures, client.robots.expire),
        OpenCache(NAMES, client.names.figures, client.names.clear),
    )


def cache_of_urls(frontier: SqlFrontier, thread: FrontierThread) -> OpenCache:
    """The URLs that a crawl has seen of late; they are not kept by host."""
    recent = frontier.recent_urls

    def clear(_: str | None) -> int:
        count = recent.figures()["entries"]
        recent.clear()
        return count

    return OpenCache(URLS, recent.figures, lambda host: thread.do(clear, host))


def cache_handlers(caches: Callable[[], Iterable[OpenCache]]) -> Handlers:
    """Handlers for questions about all caches of this process."""

    async def figures(_: CacheFigures) -> CachesShown:
        return {"caches": cache_figures(caches())}

    async def clear(question: ClearCaches) -> Cleared:
        return {"cleared": await clear_caches(caches(), question.caches, question.host)}

    return Handlers().on(CacheFigures, figures).on(ClearCaches, clear)


def cache_figures(caches: Iterable[OpenCache]) -> dict[str, dict[str, int]]:
    """The figures of caches by name; those of one name are added up."""
    found: dict[str, Counter[str]] = {}
    for cache in caches:
        found.setdefault(cache.name, Counter()).update(cache.figures())
    return {name: dict(found[name]) for name in CACHES if name in found}


async def clear_caches(
    caches: Iterable[OpenCache], names: Iterable[str], host: str | None
) -> dict[str, int]:
    """Empty caches of these names, or of all; how many entries of each are gone.

    With a host, only its part: a cache that is not kept by host is left as it is.
    """
    wanted = set(names) or {*CACHES}
    if host is not None:
        wanted &= BY_HOST
    cleared: Counter[str] = Counter()
    for cache in caches:
        if cache.name in wanted:
            count = cache.clear(host)
            cleared[cache.name] += await count if isawaitable(count) else count
    return {name: cleared[name] for name in CACHES if name in cleared}
