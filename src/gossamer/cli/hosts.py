"""`gossamer hosts`: what each host is doing, and why."""

import heapq
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.text import counted, duration, emit, example, plain, table, terminal_width
from gossamer.data import DataFolder
from gossamer.moments import now_utc
from gossamer.owner.messages import Answering, Question, Record

SHOWN: Final = 100  # hosts, unless more are asked for
# Those that something happens to come first.
ORDER: Final = ("leased", "ready", "waiting", "parked", "full", "idle")
HEAD: Final = ("HOST", "STAGE", "PAGES", "LEFT", "DELAY", "READY", "WHY")


@click.command(
    short_help="What each host is doing: ready, waiting, parked, and why.",
    epilog=example(
        "gossamer hosts", "gossamer hosts --stage parked", "gossamer hosts --data my-crawl --json"
    ),
)
@click.option("--stage", type=click.Choice(ORDER), help="Only hosts in this stage.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Show so many at most [default: {SHOWN}; with --json: all].",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_options
def hosts(stage: str | None, limit: int | None, as_json: bool, data: DataFolder) -> None:
    """Show the hosts of a crawl, while it runs or afterwards.

    A host is leased while it is being asked, ready or waiting for its delay, parked where it
    asks for more patience than we have, full where a limit on pages is reached, and idle when
    nothing of it is left to fetch.
    """
    there_is_a_crawl(data)
    question = Question(what="hosts", stage=stage)
    most = limit or (None if as_json else SHOWN)

    async def asking(owner: Answering) -> tuple[list[Record], int]:
        return await _first(_told(owner, question), most)

    shown, count = ask_folder("hosts", data, asking)
    if as_json:
        emit(json.dumps(shown, indent=2))
    elif shown:
        now = now_utc()
        rows = [HEAD, *(_row(host, now) for host in shown)]
        emit(table(rows, glance=terminal_width() is not None))
        if count > len(shown):
            click.echo(f"These are the first of {counted(count, 'host')}; --limit N.", err=True)
    else:
        which = "" if stage is None else f" that is {stage}"
        click.echo(f"There is no host{which} in {data.path}.", err=True)


async def _told(owner: Answering, question: Question) -> AsyncIterator[Record]:
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
    return ORDER.index(host["stage"]), -host["pending"], host["host"]


def _row(host: Record, now: datetime) -> Sequence[str]:
    at = host["next_at"]
    wait = None if at is None else datetime.fromisoformat(at) - now
    return (
        host["host"],
        host["stage"],
        f"{host['content']:,}",
        f"{host['pending']:,}",
        f"{host['delay']:.3g} s",
        "" if wait is None else f"in {duration(wait)}",
        plain(host["why"]),
    )
