"""What a crawl shows while it runs: a few lines redrawn in place, or one every ten seconds where nothing can be."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.cli.styling import Line, Span, Style, unstyled_text
from gossamer.cli.terminal import Screen
from gossamer.cli.text import (
    GAP,
    MIDDLE_LEAST,
    counted,
    cut_middle,
    duration,
    plain,
    shown_width,
    size,
    tally,
    told_wanted,
)
from gossamer.config import Crawl as Limits
from gossamer.crawl.progress import LastPage
from gossamer.errors import StorageAwayError
from gossamer.frontier.protocol import Counts, Ended, HostStage, SlowHost
from gossamer.moments import now_utc
from gossamer.owner.crawl_answers import CrawlAnswers
from gossamer.owner.messages import Record

DRAW_SECONDS: Final = 0.25
SAY_SECONDS: Final = 10.0
COUNT_SECONDS: Final = 1.0
# Counting may take its time in a large frontier: this share of the time at most goes into it.
COUNT_SHARE: Final = 0.05
MOST_COUNT_PAUSE: Final = 120.0  # seconds
AWAY_SECONDS: Final = 5.0  # until we try to count again, while a server is away
OLD: Final = timedelta(seconds=15)  # of counts: people are told how old they are
HOSTS: Final = {
    "asked now": HostStage.LEASED,
    "ready": HostStage.READY,
    "waiting": HostStage.WAITING,
    "parked": HostStage.PARKED,
    "full": HostStage.FULL,
}
USUAL_COLUMNS: Final = 80
LABEL: Final = 9  # columns
BAR_DONE: Final = "━"
BAR_LEFT: Final = "─"
WORTH_NAMING: Final = timedelta(seconds=3)  # that a host takes; others hold nothing up
PAGES_NAMED: Final = 3
PHASES: Final = ("fetch", "read", "archive", "graph", "settle")


@dataclass(slots=True)
class Live:
    """Shows a crawl on a screen until cancelled."""

    asked: CrawlAnswers
    screen: Screen
    say: Callable[[str], None]  # a line, where nothing can be redrawn
    clock: Callable[[], float] = time.monotonic
    _counts: Counts = field(default_factory=Counts)
    _slowest: Sequence[SlowHost] = ()
    _counted_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._counted_at = self.clock()

    async def run(self) -> None:
        """Draw a few times a second; where that cannot be, say a line from time to time."""
        pause = DRAW_SECONDS if self.screen.is_live else SAY_SECONDS
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._count())  # which a server that is away may hold up
            while True:
                self._show()
                await asyncio.sleep(pause)

    def status(self) -> Record:
        """How the run is, with what is left as it was counted last."""
        owner = {"process": os.getpid()}
        return {"run": self.asked.run.record(), "left": self._counts.left, "owner": owner}

    async def _count(self) -> None:
        while True:
            started = self.clock()
            do, frontier = self.asked.folder.frontier_thread.do, self.asked.folder.frontier
            try:
                self._counts = await do(frontier.counts)
                self._slowest = await do(frontier.slowest_hosts)
            except StorageAwayError:  # we show what we knew last, and its age
                await asyncio.sleep(AWAY_SECONDS)
            else:
                self._counted_at = self.clock()
                await asyncio.sleep(count_pause(self._counted_at - started))

    def _show(self) -> None:
        config = self.asked.running.config
        view = View(
            run=self.asked.run.record(),
            counts=self._counts,
            limits=config.crawl,
            delay=config.politeness.delay,
            now=now_utc(),
            longest=max((each.takes for each in self._slowest), default=timedelta(0)),
            counted_ago=timedelta(seconds=self.clock() - self._counted_at),
            slowest=[each for each in self._slowest if each.takes >= WORTH_NAMING],
            last=[*self.asked.run.last][-PAGES_NAMED:],
            next_look=self.asked.running.next_look,
        )
        if self.screen.is_live:
            self.screen.draw(screen_lines(view, self.screen.size().columns))
        elif view.run["seconds"] >= SAY_SECONDS / 2:  # the first moments tell nothing
            self.say(status_line(view))


def count_pause(took: float) -> float:
    """Seconds until the next count, after one that took so long; it may have waited for a server."""
    return min(max(COUNT_SECONDS, took / COUNT_SHARE), MOST_COUNT_PAUSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is known of a run at a moment."""

    run: Record  # see `CrawlRun.record`
    counts: Counts
    limits: Limits
    delay: timedelta  # between two requests to a host, as far as that is the same for all
    now: datetime
    longest: timedelta = timedelta(0)  # that one host takes by its delay alone
    counted_ago: timedelta = timedelta(0)  # how old the counts are
    slowest: Sequence[SlowHost] = ()  # hosts that the end waits for
    last: Sequence[LastPage] = ()  # pages that were settled a moment ago
    next_look: datetime | None = None  # at a known page, where nothing else is left

    @property
    def share_done(self) -> float:
        """How much of what is known, or of the limit on pages, is done."""
        settled = sum(self.counts.ended.values())
        all_known = settled + self.counts.left
        share = settled / all_known if all_known else 0.0
        if self.limits.max_pages:
            content = self.counts.ended.get(Ended.CONTENT, 0)
            share = max(share, content / self.limits.max_pages)
        return min(share, 1.0)

    @property
    def causes(self) -> dict[str, int]:
        """Why pages failed or were refused."""
        causes: dict[str, int] = self.run["causes"]
        return causes

    def ended(self, how: Ended) -> int:
        """How many pages of this run ended like that."""
        count: int = self.run["ended"].get(how, 0)
        return count


