"""`gossamer problems`: pages that did not go well, and why."""

import json
from collections.abc import Iterator
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.text import counted, emit, example, plain, table, terminal_width
from gossamer.data import DataFolder
from gossamer.frontier.protocol import Trouble
from gossamer.owner.messages import Answering, Question, Record, record_of

SHOWN: Final = 50  # pages, unless more are asked for
TOLD: Final = 3  # problems of one page in the table
HEAD: Final = ("OUTCOME", "PAGE", "WHY")


@click.command(
    short_help="Pages that failed, were refused or have something wrong in them.",
    epilog=example(
        "gossamer problems",
        "gossamer problems --kind failed --limit 500",
        "gossamer problems --host www.example.org --json",
    ),
)
@click.option("--host", metavar="HOST", help="Only pages of this host.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([kind.value for kind in Trouble]),
    multiple=True,
    help="Only this kind; may be given more than once.",
)
@click.option("--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@data_options
def problems(
    host: str | None, kinds: tuple[str, ...], limit: int, as_json: bool, data: DataFolder
) -> None:
    """Show pages that did not go well, the latest first, each with its reason.

    Failed for good, refused by robots.txt or by us, to be tried again, or had and read with
    something wrong in them.
    """
    there_is_a_crawl(data)
    question = Question(what="problems", host=host, kinds=kinds, limit=limit)

    async def asking(owner: Answering) -> Record:
        return await record_of(owner.answer(question))

    pages = ask_folder("problems", data, asking)["pages"]
    if as_json:
        emit(json.dumps(pages, indent=2))
    elif pages:
        glance = terminal_width() is not None
        emit(table([HEAD, *(row for page in pages for row in _rows(page))], glance=glance))
        if len(pages) == limit:
            click.echo(f"These are the latest {counted(limit, 'page')}; --limit N.", err=True)
    else:
        of = "" if host is None else f" of {plain(host)}"
        click.echo(f"No page{of} in {data.path} has such problems.", err=True)


def _rows(page: Record) -> Iterator[tuple[str, str, str]]:
    reasons = [plain(page["why"])] if page["why"] else []
    reasons += [_told(problem) for problem in page["problems"][:TOLD]]
    more = page["problem_count"] - TOLD
    if more > 0:
        reasons.append(f"and {counted(more, 'problem')} more")
    outcome, url = page["kind"], plain(page["url"])
    for reason in reasons or [""]:
        yield outcome, url, reason
        outcome = url = ""


def _told(problem: Record) -> str:
    line = f", line {problem['line']}" if problem["line"] else ""
    return f"{problem['syntax'] or 'page'}{line}: {plain(problem['message'])}"
