"""What `gossamer diff` does: find a page's states in the archive, read two of them, and tell the difference."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.folders import refuse_missing
from gossamer.archive.reading import read_record
from gossamer.archive.states import PageAt, states_of
from gossamer.cli.folder import crawl_config, require_crawl
from gossamer.cli.run_changes import change_rows
from gossamer.cli.terminal import ProgressLine, emit
from gossamer.cli.text import plain, table
from gossamer.config import Config
from gossamer.errors import InputError
from gossamer.folder.data import DataFolder
from gossamer.history.asking import change_record, moment_of
from gossamer.history.difference import difference
from gossamer.model import Refusal
from gossamer.moments import iso_moment, now_utc, told_moment
from gossamer.reading.isolation import read_isolated
from gossamer.reading.jobs import PageJob
from gossamer.urls import seed

HEAD = ("WHAT", "ENTITY", "TYPE", "CHANGE")


def run_diff(
    text: str, since: str | None, until: str | None, data: DataFolder, *, as_json: bool
) -> None:
    """Tell what a page says otherwise at two moments."""
    require_crawl(data)
    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    moments = [_moment("--from", since), _moment("--to", until)]
    refuse_missing(data.archive_folder, "`gossamer diff`")
    config = crawl_config(data)
    progress = ProgressLine()
    found = states_of(
        data.archive_folder, url, lambda count: progress.show(f"{count:,} records read")
    )
    progress.clear()
    before, after = choose(found, moments[0], moments[1], url)
    old, new = (_said(each, data, config) for each in (before, after))
    changes = [change_record(each, url, after.at) for each in difference(url, old, new)]
    if as_json:
        told = {"page": url, "from": iso_moment(before.at), "to": iso_moment(after.at)}
        emit(json.dumps({**told, "changes": changes}, indent=2, ensure_ascii=False))
        return
    click.echo(f"{plain(url)}: {told_moment(before.at)} → {told_moment(after.at)}", err=True)
    if changes:
        emit(table([HEAD, *_rows(changes)], glance=True))
    else:
        click.echo("The page says the same at both moments.", err=True)


def choose(
    states: Sequence[PageAt], since: datetime | None, until: datetime | None, url: str
) -> tuple[PageAt, PageAt]:
    """The two states that are meant; raises `InputError` where there are not two."""
    by_then = [each for each in states if until is None or each.at <= until]
    if not by_then:
        raise InputError(_none(states, url))
    after = by_then[-1]
    if since is not None:
        before = [each for each in states if each.at <= since]
        if not before:
            raise InputError(_none(states, url))
        return before[-1], after
    earlier = [each for each in by_then[:-1] if each.place != after.place]
    if not earlier:
        raise InputError(
            f"The archive has one state of {plain(url)}, of {told_moment(after.at)}: nothing to compare it with."
        )
    return earlier[-1], after


def _none(states: Sequence[PageAt], url: str) -> str:
    if not states:
        return f"The archive has no copy of {plain(url)}."
    return f"The first copy of {plain(url)} in the archive is of {told_moment(states[0].at)}; choose a later moment."


def _moment(name: str, text: str | None) -> datetime | None:
    try:
        return None if text is None else moment_of(text, now_utc())
    except ValueError as error:
        raise click.UsageError(f"{name}: {error}.") from None


def _said(state: PageAt, data: DataFolder, config: Config) -> bytes:
    """What a page said in a state, by today's readers."""
    if state.place is None:
        return b""
    record = read_record(data.archive_folder, ArchivePlace.parse(state.place))
    job = PageJob(
        record.url,
        record.body,
        record.header("content-type"),
        record.content_encoding,
        options=config.transform,
        max_decoded_bytes=config.fetch.max_decoded_bytes,
        find_links=False,
    )
    return read_isolated(job).nquads


def _rows(changes: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    return [
        (what, *rest) for change in changes for _, what, *rest in change_rows(change, page=False)
    ]
