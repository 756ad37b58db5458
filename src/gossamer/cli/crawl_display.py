"""What a crawl shows: a few lines redrawn in place (or one every ten seconds) while it runs, a summary at its end."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import Final

from gossamer.cli.terminal import Screen
from gossamer.cli.text import counted, duration, fitted, in_columns, plain, size, table, tally
from gossamer.config import Crawl as Limits
from gossamer.crawl.progress import Summary
from gossamer.errors import StorageAwayError
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.protocol import Counts, Ended, HostStage, HostState, TroubledPage
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
PHASES: Final = ("fetch", "read", "archive", "graph", "settle")
HOSTS_NAMED: Final = 10  # hosts that are listed
UNKNOWN_QUADS: Final = "the number of quads is not known, since the graph's server does not answer"
NO_SEED_HAD: Final = "No seed could be had, so the exit status is 1."
PAGE_LIMITS: Final = {  # that count all runs, so that the next one ends at once unless they go
    EndKind.PAGES: "--max-pages none",
    EndKind.PER_HOST: "--config crawl.pages_per_host=none",
    EndKind.PER_SITE: "--config crawl.pages_per_site=none",
}


@dataclass(slots=True)
class Live:
    """Shows a crawl on a screen until cancelled."""

    asked: CrawlAnswers
    screen: Screen
    say: Callable[[str], None]  # a line, where nothing can be redrawn
    clock: Callable[[], float] = time.monotonic
    _counts: Counts = field(default_factory=Counts)
    _longest: timedelta = timedelta(0)
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

    async def _count(self) -> None:
        while True:
            started = self.clock()
            do, frontier = self.asked.folder.frontier_thread.do, self.asked.folder.frontier
            try:
                self._counts = await do(frontier.counts)
                self._longest = await do(frontier.longest_left)
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
            longest=self._longest,
            counted_ago=timedelta(seconds=self.clock() - self._counted_at),
        )
        if self.screen.is_live:
            self.screen.draw(screen_lines(view))
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

    @property
    def causes(self) -> dict[str, int]:
        """Why pages failed or were refused."""
        causes: dict[str, int] = self.run["causes"]
        return causes

    def ended(self, how: Ended) -> int:
        """How many pages of this run ended like that."""
        count: int = self.run["ended"].get(how, 0)
        return count


def screen_lines(view: View) -> list[str]:
    """The lines for a terminal."""
    return [f"{name:>9}  {text}" for name, text in _parts(view) if text]


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
    yield "queue", f"{_to_fetch(view)}{_under_way(run)}{f'; {end}' if end else ''}"
    yield "causes", tally(view.causes)
    yield "a page", _phases(run)


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
    waits = _waits(view)
    if waits:
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


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _short(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.0095 else f"{seconds * 1000:.1f} ms"


def farewell(
    ending: Ending,
    summary: Summary,
    parked: Sequence[HostState],
    causes: Mapping[str, int],
    *,
    folder: Path,
    is_usual: bool,
    all_parked: int = 0,
    has_words: bool = True,
    troubled: Sequence[TroubledPage] = (),
    not_followed: Mapping[str, int] | None = None,
    no_seed_had: bool = False,
) -> str:
    """The summary at the end; `is_usual` where commands find the folder without being told.

    `parked` are the hosts to be named, of `all_parked`; `troubled` are pages to be named.
    `has_words` where there is something for `gossamer search`. `not_followed` are links by rule:
    the part of what the summary calls refused that was never to be asked for.
    """
    data = "" if is_usual else f" --data {quote(str(folder))}"
    links = not_followed or {}
    asked = replace(summary, refused=summary.refused - sum(links.values()))
    blocks = [
        f"{ending.why} {NO_SEED_HAD}" if no_seed_had else ending.why,
        "\n".join(f"  {each}" for each in _sums(asked, causes, links)),
        "\n".join(map(_troubled, troubled)),
        "\n".join(_parked(parked, max(all_parked, len(parked)))),
        "\n".join(["Next:", *_next(ending, asked, data, has_words=has_words)]),
    ]
    return "\n\n".join(block for block in blocks if block)


def partial_farewell(ending: Ending, summary: Summary, causes: Mapping[str, int], data: str) -> str:
    """The summary where a server is away; `data` is the option that names the folder, if it has to be."""
    sums = "\n".join(f"  {each}" for each in _sums(summary, causes, {}))
    return (
        f"{ending.why} A server is still away, so this is what this run has settled, not all there "
        f"is:\n\n{sums}\n\nWhat was in hand is asked for again: go on with `gossamer crawl{data}` when "
        "it is back."
    )


def _sums(
    summary: Summary, causes: Mapping[str, int], not_followed: Mapping[str, int]
) -> Iterator[str]:
    pages = counted(summary.pages, "page")
    quads = UNKNOWN_QUADS if summary.quads is None else f"with {counted(summary.quads, 'quad')}"
    of = "" if summary.hosts is None else f" of {counted(summary.hosts, 'host')}"
    took = duration(timedelta(seconds=summary.seconds))
    rate = f"{summary.pages_per_second:,.1f} pages a second"
    yield f"{pages}{of}, {quads}; {took}, {rate}"
    told = tally({name: getattr(summary, name) for name in ("redirected", "failed", "refused")})
    if told:
        why = tally(causes)
        yield f"{told}{f' (in this run: {why})' if why else ''}"
    if links := tally(not_followed):
        yield f"{counted(sum(not_followed.values()), 'link')} not followed: {links}"
    if summary.problems:
        yield f"{counted(summary.problems, 'problem')} in pages"


def _troubled(page: TroubledPage) -> str:
    cause, _, sentence = (page.why or page.kind).partition(": ")
    return f"  {plain(page.url)} ({page.kind}): {plain(sentence or cause)}"


def _parked(parked: Sequence[HostState], count: int) -> Iterator[str]:
    if not parked:
        return
    yield f"{counted(count, 'host')} parked, for asking for more patience than we have:"
    rows = [
        (each.host, f"{each.pending:,} left", _moment(each.until), plain(each.why))
        for each in parked
    ]
    yield from (
        f"  {row}" for row in table(rows[:HOSTS_NAMED], width=100, glance=True).splitlines()
    )
    if count > HOSTS_NAMED:
        yield f"  and {count - HOSTS_NAMED:,} more: gossamer hosts --stage parked"


def _moment(moment: datetime | None) -> str:
    return "" if moment is None else f"until {moment:%Y-%m-%d %H:%M} UTC"


def _next(ending: Ending, summary: Summary, data: str, *, has_words: bool) -> Iterator[str]:
    steps = []
    if summary.quads != 0 and has_words:
        steps.append((f"gossamer search WORDS{data}", "find entities by name and text"))
    if summary.quads != 0:
        steps += [
            (f"gossamer query --example types{data}", "types of entities found"),
            (f"gossamer serve{data}", "see the results in a browser; REST and SPARQL"),
            (f"gossamer export -o crawl.nq.gz{data}", "write everything to one file"),
        ]
    if summary.failed or summary.refused or summary.problems:
        steps.append((f"gossamer problems{data}", "pages with problems"))
    if option := PAGE_LIMITS.get(ending.kind):
        steps.append((f"gossamer crawl {option}{data}", "go on without that limit"))
    elif ending.kind is not EndKind.DONE:
        steps.append((f"gossamer crawl{data}", "go on from here"))
    steps.append((f"gossamer status{data}", "how it stands"))
    widths = fitted(steps)  # to be copied, so never to be cut
    yield from (f"  {in_columns(step, widths)}" for step in steps)
