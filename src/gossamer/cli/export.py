"""`gossamer export`: everything that was crawled, as a file or a stream."""

import os
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.packing import packing, unpacked_name
from gossamer.cli.progress import Progress
from gossamer.cli.text import counted, emit_bytes, example, plain, size
from gossamer.data import DataFolder
from gossamer.errors import ConfigError, InputError
from gossamer.index.asking import ENTITIES, RDF
from gossamer.index.names import page_name
from gossamer.model import Refusal
from gossamer.owner.messages import Answering, Question, Record
from gossamer.urls import seed

ENDINGS: Final = {
    ".nq": "nquads",
    ".nquads": "nquads",
    ".trig": "trig",
    ".nt": "ntriples",
    ".ttl": "turtle",
    ".rdf": "rdfxml",
    ".jsonld": "jsonld",
    ".n3": "n3",
    ".jsonl": ENTITIES,
}
Write = Callable[[bytes], object]


@click.command(
    short_help="Everything that was crawled, in any RDF syntax, or its things as JSON lines.",
    epilog=example(
        "gossamer export > crawl.nq",
        "gossamer export -o crawl.trig.gz",
        "gossamer export -o crawl.nq.zst",
        "gossamer export --graph https://example.org/ --to turtle",
        "gossamer export --to entities -o things.jsonl.gz",
    ),
)
@click.option(
    "--to",
    type=click.Choice([*RDF, ENTITIES]),
    help="The syntax, or `entities` [default: by the name of the file, else nquads].",
)
@click.option("--graph", metavar="URL", help="Only what this page says.")
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file; one that ends in .gz or .zst is compressed.",
)
@data_options
def export(to: str | None, graph: str | None, file: Path | None, data: DataFolder) -> None:
    """Write all statements with their sources, while the crawl runs or afterwards.

    What is written is the graph as it was at one moment. N-Quads and TriG keep the page that
    says a statement; the other syntaxes keep the statements alone. With `--to entities` it is one
    JSON object a thing, gathered from all pages that speak of it: see docs/entities.md.
    """
    there_is_a_crawl(data)
    format_ = _format(to, file)
    if format_ == ENTITIES and graph is not None:
        raise ConfigError(
            "--graph is one page, and entities are of all pages: leave out one of them."
        )
    question = Question(what="export", formats=(format_,), graph=_graph(graph))
    with _output(file) as write:
        end = ask_folder("export", data, lambda owner: _written(owner, question, write))
        if graph is not None and not end["rows"]:
            raise InputError(f"No page of the crawl is {plain(graph)}, or it says nothing.")
    told = counted(end["rows"], "thing" if format_ == ENTITIES else "statement")
    click.echo(f"{told}." if file is None else f"{told}: {file}", err=True)


def _format(to: str | None, file: Path | None) -> str:
    if to is not None or file is None:
        return to or "nquads"
    ending = Path(unpacked_name(file)).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise ConfigError(f"{file} does not end in one of {known}; say the syntax with --to.")
    return ENDINGS[ending]


def _graph(text: str | None) -> str | None:
    """The graph that somebody means: a page by its URL, or any graph by its name."""
    if text is None or "#" in text:
        return text
    url = seed(text)
    if isinstance(url, Refusal):
        raise ConfigError(f"--graph {text}: {url.why}")
    return page_name(url)


async def _written(owner: Answering, question: Question, write: Write) -> Record:
    answer, progress, count = owner.answer(question), Progress(), 0
    async with aclosing(answer.__aiter__()) as parts:
        await anext(parts)  # the name of the format
        async for part in parts:
            write(part)
            count += len(part)
            progress.show(f"{size(count)} written")
    progress.clear()
    return answer.end


@contextmanager
def _output(file: Path | None) -> Iterator[Write]:
    """Where it goes. A file appears when it is whole, and not at all otherwise."""
    if file is None:
        yield emit_bytes
        return
    draft = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with packing(draft, file) as output:
            yield output.write
        draft.replace(file)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        draft.unlink(missing_ok=True)
