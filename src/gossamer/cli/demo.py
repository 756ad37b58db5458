"""`gossamer demo`: a small web of our own on loopback, shown, asked for its manners, crawled, served."""

import asyncio
import errno
import json
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from gossamer.check import Checked, check
from gossamer.cli.asking import polite_client
from gossamer.cli.check import answer
from gossamer.cli.demo_crawl import DemoCrawl, crawled, free_place, served
from gossamer.cli.text import counted, emit, example, table
from gossamer.config import Config, Fetch, Log, Politeness, Service
from gossamer.data import DataFolder
from gossamer.demo.outcomes import Truth
from gossamer.demo.robots import KINDS
from gossamer.demo.server import serve
from gossamer.demo.summary import WorldSummary, summary
from gossamer.demo.truth import truth
from gossamer.demo.world import MAX_HOSTS, MAX_PAGES, MAX_SEED, World

MOST_WALKED = 10_000  # pages; walking a larger web would keep people waiting
AGENT = Politeness(contact="demo@site0.test")


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to say about a demo web."""

    world: World
    address: str
    summary: WorldSummary
    truth: Truth | None  # None: too large to walk while somebody waits
    checked: Sequence[Checked]  # one page of each host, asked over loopback
    crawled: Mapping[str, Any] | None = None  # what a crawl came to, where there was one


@click.command(
    short_help="A small web of our own on loopback, crawled and served.",
    epilog=example(
        "gossamer demo",
        "gossamer demo --once --json",
        "gossamer demo --no-crawl --pages 100000 --hosts 1000 --malice --port 8099",
    ),
)
@click.option("--once", is_flag=True, help="Stop after the crawl instead of serving.")
@click.option(
    "--no-crawl", is_flag=True, help="Only show the web, and serve it for others to crawl."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--pages", type=click.IntRange(10, MAX_PAGES), default=120, show_default=True)
@click.option("--hosts", type=click.IntRange(1, MAX_HOSTS), default=12, show_default=True)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=1,
    show_default=True,
    help="The number it is made from: the same number gives the same bytes.",
)
@click.option("--malice", is_flag=True, help="Add hosts that misbehave: loops, traps, bombs…")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve the web on this port [default: any].",
)
def demo(
    once: bool,
    no_crawl: bool,
    as_json: bool,
    pages: int,
    hosts: int,
    seed: int,
    malice: bool,
    port: int,
) -> None:
    """Show a small web of our own on loopback, crawl it, and serve what was found.

    The pages to look at are there while the crawl runs. Its contents are known to the last quad, so any crawler can be tried on it. Hosts end
    in .test and are reached with --connect-to: no name is looked up, nothing leaves this
    machine.
    """
    if hosts > pages:
        raise click.UsageError(
            f"--hosts {hosts} is more than --pages {pages}: each host has a page."
        )
    world = World(seed=seed, pages=pages, hosts=hosts, malice=malice)
    asyncio.run(_run(world, port, once=once, as_json=as_json, crawls=not no_crawl))


async def _run(world: World, port: int, *, once: bool, as_json: bool, crawls: bool) -> None:
    try:
        async with serve(world, port, lambda _access: None) as running:
            shown = await _look(world, running.address)
            with TemporaryDirectory(prefix="gossamer-demo-") as folder:
                told = DemoCrawl(world.front(0), shown.address, Path(folder), str(AGENT.contact))
                if once:
                    await _once(shown, told, as_json=as_json, crawls=crawls)
                else:
                    emit(_as_json(shown) if as_json else _as_text(shown))
                    await _until_stopped(shown, told if crawls else None)
        if not once:
            click.echo(f"\nStopped.{' What was crawled is gone.' if crawls else ''}", err=True)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        raise click.ClickException(
            f"Port {port} cannot be served: {error.strerror}. Choose another with --port."
        ) from None


async def _once(shown: Shown, told: DemoCrawl, *, as_json: bool, crawls: bool) -> None:
    if not as_json:
        emit(_as_text(shown))
    if crawls:
        shown = replace(shown, crawled=await crawled(told, is_quiet=True))
        if not as_json:
            emit(f"\n{_verdict(shown)}")
    if as_json:
        emit(_as_json(shown))


async def _until_stopped(shown: Shown, told: DemoCrawl | None) -> None:
    """Serve the web, and what is found in it, until somebody stops us."""
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    working = asyncio.create_task(_demonstrated(shown, told))
    ending = asyncio.create_task(stopped.wait())
    await asyncio.wait([working, ending], return_when=asyncio.FIRST_COMPLETED)
    working.cancel()
    ending.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def _demonstrated(shown: Shown, told: DemoCrawl | None) -> None:
    """Say how to look at it, crawl it where people can watch, and stay."""
    if told is None:
        click.echo(_invitation(shown, None, None), err=True)
        await asyncio.Event().wait()
        return
    place = free_place(Service().address)
    async with served(told, place) as is_ready:
        click.echo(_invitation(shown, told, place if is_ready else None), err=True)
        summary = await crawled(told, is_quiet=True)
        click.echo(f"\n{_verdict(replace(shown, crawled=summary))}", err=True)
        await asyncio.Event().wait()


def _verdict(shown: Shown) -> str:
    """What the crawl came to, beside what it should have come to."""
    found, walked = shown.crawled, shown.truth
    if found is None:
        return "The crawl did not come to its end."
    pages, quads = counted(found["pages"], "page"), counted(found["quads"], "quad")
    told = f"Crawled: {pages}, {quads}, in {found['seconds']:.1f} s"
    if walked is None or found["ended"] != "done":
        return f"{told}."
    is_right = (found["pages"], found["quads"]) == (len(walked.visited), walked.quads())
    return f"{told}; {'exactly what is there' if is_right else 'which is not what is there'}."


async def _look(world: World, address: str) -> Shown:
    walked = None
    if world.pages <= MOST_WALKED:
        walked = truth(world, [world.front(0)], scope="any")
    return Shown(world, address, summary(world), walked, await _manners(world, address))


async def _manners(world: World, address: str) -> Sequence[Checked]:
    """Real, polite requests for each kind of robots.txt, in a data folder of their own."""
    config = Config(politeness=AGENT, fetch=Fetch(connect_to=(f"*.test={address}",)), log=Log())
    hosts = range(min(world.hosts, len(KINDS)))
    with TemporaryDirectory() as folder:
        async with polite_client("demo", DataFolder(Path(folder)), config) as client:
            pages = (f"{world.front(host)}private/1" for host in hosts)
            return await asyncio.gather(*(check(client, page) for page in pages))


def _as_text(shown: Shown) -> str:
    return "\n".join(_paragraphs(shown))


def _paragraphs(shown: Shown) -> Iterator[str]:
    found = shown.summary
    about = "" if found.exact else "about "
    yield f"The demo web made from the number {shown.world.seed}:"
    hosts, sites = counted(found.hosts, "host"), counted(found.sites, "site")
    yield f"  {found.pages:,} pages on {hosts} of {sites},"
    yield f"  {about}{found.quads:,} quads in {len(found.formats)} formats."
    yield "\n" + table(
        [("FORMAT", "PAGES", "FOR EXAMPLE")]
        + [(kind, f"{count:,}", found.examples[kind]) for kind, count in found.formats.items()],
        glance=True,
    )
    if shown.truth:
        yield f"\nWhat a right crawl from {shown.world.front(0)} with --scope any comes to:"
        yield table([*_truth_rows(shown.truth)], glance=True)
    yield "\nMay gossamer fetch /private/1 there? Asked just now, over loopback:"
    rows = [("ROBOTS.TXT", "ANSWER", "HOST", "WHY")]
    for host, checked in enumerate(shown.checked):
        name = checked.verdict.url.removeprefix("http://").partition("/")[0]
        rows.append(
            (shown.world.robots(host), answer(checked.verdict.record()), name, _reason(checked))
        )
    yield table(rows, glance=True)


def _reason(checked: Checked) -> str:
    """The line that decided, or how the request for robots.txt ended."""
    if checked.decision and checked.decision.line_number:
        return f"line {checked.decision.line_number}: {checked.decision.line}"
    return f"robots.txt {checked.rules.record.cause}" if checked.rules else ""


def _truth_rows(walked: Truth) -> Iterator[tuple[str, str, str]]:
    rules = Counter(refused.rule for refused in walked.refused.values())
    causes = Counter(failed.cause for failed in walked.failed.values())
    yield "  visited", f"{len(walked.visited):,}", f"pages, {walked.quads():,} quads to store"
    yield "  skipped", f"{len(walked.skipped):,}", "PDFs and images"
    yield "  redirected", f"{len(walked.redirected):,}", ""
    yield "  failed", f"{len(walked.failed):,}", _by_word(causes)
    yield "  refused", f"{len(walked.refused):,}", _by_word(rules)


def _by_word(words: Counter[str]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in words.most_common())


def _as_json(shown: Shown) -> str:
    found, walked = shown.summary, shown.truth
    return json.dumps(
        {
            "seed": shown.world.seed,
            "address": shown.address,
            "pages": found.pages,
            "hosts": found.hosts,
            "sites": found.sites,
            "quads": found.quads,
            "exact": found.exact,
            "formats": {str(kind): count for kind, count in found.formats.items()},
            "robots": {str(kind): count for kind, count in found.robots.items()},
            "crawl": walked
            and {
                "seed": shown.world.front(0),
                "scope": "any",
                "visited": len(walked.visited),
                "skipped": len(walked.skipped),
                "redirected": len(walked.redirected),
                "failed": len(walked.failed),
                "refused": len(walked.refused),
                "quads": walked.quads(),
            },
            "checked": [dict(each.verdict.record()) for each in shown.checked],
            "crawled": shown.crawled,
        },
        indent=2,
    )


def _invitation(shown: Shown, told: DemoCrawl | None, place: str | None) -> str:
    where = "" if told is None else f" --data {told.data}"
    reach = f"--connect-to '*.test={shown.address}'{where}"
    # `make demo` runs us out of .venv, which is on nobody's path.
    us = "gossamer" if shutil.which("gossamer") else sys.argv[0]
    look = [] if place is None else [f"\nIt is being crawled. Look at it: http://{place}/"]
    search = [] if told is None else [f"  {us} search the{where}"]
    return "\n".join(
        [
            *look,
            f"\nServing on {shown.address} until Ctrl-C. Try, in another terminal:",
            *search,
            f"  {us} check {shown.world.front(0)} {reach}",
            f"  {us} explain {shown.world.front(0)}private/1 {reach}",
            f"  curl --connect-to ::{shown.address} {shown.world.front(0)}",
        ]
    )
