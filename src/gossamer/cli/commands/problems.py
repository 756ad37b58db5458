"""`gossamer problems`: pages that did not go well, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.options import complete_host, data_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, example, plain, table
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record

KINDS: Final = ("failed", "refused", "retry", "problems")
SHOWN: Final = 50  # pages, unless more are asked for
TOLD: Final = 3  # problems of one page in the table
HEAD: Final = ("OUTCOME", "PAGE", "WHY")


@click.command(
    epilog=example(
        "gossamer problems",
        "gossamer problems --kind failed --limit 500",
        "gossamer problems --host www.example.org --json",
    ),
)
@click.option(
    "--host", metavar="HOST", shell_complete=complete_host, help="Only pages of this host."
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="Only this kind; may be given more than once.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=SHOWN,
    show_default=True,
    help="Show at most this many pages.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_options
def problems(
    host: str | None, kinds: tuple[str, ...], limit: int, as_json: bool, data: DataFolder
) -> None:
    """List pages with problems, the latest first, each with its reason.

    These pages failed for good, were refused by robots.txt or by a rule of the crawl, will
    be tried again, or contain errors.
    """
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import Problems

    require_crawl(data)
    question = Problems(host=host, kinds=kinds, limit=limit)

    async def asking(owner: Answering) -> Record:
        return await ask(owner, question)

    pages = ask_folder("problems", data, asking)["pages"]
    if as_json:
        emit(json.dumps(pages, indent=2))
    elif pages:
        emit(table([HEAD, *(row for page in pages for row in _rows(page))], wraps=True))
        if len(pages) == limit:
            click.echo(f"These are the latest {counted(limit, 'page')}; --limit N.", err=True)
    else:
        of = "" if host is None else f" of {plain(host)}"
        click.echo(f"No page{of} in {data.path} has such problems.", err=True)


def _rows(page: Record) -> Iterator[tuple[str, str, str]]:
    reasons = [plain(page["why"])] if page["why"] else []
    reasons += [_told(problem) for problem in page["problems"][:TOLD]]
    more = page["problem_count"] - TOLD
    if page["problem_count"] and not page["problems"]:  # of a page that another node has
        told = counted(page["problem_count"], "problem")
        reasons.append(f"{told}, which this folder's graph does not have")
    elif more > 0:
        reasons.append(f"and {counted(more, 'problem')} more")
    outcome, url = page["kind"], plain(page["url"])
    for reason in reasons or [""]:
        yield outcome, url, reason
        outcome = url = ""


def _told(problem: Record) -> str:
    line = f", line {problem['line']}" if problem["line"] else ""
    return f"{problem['syntax'] or 'page'}{line}: {plain(problem['message'])}"
