"""`gossamer search`: things and pages by words."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from gossamer.cli.options import complete_host, complete_type, data_options
from gossamer.cli.terminal import emit, emit_styled
from gossamer.cli.text import counted, cut, example, plain, terminal_width
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.index.words.asked import Search, Within
    from gossamer.owner.messages import Answering, Record

LIMIT: Final = 10
BOLD, FAINT, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
USUAL_WIDTH: Final = 100
FACETS_SHOWN: Final = 5
OWN_SCHEMES: Final = ("http:", "https:")


class _WordsCommand(click.Command):
    """A command whose words may begin with a dash (`-hotel`), and whose `-h` is help all the same."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = args[: args.index("--")] if "--" in args else args
        return super().parse_args(ctx, ["--help"] if "-h" in words else args)


@click.command(
    cls=_WordsCommand,
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog=example(
        "gossamer search ada lovelace",
        "gossamer search ada --type Person --host example.org",
        "gossamer search '\"first programme\"' babb* lovlace~ -hotel",
        "gossamer search london --type Place --not-type Hotel",
        "gossamer search --in text 'spring tide'",
        "gossamer search --type Event --since 2024-05 --json",
    ),
)
@click.argument("words", metavar="WORDS...", nargs=-1)
@click.option(
    "--type",
    "types",
    metavar="TYPE",
    multiple=True,
    shell_complete=complete_type,
    help="Only entities of this type or a subclass: Event, schema:Event, an IRI, or schema: "
    "for a whole vocabulary. May be repeated.",
)
@click.option(
    "--not-type",
    "not_types",
    metavar="TYPE",
    multiple=True,
    shell_complete=complete_type,
    help="No entities of this type.",
)
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    shell_complete=complete_host,
    help="Only entities described by this host.",
)
@click.option(
    "--property",
    "properties",
    metavar="PROPERTY",
    multiple=True,
    help="Only entities with this property: birthDate, schema:birthDate, or an IRI.",
)
@click.option(
    "--lang",
    "languages",
    metavar="TAG",
    multiple=True,
    help="Only text in this language: en, pt-BR.",
)
@click.option("--since", metavar="DATE", help="Only entities with a date from then on: 2024-05-17.")
@click.option("--until", metavar="DATE", help="Only entities with a date until then.")
@click.option(
    "--in",
    "within",
    type=click.Choice(["title", "text", "data"]),
    multiple=True,
    help="Only words in names and titles, in the visible text of pages, or in data. May be repeated.",
)
@click.option("--pages", "form", flag_value="page", help="Only pages.")
@click.option("--entities", "form", flag_value="thing", help="Only entities that are not pages.")
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=LIMIT, show_default=True, help="Most results."
)
@click.option("--skip", type=click.IntRange(0, 10_000), default=0, help="Skip this many results.")
@click.option(
    "--all", "unfolded", is_flag=True, help="Show entities that look the same one by one."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def search(
    words: tuple[str, ...],
    types: tuple[str, ...],
    not_types: tuple[str, ...],
    hosts: tuple[str, ...],
    properties: tuple[str, ...],
    languages: tuple[str, ...],
    since: str | None,
    until: str | None,
    within: tuple[Within, ...],
    form: Literal["page", "thing"] | None,
    limit: int,
    skip: int,
    unfolded: bool,
    as_json: bool,
    data: DataFolder,
) -> None:
    """Find entities and pages by name and text, while the crawl runs or afterwards.

    Results have all words. Use "a phrase", begin*, nearly~ (one letter different) and -not.
    Entities that are described and linked better come first.
    """
    from gossamer.cli.folder import ask_folder, require_crawl
    from gossamer.index.words.asked import Search

    _no_options_among(words)
    require_crawl(data)
    asked = Search(
        text=" ".join(words),
        types=types,
        not_types=not_types,
        hosts=hosts,
        properties=properties,
        languages=languages,
        since=since,
        until=until,
        within=within,
        form=form,
        fold=not unfolded,
        limit=limit,
        skip=skip,
    )
    if as_json:
        found = ask_folder("search", data, lambda owner: _search(owner, asked))
        emit(json.dumps(found, ensure_ascii=False))
        return
    found, hint = ask_folder("search", data, lambda owner: _answered_with_hint(owner, asked))
    styled = sys.stdout.isatty()
    width = terminal_width() or USUAL_WIDTH
    for result in found["results"]:
        emit_styled("\n".join(result_lines(result, width, styled=styled)) + "\n")
    click.echo("\n".join([*summary_lines(found, skip), *hint]), err=True)


async def _search(owner: Answering, asked: Search) -> Record:
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import SearchWords

    return await ask(owner, SearchWords(asked))


async def _answered_with_hint(owner: Answering, asked: Search) -> tuple[Record, list[str]]:
    """The answer, and where nothing has all words, a line about another spelling that something has."""
    from gossamer.index.words.asked import nearly

    found = await _search(owner, asked)
    guess = nearly(asked.text) if found["relaxed"] or not found["total"] else None
    if guess is None:
        return found, []
    near = await _search(owner, replace(asked, text=guess, limit=1, skip=0))
    if near["relaxed"] or not near["total"]:
        return found, []
    return found, [f"With another letter there is something: {plain(guess)} has {_results(near)}."]


def _no_options_among(words: Sequence[str]) -> None:
    """`-word` is a word that is not wanted; `--word` is an option that we do not have."""
    for word in words:
        if word.startswith("--"):
            raise click.NoSuchOption(word)


def result_lines(result: Mapping[str, Any], width: int, *, styled: bool) -> Iterator[str]:
    """One result, as people read it: what it is called, what it is, where it stands, why."""
    from gossamer.index.entities import short_name

    kinds = ", ".join(dict.fromkeys(short_name(iri) or iri for iri in result["types"]))
    label = marked(result["label"], result["label_marks"], styled=styled)
    yield f"{label}  {_faint(plain(kinds), styled)}".rstrip()
    if snippet := result["snippet"]:
        yield f"  {marked(snippet['text'], snippet['marks'], styled=styled)}"
    yield _faint(f"  {cut(plain(_whereabouts(result)), width - 2)}", styled)


def marked(text: str, marks: Sequence[Sequence[int]], *, styled: bool) -> str:
    """The text with what was sought in it in bold, or between stars where there is no bold."""
    before, after = (BOLD, PLAIN) if styled else ("*", "*")
    pieces, at = [], 0
    for start, end in marks:
        pieces += [plain(text[at:start]), before, plain(text[start:end]), after]
        at = end
    return "".join([*pieces, plain(text[at:])])


def _whereabouts(result: Mapping[str, Any]) -> str:
    sources = counted(result["page_count"], "page")
    if result["host_count"] > 1:
        sources += f" of {result['host_count']:,} hosts"
    if others := result["alike"]:
        sources += f"  and {counted(others, 'other')} like it"
    if result.get("is_part"):
        sources += "  only its first part was read"
    first = result["pages"][0] if result["pages"] else ""
    name = result["id"] if result["id"].startswith(OWN_SCHEMES) else first
    return f"{name}  {sources}"


def summary_lines(found: Record, skip: int) -> Iterator[str]:
    """What there is besides what is shown."""
    if found.get("behind"):
        yield found["behind"]
    if found.get("covers"):
        yield found["covers"]
    if not found["documents"]:
        yield "There are no words yet: nothing that was crawled so far has a name or a text."
        return
    if found["relaxed"]:
        yield "Nothing has all of these words; these have some."
    yield f"{_results(found)}{_shown(found, skip)}, in {found['seconds']:.3f} s"
    for unknown in found["unknown_types"]:
        near = unknown["near"]
        meant = f" Did you mean {plain(near)} ({unknown['count']:,})?" if near else ""
        yield f"Nothing that was crawled is of type {plain(unknown['type'])}.{meant}"
    for name, counts in found["facets"].items():
        if len(counts) > 1:
            first = list(counts.items())[:FACETS_SHOWN]
            told = ", ".join(f"{plain(value)} {count:,}" for value, count in first)
            yield f"{name}: {told}{', …' if len(counts) > FACETS_SHOWN else ''}"


def _shown(found: Record, skip: int) -> str:
    """Which of the results are shown, where these are not all."""
    shown = len(found["results"])
    alike = sum(each["alike"] for each in found["results"])
    if shown + alike == found["total"]:
        return f", {shown:,} shown: {alike:,} look the same (--all)" if alike else ""
    if not shown:
        return f", of which --skip {skip} leaves none"
    told = f", {skip + 1:,} to {skip + shown:,} shown"
    return f"{told}, {alike:,} more look the same (--all)" if alike else told


def _results(found: Record) -> str:
    return counted(found["total"], "result")


def _faint(text: str, styled: bool) -> str:
    return f"{FAINT}{text}{PLAIN}" if styled and text.strip() else text
