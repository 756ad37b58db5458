"""`gossamer extract`: any of our formats to quads."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
import pyoxigraph
from pyoxigraph import RdfFormat

from gossamer.cli.asking import ask
from gossamer.cli.options import fetch_options, only_option, settled
from gossamer.cli.progress import Progress
from gossamer.cli.text import ReaderGoneError, example, plain
from gossamer.config import Config
from gossamer.config import Transform as Options
from gossamer.data import DataFolder
from gossamer.errors import ConfigError
from gossamer.extraction import Extracted, PageJob, extract_page
from gossamer.inputs import STANDARD_INPUT, WARC_SUFFIXES, Input, read_inputs
from gossamer.page_pool import extract_pages
from gossamer.urls.canonical import scheme_in
from gossamer.visit import visit

FORMATS: Final = {
    "nquads": RdfFormat.N_QUADS,
    "trig": RdfFormat.TRIG,
    "jsonld": RdfFormat.JSON_LD,
    "ntriples": RdfFormat.N_TRIPLES,
    "turtle": RdfFormat.TURTLE,
    "rdfxml": RdfFormat.RDF_XML,
    "n3": RdfFormat.N3,
}
# The vocabularies that pages use most; a stream cannot wait to see which ones it will need.
PREFIXES: Final = {
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "og": "http://ogp.me/ns#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "http://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@click.command(
    short_help="Pages, feeds, RDF files, folders and WARC files to quads.",
    epilog=example(
        "gossamer extract page.html",
        "gossamer extract page.html --url https://example.org/ --only rdfa,jsonld --to turtle",
        "gossamer extract https://example.org/ --agent-contact you@example.org",
        "gossamer extract crawl.warc.gz > crawl.nq",
        "curl -s https://example.org/ | gossamer extract - --url https://example.org/",
    ),
)
@click.argument("names", metavar="FILE|FOLDER|URL|WARC|-...", nargs=-1, required=True)
@click.option(
    "--url", metavar="BASE", help="The address of the page: names its graph, joins its links."
)
@click.option("--type", "media_type", metavar="MEDIA", help="Its Content-Type, where it has none.")
@click.option("--to", "to", type=click.Choice(list(FORMATS)), default="nquads", show_default=True)
@only_option
@click.option("--links", is_flag=True, help="Every link with its label, as statements.")
@click.option(
    "--keep-graphs", is_flag=True, help="Leave graphs under the names a document gives them."
)
@click.option(
    "--start", type=click.IntRange(min=0), default=0, help="Begin at this byte of a WARC file."
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes at work [default: one a core]."
)
@fetch_options
def extract(
    names: tuple[str, ...],
    url: str | None,
    media_type: str | None,
    to: str,
    links: bool,
    keep_graphs: bool,
    start: int,
    workers: int | None,
    data: DataFolder,
) -> int:
    """Turn pages into quads: HTML, feeds, RDF files, whole folders and WARC files.

    What is wrong with a page is said on stderr, with page, line and syntax; what is good of
    it is written all the same. Only a URL is fetched, politely, and uses the data folder.
    """
    config = settled(data).config
    chosen = replace(
        config.transform,
        links=links or config.transform.links,
        keep_graphs=keep_graphs or config.transform.keep_graphs,
    )
    if url is not None and scheme_in(url) is None:
        raise ConfigError(
            f"--url {url!r} is no address; write it in full, as in https://example.org/."
        )
    pages = _inputs(names, url, media_type, start, data, config)
    run = _Run(Progress())
    try:
        _write(run.seen(_results(pages, chosen, workers, names)), FORMATS[to])
    except BrokenPipeError:
        raise ReaderGoneError from None
    except KeyboardInterrupt:
        run.say_how_to_go_on()
        raise
    run.say_what_was_done()
    return 0


def _inputs(
    names: tuple[str, ...],
    url: str | None,
    media_type: str | None,
    start: int,
    data: DataFolder,
    config: Config,
) -> Iterator[Input]:
    for name in names:
        if name.startswith(("http://", "https://")):
            yield _fetched(name, data, config)
        else:
            only_one = url if len(names) == 1 else None
            yield from read_inputs([name], url=only_one, media_type=media_type, start=start)


def _fetched(name: str, data: DataFolder, config: Config) -> Input:
    return ask("extract", data, config, lambda client: visit(client, name))


def _results(
    pages: Iterator[Input], options: Options, workers: int | None, names: tuple[str, ...]
) -> Iterator[tuple[Input, Extracted]]:
    """Each page and what it says; processes are started only where there may be many."""
    if len(names) == 1 and not _may_be_many(names[0]):
        for page in pages:
            yield page, extract_page(_job(page, options))
        return
    waiting: deque[Input] = deque()

    def jobs() -> Iterator[PageJob]:
        for page in pages:
            waiting.append(replace(page, body=b""))  # the job has it
            yield _job(page, options)

    for _, extracted in extract_pages(jobs(), options, workers=workers):
        yield waiting.popleft(), extracted


def _may_be_many(name: str) -> bool:
    return name != STANDARD_INPUT and (name.endswith(WARC_SUFFIXES) or Path(name).is_dir())


def _job(page: Input, options: Options) -> PageJob:
    return PageJob(
        page.url,
        page.body,
        page.content_type,
        page.content_encoding,
        options=options,
        find_links=False,
    )


def _write(results: Iterable[Extracted], format_: RdfFormat) -> None:
    output = sys.stdout.buffer
    if format_ == RdfFormat.N_QUADS:
        for extracted in results:
            output.write(extracted.nquads)
    else:
        quads = (quad for extracted in results for quad in extracted.quads)
        if format_.supports_datasets:
            pyoxigraph.serialize(quads, output, format=format_, prefixes=PREFIXES)
        else:
            triples = (quad.triple for quad in quads)
            pyoxigraph.serialize(triples, output, format=format_, prefixes=PREFIXES)
    output.flush()


@dataclass(slots=True)
class _Run:
    """What has been done so far, told on stderr."""

    progress: Progress
    pages: int = 0
    quads: int = 0
    problems: int = 0
    last: Input | None = None

    def seen(self, results: Iterable[tuple[Input, Extracted]]) -> Iterator[Extracted]:
        """Hand results on, and keep count."""
        for page, extracted in results:
            self.last = page
            for problem in extracted.problems:
                where = f"{page.name}:{problem.line}" if problem.line else page.name
                syntax = f"{problem.syntax}: " if problem.syntax else ""
                self._say(f"{plain(where)}: {syntax}{plain(problem.message)}")
            yield extracted
            self.pages += 1
            self.quads += extracted.count
            self.problems += len(extracted.problems)
            through = "" if page.through is None else f"{page.through:4.0%}  "
            self.progress.show(f"{through}{self.pages:,} pages, {self.quads:,} quads")

    def say_what_was_done(self) -> None:
        self._say(
            f"{_many(self.pages, 'page')}, {_many(self.quads, 'quad')}, "
            f"{_many(self.problems, 'problem')}"
        )

    def say_how_to_go_on(self) -> None:
        if self.last is not None and self.last.offset is not None:
            self._say(f"Stopped after {self.pages:,} pages. Go on with --start {self.last.offset}")

    def _say(self, text: str) -> None:
        self.progress.clear()
        click.echo(text, err=True)


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" + ("" if count == 1 else "s")
