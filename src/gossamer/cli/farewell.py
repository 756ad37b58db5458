"""What a crawl says at its end: what there is now, and what can be done with it. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import Final

from gossamer.cli.text import counted, duration, fitted, in_columns, plain, table, tally
from gossamer.crawling.progress import Summary
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.protocol import HostState, TroubledPage

NAMED: Final = 10  # hosts that are listed


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
) -> str:
    """The last words; `is_usual` where commands find the folder without being told.

    `parked` are the hosts to be named, of `all_parked`; `troubled` are pages to be named.
    `has_words` where there is something for `gossamer search`. `not_followed` are links by rule:
    the part of what the summary calls refused that was never to be asked for.
    """
    data = "" if is_usual else f" --data {quote(str(folder))}"
    links = not_followed or {}
    asked = replace(summary, refused=summary.refused - sum(links.values()))
    blocks = [
        ending.why,
        "\n".join(f"  {each}" for each in _sums(asked, causes, links)),
        "\n".join(map(_troubled, troubled)),
        "\n".join(_parked(parked, max(all_parked, len(parked)))),
        "\n".join(["Next:", *_next(ending, asked, data, has_words=has_words)]),
    ]
    return "\n\n".join(block for block in blocks if block)


def _sums(
    summary: Summary, causes: Mapping[str, int], not_followed: Mapping[str, int]
) -> Iterator[str]:
    pages, quads = counted(summary.pages, "page"), counted(summary.quads, "quad")
    took = duration(timedelta(seconds=summary.seconds))
    rate = f"{summary.pages_per_second:,.1f} pages a second"
    yield f"{pages} of {counted(summary.hosts, 'host')}, with {quads}; {took}, {rate}"
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
    yield from (f"  {row}" for row in table(rows[:NAMED], width=100, glance=True).splitlines())
    if count > NAMED:
        yield f"  and {count - NAMED:,} more: gossamer hosts --stage parked"


def _moment(moment: datetime | None) -> str:
    return "" if moment is None else f"until {moment:%Y-%m-%d %H:%M} UTC"


def _next(ending: Ending, summary: Summary, data: str, *, has_words: bool) -> Iterator[str]:
    steps = []
    if summary.quads and has_words:
        steps.append((f"gossamer search WORDS{data}", "find things by their names and texts"))
    if summary.quads:
        steps += [
            (f"gossamer query --example types{data}", "which kinds of things were found"),
            (f"gossamer serve{data}", "look at it in a browser; REST and SPARQL"),
            (f"gossamer export -o crawl.nq.gz{data}", "everything, as one file"),
        ]
    if summary.failed or summary.refused or summary.problems:
        steps.append((f"gossamer problems{data}", "what did not go well, page by page"))
    if ending.kind is not EndKind.DONE:
        steps.append((f"gossamer crawl{data}", "go on from here"))
    steps.append((f"gossamer status{data}", "how it stands"))
    widths = fitted(steps)  # to be copied, so never to be cut
    yield from (f"  {in_columns(step, widths)}" for step in steps)