def screen_lines(view: View, columns: int = USUAL_COLUMNS) -> list[Line]:
    """The lines for a terminal that is so wide."""
    lines = [(name, line) for name, line in _lines(view, columns) if unstyled_text(line)]
    return [[Span(f"{name:>{LABEL}}{GAP}", Style.FAINT), *line] for name, line in lines]


def _lines(view: View, columns: int) -> Iterator[tuple[str, Line]]:
    run, counts = view.run, view.counts
    what = "paused" if run["state"] == "paused" else "crawling"
    yield what, _told(f"{_clock(run['seconds'])}   (Ctrl-C stops in good order; nothing is lost)")
    end = until_the_end(view)
    yield "", [*bar(view.share_done, _bar_width(columns)), *_told(f"  {end}" if end else "")]
    pages = Span(f"{view.ended(Ended.CONTENT):<9,} ", Style.STRONG)
    speed = f"{run['pages_per_second']:>7,.1f}/s"
    yield "pages", [pages, Span(f"{speed}   "), *_others_styled(view)]
    received = ", ".join(_received(run))
    quads = Span(f"{run['quads']:<9,} ", Style.STRONG)
    yield "quads", [quads, Span(f"{run['quads_per_second']:>7,.0f}/s   {received}")]
    if run.get("wanted"):
        yield "wanted", _told(told_wanted(run["wanted"]))
    yield "hosts", _told(_hosts(counts))
    yield "queue", _told(f"{_to_fetch(view)}{_under_way(run)}")
    yield "causes", _told(tally(view.causes))
    yield "a page", _told(_phases(run))
    room = columns - LABEL - len(GAP)
    yield from _titled("slowest", [_slow(each, room) for each in view.slowest])
    yield from _titled("last", [_last(each, room) for each in view.last])


def _titled(name: str, lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    for number, line in enumerate(lines):
        yield "" if number else name, line


def _told(text: str) -> Line:
    return [Span(text)]


def bar(share: float, width: int) -> Line:
    """A bar of so many columns, and the share that is done in per cent."""
    full = round(min(max(share, 0.0), 1.0) * width)
    done, rest = BAR_DONE * full, BAR_LEFT * (width - full)
    return [Span(done, Style.ACCENT), Span(rest, Style.FAINT), Span(f" {int(share * 100):>3} %")]


def _bar_width(columns: int) -> int:
    return max(10, min(40, columns - 58))


def _slow(host: SlowHost, room: int) -> Line:
    left = f"  {host.pending:,} left, {duration(host.takes)}: {host.why}"
    name = max(16, room - len(left) - 1)
    return [Span(cut_middle(plain(host.host), name)), Span(plain(left), Style.WARNING)]


def _last(page: LastPage, room: int) -> Line:
    cause = (page.why or "").partition(":")[0]
    if page.ended is Ended.CONTENT:
        told, style = counted(page.quads, "quad"), Style.GOOD if page.quads else Style.FAINT
    else:
        told = f"{page.ended.value}: {cause}" if cause else page.ended.value
        style = Style.BAD if page.ended is Ended.FAILED else Style.WARNING
    url = max(MIDDLE_LEAST, room - shown_width(told) - len(GAP) - 1)
    return [Span(f"{cut_middle(plain(page.url), url)}{GAP}"), Span(plain(told), style)]


def _others_styled(view: View) -> Line:
    style = Style.WARNING if view.ended(Ended.FAILED) else Style.PLAIN
    return [Span(_others(view), style)]


def status_line(view: View) -> str:
    """The state of the crawl in one line, for a file."""
    run, counts = view.run, view.counts
    why, phases = tally(view.causes), _phases(run)
    told = [
        f"{counted(view.ended(Ended.CONTENT), 'page')} ({run['pages_per_second']:.1f}/s)",
        f"{counted(run['quads'], 'quad')} ({run['quads_per_second']:,.0f}/s)",
        _others(view) + (f" ({why})" if why else ""),
        ", ".join(_received(run)),
        f"hosts: {_hosts(counts) or 'none'}",
        f"{_to_fetch(view)}{_under_way(run)}",
        until_the_end(view),
        f"a page: {phases}" if phases else "",
    ]
    paused = "paused; " if run["state"] == "paused" else ""
    return f"{_clock(run['seconds'])}  {paused}{'; '.join(each for each in told if each)}"


def _others(view: View) -> str:
    """How pages ended that brought nothing."""
    others = (Ended.REDIRECTED, Ended.SKIPPED, Ended.FAILED, Ended.REFUSED)
    return tally({how.value: view.ended(how) for how in others})


def _received(run: Record) -> Iterator[str]:
    if run["problems"]:
        yield counted(run["problems"], "problem")
    yield f"{size(run['bytes'])} received"


def _to_fetch(view: View) -> str:
    age = f" (counted {duration(view.counted_ago)} ago)" if view.counted_ago > OLD else ""
    return f"{view.counts.left:,} to fetch{age}"


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
    if waits := _waits(view) or _next_look(view):
        return waits
    guess = timedelta(seconds=left / rate) if rate > 0 and left > 0 else None
    if left == counts.left and view.longest > (guess or timedelta(0)):
        guess, of = view.longest, f"{of}, by the delay of one host"
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


def _next_look(view: View) -> str:
    """When a page is looked at again, where nothing else is left to do."""
    if view.next_look is None or view.counts.left:
        return ""
    rest = max(view.next_look - view.now, timedelta(0))
    return f"nothing new is left; next look in {duration(rest)}" if rest else "nothing new is left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _short(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.0095 else f"{seconds * 1000:.1f} ms"
