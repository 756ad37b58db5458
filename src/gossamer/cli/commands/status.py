"""`gossamer status`: how a crawl stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from gossamer.cli.options import data_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import (
    counted,
    duration,
    example,
    over_budget,
    plain,
    size,
    table,
    tally,
    told_wanted,
)
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record

WORDS = {"content": "with content"}  # what an ending is called where that is clearer


@click.command(
    epilog=example("gossamer status", "gossamer status --data my-crawl --json"),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def status(as_json: bool, data: DataFolder) -> None:
    """Show the state of the crawl in the data folder, while it runs or afterwards."""
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import Status

    require_crawl(data)

    async def asking(owner: Answering) -> Record:
        return await ask(owner, Status())

    record = ask_folder("status", data, asking)
    emit(json.dumps(record, indent=2) if as_json else table([*_rows(record)]))


def _rows(record: Record) -> Iterator[tuple[str, str]]:
    yield "folder", plain(record["data"])
    if record["frontier"] is not None:
        yield "frontier", f"shared, in {plain(record['frontier'])}"
    yield from _run_rows(record)
    ended = {WORDS.get(name, name): count for name, count in record["ended"].items()}
    # Pages that failed when they were asked for again keep what they have; `hosts` counts them.
    kept = record["with_content"] - record["ended"]["content"]
    keep = f" ({record['with_content']:,} hold content)" if kept else ""
    yield "pages", f"{tally(ended)}{keep}" if any(ended.values()) else "none yet"
    yield "left", _left(record)
    hosts = tally(record["hosts"])
    yield "hosts", f"{counted(sum(record['hosts'].values()), 'host')}: {hosts}" if hosts else "none"
    if record["wanted"] is not None:
        yield "wanted", told_wanted(record["wanted"])
    yield from _changes(record)
    if told := told_freshness(record["fresh"]):
        yield "fresh", told
    for name, of in (("failed", "failures"), ("refused", "refusals")):
        if record[of]:
            yield name, tally(record[of])
    if links := tally({"out of scope": record["aside"], **record["not_followed"]}):
        yield "not followed", f"{links} (links)"
    for way, kind in (("script", "hidden links"), ("form", "forms")):
        each = record["hidden_links"][way]
        if each["found"]:
            pages = (
                f"{counted(each['pages'], 'page')} of them so far, {each['with_data']:,} with data"
            )
            yield kind, f"{counted(each['found'], 'URL')} that nothing else led to; {pages}"
    for each in record["over_budget"]:
        yield "over budget", f"{plain(each['site'])}: {over_budget(each)}"
    graph = record["graph"]
    if graph is not None:
        yield "graph", f"{counted(graph['quads'], 'quad')} in {counted(graph['graphs'], 'graph')}"
    if record["graph_trouble"] is not None:
        yield "graph", plain(record["graph_trouble"])
    if record["words"] is not None:
        yield "words", _words(record["words"])
    if record["words_trouble"] is not None:
        yield "words", plain(record["words_trouble"])
    for how in dict.fromkeys(record["confined"].values()):
        kinds = ", ".join(name for name, each in record["confined"].items() if each == how)
        yield "confined", f"{kinds}: {how}"
    parts = ", ".join(f"{name} {size(count)}" for name, count in record["disk"].items())
    yield "disk", f"{parts}; {size(record['disk_free'])} free"
    for each in record["archive_folders"]:
        use = "" if each["in_use"] else ", for reading only"
        told = plain(each["trouble"]) if each["trouble"] else f"{size(each['free'])} free{use}"
        yield "archive", f"{plain(each['folder'])}: {told}"


def _run_rows(record: Record) -> Iterator[tuple[str, str]]:
    run, owner = record["run"], record["owner"]
    if run is None:
        on = "; `gossamer crawl` goes on with it" if record["left"] else ""
        yield "now", f"no crawl is running{on}"
        return
    since = duration(timedelta(seconds=run["seconds"]))
    paused = ", paused" if run["state"] == "paused" else ""
    yield "now", f"crawling for {since} (process {owner['process']}){paused}"
    yield (
        "rate",
        f"{run['pages_per_second']:.1f} pages and {run['quads_per_second']:,.0f} quads a second",
    )
    yield "queues", ", ".join(f"{name} {count:,}" for name, count in run["queues"].items())


def _changes(record: Record) -> Iterator[tuple[str, str]]:
    """What pages were against the visit before, in the crawl that runs or in the last one."""
    from gossamer.cli.farewell import told_changes

    run, last = record["run"], record["changes"]
    told = told_changes(run["changes"] if run is not None else last or {})
    if told is not None:
        when = "" if run is not None else f"{last['started_at'][:16].replace('T', ' ')} UTC: "
        yield "last crawl" if run is None else "this crawl", f"{when}{told}"


def told_freshness(fresh: Record) -> str | None:
    """How fresh pages are kept, in words; None where none are."""
    if not fresh["pages"]:
        return None
    told = [f"{counted(fresh['pages'], 'page')} kept so"]
    if fresh["expected"] is not None:
        told.append(f"{fresh['expected']:.0%} of the time, as expected")
    if fresh["measured"] is not None:
        told.append(f"{fresh['measured']:.0%} as looks have found it")
    if fresh["due"]:
        told.append(f"{counted(fresh['due'], 'look')} due")
    elif fresh["next_at"]:
        told.append(f"next look at {fresh['next_at'][:16].replace('T', ' ')} UTC")
    stopped = "" if fresh["keeps"] else " (until freshness.keep was switched off)"
    return ", ".join(told) + stopped


def _words(words: Record) -> str:
    documents = counted(words["documents"], "document")
    if words["skipped"]:
        documents += f", {counted(words['skipped'], 'thing')} left out"
    if words["in_step"]:
        return f"{documents}, in step with the graph"
    if words["is_being_made"]:
        return f"{documents}; all are being made anew from the graph"
    if not words["is_made"]:
        return f"{documents}; not made of this graph yet, which the next search or crawl does"
    behind = []
    if words["behind_files"]:
        files = counted(words["behind_files"], "file")
        behind.append(f"{files} of changes behind the graph ({size(words['behind_bytes'])})")
    if words["later"]:
        behind.append(f"{counted(words['later'], 'thing')} left for later")
    return ", ".join([documents, *behind])


def _left(record: Record) -> str:
    names = {"pending": "to fetch", "waiting": "to try again", "beyond": "too deep"}
    told = tally({name: record[state] for state, name in names.items()})
    hand = f", {record['handed']:,} in hand" if record["handed"] else ""
    return f"{told or 'nothing'}{hand}; {counted(record['known'], 'URL')} known"
