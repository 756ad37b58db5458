"""What `gossamer changes` does: ask for changes, a portion at a time, and write them."""

import csv
import io
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

import click

from gossamer.cli.folder import ask_folder, require_crawl
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, plain, table, terminal_width
from gossamer.folder.data import DataFolder
from gossamer.history.asking import MOST, ChangeFilter, moment_of
from gossamer.history.telling import (
    TABLE_COLUMNS,
    befores_and_afters,
    name_of,
    table_rows,
    told_briefly,
    types_of,
)
from gossamer.model import Refusal
from gossamer.moments import now_utc, told_moment
from gossamer.owner.messages import Answering, Record, ask
from gossamer.owner.questions import ListChanges
from gossamer.urls import seed

SHOWN: Final = 50  # changes on a terminal, unless more are asked for
TOLD: Final = 4  # properties of one change in the table
HEAD: Final = ("WHEN", "WHAT", "ENTITY", "TYPE", "PAGE", "CHANGE")


def run_changes(asked: ChangeFilter, limit: int | None, to: str, data: DataFolder) -> None:
    """Write the changes that are asked for in a format."""
    require_crawl(data)
    asked = _checked(asked)
    if limit is None and to == "table" and terminal_width() is not None:
        limit = SHOWN

    async def asking(owner: Answering) -> Record:
        """Write all there is; how much, and what the last answer said beside it."""
        count = 0
        end: Record = {}
        rows: list[tuple[str, ...]] = []
        async for answer in _answers(owner, asked, limit):
            found, end = answer["changes"], answer
            if to == "json":
                _emit_json(found, count)
            elif to == "table":
                rows += (row for change in found for row in change_rows(change))
            else:
                _emit_lines(found, to, is_first=count == 0)
            count += len(found)
        if to == "json":
            emit("]" if count else "[]")
        elif rows:
            emit(table([HEAD, *rows], glance=True))
        return {**end, "count": count}

    end = ask_folder("changes", data, asking)
    for line in _afterwards(asked, end, limit, data):
        click.echo(line, err=True)


def _checked(asked: ChangeFilter) -> ChangeFilter:
    for name, text in (("--since", asked.since), ("--until", asked.until)):
        if text is not None:
            try:
                moment_of(text, now_utc())
            except ValueError as error:
                raise click.UsageError(f"{name}: {error}.") from None
    if asked.page is None:
        return asked
    url = seed(asked.page)
    if isinstance(url, Refusal):
        raise click.UsageError(f"--page: {url.why}")
    return replace(asked, page=url)


async def _answers(
    owner: Answering, asked: ChangeFilter, limit: int | None
) -> AsyncIterator[Record]:
    """Answers with some changes each, until there are no more or they are enough."""
    left, after = limit, None
    while left is None or left > 0:
        portion = MOST if left is None else min(left, MOST)
        answer = await ask(owner, ListChanges(replace(asked, after=after, limit=portion)))
        yield answer
        left = None if left is None else left - len(answer["changes"])
        if (after := answer["next"]) is None:
            return


def _emit_json(found: list[Record], before: int) -> None:
    """Write a part of one JSON array, an object a line."""
    for place, each in enumerate(found, before):
        emit(f"{',' if place else '['}{json.dumps(each, ensure_ascii=False)}")


def _emit_lines(found: list[Record], to: str, *, is_first: bool) -> None:
    if to == "jsonl":
        for each in found:
            emit(json.dumps(each, ensure_ascii=False))
        return
    output = io.StringIO()
    writer = csv.writer(output)
    if is_first:
        writer.writerow(TABLE_COLUMNS)
    writer.writerows(table_rows(found))
    if text := output.getvalue():
        emit(text.removesuffix("\r\n"))


def change_rows(change: Record, *, page: bool = True) -> Iterator[tuple[str, ...]]:
    """A line for each property that changed, of the first of them; with the page, or without."""
    moment = datetime.fromisoformat(change["at"])
    head: tuple[str, ...] = (
        f"{moment:%Y-%m-%d %H:%M}",
        change["kind"],
        plain(name_of(change)),
        plain(types_of(change)),
        *((plain(change["page"]),) if page else ()),
    )
    pairs = befores_and_afters(change)
    if change["kind"] != "changed":
        said = change["added"] or change["removed"]
        yield (*head, counted(len(said), "statement"))
        return
    for each in pairs[:TOLD]:
        yield (*head, plain(told_briefly(each)))
        head = ("",) * len(head)
    if len(pairs) > TOLD:
        yield (*head, f"and {len(pairs) - TOLD:,} more")


def _afterwards(
    asked: ChangeFilter, end: Record, limit: int | None, data: DataFolder
) -> Iterator[str]:
    if end["count"]:
        if limit is not None and end["next"] is not None and end["count"] == limit:
            yield f"These are the latest {counted(limit, 'change')}; --limit N."
        return
    if not end["pages"]:
        yield (
            f"There is no history in {data.path}: it begins with the next crawl, and "
            "`gossamer rebuild` begins it with what the archive has."
        )
    elif end["since"] is None:
        yield (
            f"{counted(end['pages'], 'page')} were read for the first time, and none of them again yet. "
            "`gossamer crawl --again` asks for them once more; then changes are told."
        )
    else:
        which = " that was asked for" if asked != ChangeFilter() else ""
        since = told_moment(datetime.fromisoformat(end["since"]))
        pages = counted(end["pages"], "page")
        yield f"Nothing{which} has changed. {pages} are known; changes are told since {since}."
