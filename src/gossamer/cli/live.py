"""How a crawl is doing, for whoever watches: a few lines redrawn in place, or one every ten seconds."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gossamer.cli.screen import Screen
from gossamer.cli.text import counted, duration, size, tally
from gossamer.config import Crawl as Limits
from gossamer.errors import StorageAwayError
from gossamer.frontier.protocol import Counts, Ended, HostStage
from gossamer.moments import now_utc
from gossamer.owner.crawl_answers import CrawlAnswers
from gossamer.owner.messages import Record

DRAW_SECONDS: Final = 0.25
SAY_SECONDS: Final = 10.0
COUNT_SECONDS: Final = 1.0
# Counting may take its time in a large frontier: this share of the time at most goes into it.
COUNT_SHARE: Final = 0.05
HOSTS: Final = {
    "asked now": HostStage.LEASED,
    "ready": HostStage.READY,
    "waiting": HostStage.WAITING,
    "parked": HostStage.PARKED,
    "full": HostStage.FULL,
}
PHASES: Final = ("fetch", "read", "archive", "graph", "settle")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is known of a run at a moment."""

    run: Record  # see `CrawlAnswers.run`
    counts: Counts
    limits: Limits
    delay: timedelta  # between two requests to a host, as far as that is the same for all
    now: datetime

    @property
    def causes(self) -> dict[str, int]:
        """Why pages failed or were refused."""
        causes: dict[str, int] = self.run["causes"]
        return causes

    def ended(self, how: Ended) -> int:
        """How many pages of this run ended like that."""
        count: int = self.run["ended"].get(how, 0)
        return count


def lines(view: View) -> list[str]:
    """The lines for a terminal."""
    return [f"{name:>9}  {text}" for name, text in _parts(view) if text]


def line(view: View) -> str:
    """The same in one, for a file."""
    run, counts = view.run, view.counts
    why, phases = tally(view.causes), _phases(run)
    told = [
        f"{counted(view.ended(Ended.CONTENT), 'page')} ({run['pages_per_second']:.1f}/s)",
        f"{counted(run['quads'], 'quad')} ({run['quads_per_second']:,.0f}/s)",
        _others(view) + (f" ({why})" if why else ""),
        ", ".join(_received(run)),
        f"hosts: {_hosts(counts) or 'none'}",
        f"{counts.left:,} to fetch{_under_way(run)}",
        until_the_end(view),
        f"a page: {phases}" if phases else "",
    ]
    paused = "paused; " if run["state"] == "paused" else ""
    return f"{_clock(run['seconds'])}  {paused}{'; '.join(each for each in told if each)}"


def _parts(view: View) -> Iterator[tuple[str, str]]:
    run, counts = view.run, view.counts
    what = "paused" if run["state"] == "paused" else "crawling"
    yield what, f"{_clock(run['seconds'])}   (Ctrl-C stops in good order; nothing is lost)"
    pages = f"{view.ended(Ended.CONTENT):,}"
    yield "pages", f"{pages:<9} {run['pages_per_second']:>7,.1f}/s   {_others(view)}".rstrip()
    received = ", ".join(_received(run))
    yield "quads", f"{run['quads']:<9,} {run['quads_per_second']:>7,.0f}/s   {received}"
    yield "hosts", _hosts(counts)
    end = until_the_end(view)
    yield "queue", f"{counts.left:,} to fetch{_under_way(run)}{f'; {end}' if end else ''}"
    yield "causes", tally(view.causes)
    yield "a page", _phases(run)


def _others(view: View) -> str:
    """How pages ended that brought nothing."""
    others = (Ended.REDIRECTED, Ended.SKIPPED, Ended.FAILED, Ended.REFUSED)
    return tally({how.value: view.ended(how) for how in others})


def _received(run: Record) -> Iterator[str]:
    if run["problems"]:
        yield counted(run["problems"], "problem")
    yield f"{size(run['bytes'])} received"


def _under_way(run: Record) -> str:
    under_way = run["reading"] + run["keeping"]
    return f", {under_way:,} being read and kept" if under_way else ""


def _phases(run: Record) -> str:
    took = run["phases"]
    return ", ".join(f"{name} {_short(took[name])}" for name in PHASES if name in took)


def _hosts(counts: Counts) -> str:
    named = ((name, counts.hosts.get(stage, 0)) for name, stage in HOSTS.items())
    return ", ".join(f"{count:,} {name}" for name, count in named if count)


def until_the_end(view: View) -> str:
    """When it may be over, as far as can be told from what is known."""
    limits, counts, rate = view.limits, view.counts, _rate(view)
    left, of = counts.left, "for what is known so far"
    if limits.max_pages is not None:
        wanted = limits.max_pages - counts.ended.get(Ended.CONTENT, 0)
        left, of = (wanted, "until the limit of pages") if wanted < left else (left, of)
    waits = _waits(view)
    if waits:
        return waits
    guess = timedelta(seconds=left / rate) if rate > 0 and left > 0 else None
    if limits.max_time is not None:
        rest = limits.max_time - timedelta(seconds=view.run["seconds"])
        if guess is None or rest < guess:
            return f"{duration(rest)} until the time is up"
    return f"about {duration(guess)} {of}" if guess is not None else ""


def _rate(view: View) -> float:
    """Pages a second from now on: as of late, and no more than the hosts that are left allow."""
    rate: float = view.run["pages_per_second"]
    stages = (HostStage.LEASED, HostStage.READY, HostStage.WAITING)
    hosts = sum(view.counts.hosts.get(stage, 0) for stage in stages)
    if not view.delay or not hosts:
        return rate
    return min(rate, hosts / view.delay.total_seconds())


def _waits(view: View) -> str:
    """What to wait for, where nothing else goes on."""
    counts, moment = view.counts, view.counts.next_at
    busy = counts.handed or any(
        counts.hosts.get(stage) for stage in (HostStage.READY, HostStage.LEASED)
    )
    if busy or not counts.left or moment is None or moment <= view.now:
        return ""
    return f"all hosts rest, the first for {duration(moment - view.now)} more"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _short(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.0095 else f"{seconds * 1000:.1f} ms"


@dataclass(slots=True)
class Live:
    """Shows a crawl on a screen until cancelled."""

    asked: CrawlAnswers
    screen: Screen
    say: Callable[[str], None]  # a line, where nothing can be redrawn

    async def run(self) -> None:
        """Draw a few times a second; where that cannot be, say a line from time to time."""
        counts, count_at = Counts(), 0.0
        pause = DRAW_SECONDS if self.screen.is_live else SAY_SECONDS
        while True:
            started = time.monotonic()
            if started >= count_at:
                with suppress(StorageAwayError):  # then we show what we knew last
                    counts = await self._counts()
                took = time.monotonic() - started
                count_at = started + max(COUNT_SECONDS, took / COUNT_SHARE)
            self._show(counts)
            await asyncio.sleep(pause)

    async def _counts(self) -> Counts:
        return await self.asked.answers.clerk.do(self.asked.answers.frontier.counts)

    def _show(self, counts: Counts) -> None:
        config = self.asked.running.config
        view = View(
            run=self.asked.run(),
            counts=counts,
            limits=config.crawl,
            delay=config.politeness.delay,
            now=now_utc(),
        )
        if self.screen.is_live:
            self.screen.draw(lines(view))
        elif view.run["seconds"] >= SAY_SECONDS / 2:  # the first moments tell nothing
            self.say(line(view))
