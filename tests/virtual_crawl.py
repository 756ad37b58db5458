"""A whole crawl in virtual time: the real loop, requests, judge, batches and frontier; fetching and reading only take time."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from gossamer.config import Config, Scope
from gossamer.crawl.admission import Admission
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.batches import Batches, UnderWay
from gossamer.crawl.loop import Crawl
from gossamer.crawl.page_requests import PageRequests
from gossamer.crawl.progress import Progress
from gossamer.crawl.run_limits import RunLimits
from gossamer.crawl.site_files import LICENCE, TDM_FILE, SiteFiles
from gossamer.crawl.troubled_hosts import BotWalls
from gossamer.crawl.verdicts import Judge
from gossamer.folder.data import DataFolder
from gossamer.folder.full_disk import FullDisk
from gossamer.frontier.endings import Ending, EndKind
from gossamer.model import Detection, Fetched, Url
from gossamer.reading.jobs import Extracted, Targets
from gossamer.urls.scope import SeedScope

from .virtual_time import now
from .virtual_world import Scene, Web

DONE = Ending(EndKind.DONE, "Nothing is left.")
HTML = Detection("text/html", (), "utf-8", "all of this web is")


class LinkedWeb(Web):
    """A web whose names need no look-up, and whose pages lead nowhere unless a subclass says so."""

    def resolve_ahead(self, _hosts: object) -> None:
        """Do nothing."""

    def links(self, _page: Url) -> Sequence[Url]:
        """Where a page leads."""
        return ()


class _Reader:
    """Reads pages in no time."""

    pool = SimpleNamespace(is_behind=lambda _: False, hold=lambda _: None)

    def __init__(self, web: LinkedWeb) -> None:
        self._web = web
        self.contexts = self

    async def read(self, fetched: Fetched) -> Extracted:
        """What a page says: where it leads."""
        targets = Targets.to(self._web.links(fetched.url), ())
        return Extracted(fetched.url, HTML, b"", 0, targets=targets)

    async def close(self) -> None:
        """Do nothing."""


class _NoSitemaps:
    async def read(self, _url: Url, _depth: int) -> None:
        """Find none."""


class _Remaining:
    """Knows whether anything is left."""

    waits: Ending | None = None  # as for every crawl that keeps no pages fresh

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    async def nothing_left(self) -> Ending | None:
        """How the crawl ends, if it does."""
        return None if self._scene.frontier.counts().left else DONE


def crawl_of(scene: Scene, config: Config, folder: Path) -> Crawl:
    """A crawl by the owner of a scene whose web is a `LinkedWeb`; everything known is in scope."""
    holdings, frontier = scene.holdings, scene.frontier
    assert holdings is not None
    assert isinstance(scene.web, LinkedWeb)
    thread = holdings.frontier_thread
    progress, under_way = Progress(now()), UnderWay()
    limits = RunLimits(config, DataFolder(folder), progress, now)
    judge = Judge(config, Admission(config, SeedScope(Scope(kind="any"))))
    imagined: dict[str, Any] = {
        "http": scene.web,
        "reader": _Reader(scene.web),
        "remaining": _Remaining(scene),
    }
    return Crawl(
        frontier=frontier,
        frontier_thread=thread,
        holdings=holdings,
        requests=PageRequests(
            config=config,
            frontier=frontier,
            frontier_thread=thread,
            client=scene.client,
            judge=judge,
            sitemaps=cast(Any, _NoSitemaps()),
            tdm_files=SiteFiles(TDM_FILE, config, frontier, thread, scene.client, now),
            licences=SiteFiles(LICENCE, config, frontier, thread, scene.client, now),
            accept="text/html",
            wanted=lambda _: True,
            now=now,
            limits=limits,
            walls=BotWalls(frontier, thread, scene.client.ledger, now, scene.events.append),
        ),
        judge=judge,
        batches=Batches(
            frontier=frontier,
            frontier_thread=thread,
            holdings=holdings,
            graph=None,
            archive=None,
            full_disk=FullDisk(scene.events.append),
            tell=scene.events.append,
            progress=progress,
            under_way=under_way,
            now=now,
        ),
        backlog=Backlog(10_000, 1 << 30),
        under_way=under_way,
        limits=limits,
        concurrency=config.crawl.concurrency,
        now=now,
        **imagined,
    )
