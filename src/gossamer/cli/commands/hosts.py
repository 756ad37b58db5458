"""`gossamer hosts`: what each host is doing, and why."""

from __future__ import annotations

import heapq
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.options import data_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, duration, example, plain, table
from gossamer.folder.data import DataFolder
from gossamer.moments import now_utc

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record
    from gossamer.owner.questions import Hosts

SHOWN: Final = 100  # hosts, unless more are asked for
# Those that something happens to come first.
ORDER: Final = ("leased", "ready", "waiting", "parked", "full", "idle")
HEAD: Final = ("HOST", "STAGE", "PAGES", "LEFT", "DELAY", "READY", "WHY")


@click.command(
    epilog=example(
        "gossamer hosts", "gossamer hosts --stage parked", "gossamer hosts --data my-crawl --json"
    ),
)
@click.option("--stage", type=click.Choice(ORDER), help="Only hosts in this stage.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Show at most this many [default: {SHOWN}; with --json: all].",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_options
def hosts(stage: str | None, limit: int | None, as_json: bool, data: DataFolder) -> None:
    """Show the hosts of a crawl, while it runs or afterwards.

    A host is leased while it is being crawled, ready or waiting for its delay, parked if it
    asked for a longer pause than --patience, full if a limit on pages is reached, and idle
    when nothing is left to fetch.

    PAGES are those that hold content, also where their last visit failed; LEFT are those to
    fetch and to try again, without those in hand.
    """
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.questions import Hosts

    require_crawl(data)
    question = Hosts(stage=stage)
    most = limit or (None if as_json else SHOWN)

    async def asking(owner: Answering) -> tuple[list[Record], int]:
        return await _first(_read_hosts(owner, question), most)

    shown, count = ask_folder("hosts", data, asking)
    if as_json:
        emit(json.dumps(shown, indent=2))
    elif shown:
        now = now_utc()
        rows = [HEAD, *(_row(host, now) for host in shown)]
        emit(table(rows, wraps=True))
        if count > len(shown):
            click.echo(f"These are the first of {counted(count, 'host')}; --limit N.", err=True)
    else:
        which = "" if stage is None else f" that is {stage}"
        click.echo(f"There is no host{which} in {data.path}.", err=True)


async def _read_hosts(owner: Answering, question: Hosts) -> AsyncIterator[Record]:
    """The hosts, one after the other."""
    held = b""
    async with aclosing(owner.answer(question).__aiter__()) as parts:
        async for part in parts:
            *lines, held = (held + part).split(b"\n")
            for line in lines:
                yield json.loads(line)


async def _first(told: AsyncIterator[Record], most: int | None) -> tuple[list[Record], int]:
    """The first so many in order, and how many there are; no more than twice those are held."""
    kept: list[Record] = []
    count = 0
    async for host in told:
        count += 1
        kept.append(host)
        if most is not None and len(kept) >= 2 * most:
            kept = heapq.nsmallest(most, kept, _order)
    return sorted(kept, key=_order)[:most], count


def _order(host: Record) -> tuple[int, int, str]:
    return ORDER.index(host["stage"]), -_left(host), host["host"]


def _left(host: Record) -> int:
    """Pages to fetch and to try again; those in hand are in neither."""
    return int(host["pending"] + host.get("waiting", 0))


def _row(host: Record, now: datetime) -> Sequence[str]:
    at = host["next_at"]
    wait = None if at is None else datetime.fromisoformat(at) - now
    return (
        host["host"],
        host["stage"],
        f"{host['content']:,}",
        f"{_left(host):,}",
        f"{host['delay']:.3g} s",
        "" if wait is None else f"in {duration(wait)}",
        plain(host["why"]),
    )
