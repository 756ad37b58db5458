"""What a crawl says at its end: what there is, which hosts are parked and why, and what to do next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import Final

from gossamer.cli.text import (
    counted,
    duration,
    fitted,
    in_columns,
    plain,
    table,
    tally,
    told_wanted,
)
from gossamer.crawl.progress import Summary
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.protocol import HostState, TroubledPage

HOSTS_NAMED: Final = 10  # hosts that are listed
UNKNOWN_QUADS: Final = "the number of quads is not known, since the graph's server does not answer"
KINDS_OF_VISITS: Final = ("new", "changed", "unchanged", "gone", "failed")
NO_SEED_HAD: Final = "No seed could be had, so the exit status is 1."
PAGE_LIMITS: Final = {  # that count all runs, so that the next one ends at once unless they go
    EndKind.YIELD: "--until-yield none",
    EndKind.PAGES: "--max-pages none",
    EndKind.PER_HOST: "--config crawl.pages_per_host=none",
    EndKind.PER_SITE: "--config crawl.pages_per_site=none",
}


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
    width: int | None = None,
) -> str:
    """The summary at the end; `is_usual` where commands find the folder without being told.

    `parked` are the hosts to be named, of `all_parked`; `troubled` are pages to be named.
    `has_words` where there is something for `gossamer search`. `not_followed` are links by rule:
    the part of what the summary calls refused that was never to be asked for. In a terminal of a `width`
    that has no room beside the longest command, each explanation is on a line below.
    """
    data = "" if is_usual else f" --data {quote(str(folder))}"
    links = not_followed or {}
    asked = replace(summary, refused=summary.refused - sum(links.values()))
    blocks = [
        f"{ending.why} {NO_SEED_HAD}" if no_seed_had else ending.why,
        "\n".join(f"  {each}" for each in _sums(asked, causes, links)),
        "\n".join(map(_troubled, troubled)),
        "\n".join(_parked(parked, max(all_parked, len(parked)))),
        "\n".join(["Next:", *_next(ending, asked, data, width, has_words=has_words)]),
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
    if summary.wanted is not None:
        yield f"wanted: {told_wanted(summary.wanted)}"
    if again := told_changes(summary.changes):
        yield again
    told = tally({name: getattr(summary, name) for name in ("redirected", "failed", "refused")})
    if told:
        why = tally(causes)
        yield f"{told}{f' (in this run: {why})' if why else ''}"
    if links := tally(not_followed):
        yield f"{counted(sum(not_followed.values()), 'link')} not followed: {links}"
    if summary.problems:
        yield f"{counted(summary.problems, 'problem')} in pages"


def told_changes(counts: Mapping[str, int]) -> str | None:
    """What pages were against the visit before; None where no page was visited before."""
    if not any(counts.get(name) for name in ("changed", "unchanged", "gone")):
        return None
    told = ", ".join(f"{counts[name]:,} {name}" for name in KINDS_OF_VISITS if counts[name])
    return f"against the visit before: {told}"


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
    yield from (f"  {row}" for row in table(rows[:HOSTS_NAMED], width=98, wraps=True).splitlines())
    if count > HOSTS_NAMED:
        yield f"  and {count - HOSTS_NAMED:,} more: gossamer hosts --stage parked"


def _moment(moment: datetime | None) -> str:
    return "" if moment is None else f"until {moment:%Y-%m-%d %H:%M} UTC"


def _next(
    ending: Ending, summary: Summary, data: str, width: int | None, *, has_words: bool
) -> Iterator[str]:
    steps = []
    if summary.quads != 0 and has_words:
        steps.append((f"gossamer search WORDS{data}", "find entities by name and text"))
    if summary.quads != 0:
        steps += [
            (f"gossamer query --example types{data}", "types of entities found"),
            (f"gossamer serve{data}", "see the results in a browser; REST and SPARQL"),
            (f"gossamer export -o crawl.nq.gz{data}", "write everything to one file"),
        ]
    if summary.changes.get("changed") or summary.changes.get("gone"):
        steps.append((f"gossamer changes{data}", "what has changed since the visit before"))
    if summary.failed or summary.refused or summary.problems:
        steps.append((f"gossamer problems{data}", "pages with problems"))
    if option := PAGE_LIMITS.get(ending.kind):
        steps.append((f"gossamer crawl {option}{data}", "go on without that limit"))
    elif ending.kind is not EndKind.DONE:
        steps.append((f"gossamer crawl{data}", "go on from here"))
    steps.append((f"gossamer status{data}", "how it stands"))
    widths = fitted(steps)  # to be copied, so never to be cut
    lines = [f"  {in_columns(step, widths)}" for step in steps]
    if width is not None and max(map(len, lines)) > width:
        lines = [line for command, what in steps for line in (f"  {command}", f"      {what}")]
    yield from lines
