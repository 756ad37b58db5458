"""What `gossamer demo` does: a small web is shown, asked for its manners, crawled and served."""

import asyncio
import errno
import json
import os
import shutil
import signal
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from gossamer.cli.build_client import polite_client
from gossamer.cli.commands.check import answer
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, table
from gossamer.config import Config, Fetch, Log, Politeness, Service
from gossamer.demo.outcomes import Truth
from gossamer.demo.robots import KINDS
from gossamer.demo.server import serve
from gossamer.demo.summary import WorldSummary, summary
from gossamer.demo.truth import Rules, truth
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.http.listening import Address
from gossamer.politeness.permission import Checked
from gossamer.processes.confine import die_with
from gossamer.sending.check import check

# It is our own web, so we need not be as patient with it as with others.
OPTIONS: Final = ("--scope", "any", "--delay", "0.1", "--config", "politeness.backoff_first=0.5")
MOST_PAGES: Final = 1_000
END_SECONDS: Final = 20.0  # for a process to end in good order
READY_SECONDS: Final = 60.0
POLL_SECONDS: Final = 0.1
MOST_WALKED = 10_000  # pages; walking a larger web would keep people waiting
AGENT = Politeness(contact="demo@site0.test")


@dataclass(frozen=True, slots=True)
class DemoCrawl:
    """A demo web at an address, and the folder for what is found there."""

    front: str
    web: str  # ADDR:PORT
    data: Path
    contact: str

    @property
    def crawl_command(self) -> Sequence[str]:
        """What crawls it."""
        most = ("--max-pages", str(MOST_PAGES), "--agent-contact", self.contact, "--json")
        return (*self._us("crawl"), self.front, *OPTIONS, *most, *self._where)

    def serve_command(self, place: str) -> Sequence[str]:
        """What serves the folder there."""
        return (*self._us("serve"), place, *self._where)

    @property
    def _where(self) -> Sequence[str]:
        return ("--data", str(self.data), "--connect-to", f"*.test={self.web}")

    def _us(self, command: str) -> Sequence[str]:
        return (sys.executable, "-m", "gossamer", command)


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to say about a demo web."""

    world: World
    address: str
    summary: WorldSummary
    truth: Truth | None  # None: too large to walk while somebody waits
    checked: Sequence[Checked]  # one page of each host, asked over loopback
    crawled: Mapping[str, Any] | None = None  # what a crawl came to, where there was one


def run_demo(world: World, port: int, *, once: bool, as_json: bool, crawls: bool) -> None:
    """Show the web; crawl and serve it as it is wished."""
    asyncio.run(_run(world, port, once=once, as_json=as_json, crawls=crawls))


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
        shown = replace(shown, crawled=await crawl_demo(told, is_quiet=as_json or not is_watched()))
        if not as_json:
            emit(f"\n{_verdict(shown)}")
    if as_json:
        emit(_as_json(shown))


async def _until_stopped(shown: Shown, told: DemoCrawl | None) -> None:
    """Serve the web, and what is found in it, until somebody stops us."""
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    working = asyncio.create_task(_demonstrate(shown, told))
    ending = asyncio.create_task(stopped.wait())
    await asyncio.wait([working, ending], return_when=asyncio.FIRST_COMPLETED)
    working.cancel()
    ending.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def _demonstrate(shown: Shown, told: DemoCrawl | None) -> None:
    """Say how to look at it, crawl it where people can watch, and stay."""
    if told is None:
        click.echo(_invitation(shown, None, None), err=True)
        await asyncio.Event().wait()
        return
    place = free_place(Service().address)
    async with serve_demo(told, place) as is_ready:
        click.echo(_invitation(shown, told, place if is_ready else None), err=True)
        summary = await crawl_demo(told, is_quiet=not is_watched())
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
        walked = truth(world, [world.front(0)], scope="any", rules=Rules(sitemaps=True))
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
        yield f"\nWhat a right crawl from {shown.world.front(0)} with --scope any and sitemaps comes to:"
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
                "sitemaps": True,
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


def free_place(usual: str) -> str:
    """The usual place to listen if nobody is there, else one that is free."""
    place = Address.read(usual)
    with closing(socket.socket()) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((place.host, place.port))
        except OSError:
            tried.bind((place.host, 0))
        return f"{place.host}:{tried.getsockname()[1]}"


def is_watched() -> bool:
    """Whether somebody can watch a crawl draw on standard error."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


async def crawl_demo(demo: DemoCrawl, *, is_quiet: bool) -> dict[str, Any] | None:
    """Crawl to the end; the summary, or None where there is none. What it says goes to stderr."""
    words = asyncio.subprocess.DEVNULL if is_quiet else None
    async with start_child(
        demo.crawl_command, stdout=asyncio.subprocess.PIPE, stderr=words
    ) as process:
        output, _ = await process.communicate()
    lines = output.splitlines()
    return json.loads(lines[-1]) if lines and process.returncode == 0 else None


@asynccontextmanager
async def serve_demo(demo: DemoCrawl, place: str) -> AsyncIterator[bool]:
    """Serve the folder's pages until the block ends; whether they can be looked at."""
    command = demo.serve_command(place)
    async with start_child(command, stdout=None, stderr=asyncio.subprocess.DEVNULL) as process:
        yield await _is_ready(process, Address.read(place))


@asynccontextmanager
async def start_child(
    command: Sequence[str], *, stdout: int | None, stderr: int | None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that ends with the block, in good order if it can."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,  # Ctrl-C at our terminal is ours to pass on
        preexec_fn=partial(die_with, os.getpid()),  # and whoever kills us kills it too
    )
    try:
        yield process
    finally:
        for how in (signal.SIGTERM, signal.SIGKILL):
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.send_signal(how)
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), END_SECONDS)


async def _is_ready(process: asyncio.subprocess.Process, place: Address) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(READY_SECONDS):
            while process.returncode is None:
                if await _is_healthy(place):
                    return True
                await asyncio.sleep(POLL_SECONDS)
    return False


async def _is_healthy(place: Address) -> bool:
    """Whether a service answers there: that somebody listens is not enough."""
    try:
        reader, writer = await asyncio.open_connection(place.host, place.port)
        writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        first = await reader.readline()
        writer.close()
    except OSError:
        return False
    return b" 200 " in first
