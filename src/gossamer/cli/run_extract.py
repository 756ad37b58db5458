"""What `gossamer extract` does: inputs are read by workers, and their quads written in order."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click
import pyoxigraph
from pyoxigraph import Literal, Quad, RdfFormat

from gossamer.cli.errors import DONE, FAILED
from gossamer.cli.options import effective_settings
from gossamer.cli.page_inputs import check_base, named_inputs, read_pages
from gossamer.cli.terminal import ProgressLine, ReaderGoneError
from gossamer.cli.text import counted, plain
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.index.graph.query import RDF
from gossamer.model import Problem
from gossamer.reading.inputs import Input
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.transform.jsonld.compact import compact_graphs, is_writable
from gossamer.urls.canonical import scheme_in

# What a property has to end in. Looked at from the first of its characters alone: IRIs may be long.
XML_NAME: Final = re.compile(r"(?<![\w.-])(?:(?![A-Za-z_])[\w.-])*+[A-Za-z_][\w.-]*+$")
NOT_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
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

# In JSON-LD, names of schema.org need no prefix.
NAMES: Final = {"@vocab" if name == "schema" else name: iri for name, iri in PREFIXES.items()}


def run_extract(
    names: tuple[str, ...],
    *,
    url: str | None,
    media_type: str | None,
    to: str,
    page_statements: bool,
    links: bool,
    keep_graphs: bool,
    given: tuple[str, ...],
    start: int,
    workers: int | None,
    data: DataFolder,
) -> int:
    """Write what these inputs say; the exit status."""
    config = effective_settings(data).config
    chosen = replace(
        config.transform,
        links=links or config.transform.links,
        keep_graphs=keep_graphs or config.transform.keep_graphs,
    )
    check_base(url, names)
    if len(names) > 1 and start:
        raise ConfigError("--start is for one file at a time.")
    contexts = given_contexts(given)
    pages = (
        page
        for name in names
        for page in named_inputs(
            "extract", name, data, config, url=url, media_type=media_type, start=start
        )
    )
    run = _Run(ProgressLine())
    try:
        wants_items = to not in RDF
        wanted = PageJob(
            "",
            b"",
            contexts=contexts,
            find_links=False,
            find_items=wants_items,
            page_statements=page_statements,
        )
        results = run.seen(read_pages(pages, wanted, chosen, workers))
        if wants_items:
            _write_items(results, uniform=to == "uniform-items")
        else:
            _write(results, RDF[to], run)
    except BrokenPipeError:
        raise ReaderGoneError from None
    except KeyboardInterrupt:
        run.say_how_to_go_on()
        raise
    run.say_what_was_done()
    return FAILED if run.failed else DONE


def given_contexts(given: Iterable[str]) -> dict[str, bytes]:
    """The contexts and vocabularies that `--context` names, by address."""
    return dict(map(_context, given))


def _context(text: str) -> tuple[str, bytes]:
    address, equals, name = text.rpartition("=")
    if not equals or scheme_in(address) is None:
        raise ConfigError(
            f"--context {text!r}: write ADDRESS=FILE, as in https://example.org/c=c.jsonld."
        )
    try:
        return address, Path(name).read_bytes()
    except OSError as error:
        raise ConfigError(f"--context {text!r}: {name} cannot be read: {error.strerror}.") from None


def _write(results: Iterable[Extracted], format_: RdfFormat, run: "_Run") -> None:
    output = sys.stdout.buffer
    if format_ == RdfFormat.N_QUADS:
        for extracted in results:
            output.write(extracted.nquads)
        output.flush()
        return
    if format_ == RdfFormat.JSON_LD:
        _write_json_ld(run.graphs(results))
        return
    quads: Iterator[Quad] = (quad for extracted in results for quad in extracted.quads)
    if format_ == RdfFormat.RDF_XML:
        quads = run.writable_as_xml(quads)
    if format_.supports_datasets:
        pyoxigraph.serialize(quads, output, format=format_, prefixes=PREFIXES)
    else:
        triples = (quad.triple for quad in quads)
        pyoxigraph.serialize(triples, output, format=format_, prefixes=PREFIXES)
    if format_ == RdfFormat.RDF_XML:
        output.write(b"\n")
    output.flush()


def _write_json_ld(graphs: Iterator[dict[str, Any]]) -> None:
    """Write one graph as an object, several as an array, each as soon as it is there."""
    first, second = next(graphs, {}), next(graphs, None)
    if second is None:
        sys.stdout.write(f"{_json(first)}\n")
    else:
        sys.stdout.write(f"[{_json(first)}")
        for graph in chain((second,), graphs):
            sys.stdout.write(f",\n{_json(graph)}")
        sys.stdout.write("]\n")
    sys.stdout.flush()


def _write_items(results: Iterable[Extracted], *, uniform: bool) -> None:
    """Write a page's address and items as an object; of several pages, each on a line of its own."""
    first = next(results := iter(results), None)
    second = next(results, None)
    if first is not None:
        text = _items(first, uniform=uniform)
        sys.stdout.write(
            f"{_json(text) if second is None else json.dumps(text, ensure_ascii=False)}\n"
        )
    for extracted in chain(() if second is None else (second,), results):
        sys.stdout.write(f"{json.dumps(_items(extracted, uniform=uniform), ensure_ascii=False)}\n")
    sys.stdout.flush()


def _items(extracted: Extracted, *, uniform: bool) -> dict[str, Any]:
    items = extracted.read_items()
    if uniform:
        from gossamer.transform.items.uniform import uniform_items

        items = uniform_items(items)
    return {"url": extracted.url, **items}


def _json(graph: dict[str, Any]) -> str:
    return json.dumps(graph, ensure_ascii=False, indent=2)


@dataclass(slots=True)
class _Run:
    """What has been done so far, told on stderr."""

    progress: ProgressLine
    pages: int = 0
    quads: int = 0
    problems: int = 0
    failed: bool = False  # something could not be read
    last: Input | None = None

    def seen(self, results: Iterable[tuple[Input, Extracted | None]]) -> Iterator[Extracted]:
        """Hand results on, tell their problems, and keep count."""
        for page, extracted in results:
            self.last = page
            if page.problem:
                self.failed = True
                self._tell(page.name, Problem(page.problem))
            if extracted is None:
                continue
            for problem in extracted.problems:
                self._tell(page.name, problem)
            yield extracted
            self.pages += 1
            self.quads += extracted.count
            through = "" if page.through is None else f"{page.through:4.0%}  "
            self.progress.show(f"{through}{self.pages:,} pages, {self.quads:,} quads")

    def graphs(self, results: Iterable[Extracted]) -> Iterator[dict[str, Any]]:
        """The graphs of pages as JSON-LD objects; what cannot be written so is a problem."""
        for extracted in results:
            yield from compact_graphs(self._writable_as_json_ld(extracted.quads), NAMES)

    def _writable_as_json_ld(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        for quad in quads:
            if is_writable(quad):
                yield quad
            else:
                why = "JSON-LD cannot write a statement about a statement (RDF 1.2); left out."
                self._tell(str(quad.graph_name), Problem(why))

    def writable_as_xml(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """The quads that RDF/XML has a way to write; the others are problems."""
        for quad in quads:
            literal = quad.object.value if isinstance(quad.object, Literal) else ""
            if not XML_NAME.search(quad.predicate.value):
                why = f"RDF/XML cannot write the property {quad.predicate.value}; left out."
                self._tell(str(quad.graph_name), Problem(why))
            elif NOT_XML.search(literal):
                why = f"RDF/XML cannot write a control character in a {quad.predicate.value}; left out."
                self._tell(str(quad.graph_name), Problem(why))
            else:
                yield quad

    def say_what_was_done(self) -> None:
        """The summary."""
        self._say(
            f"{counted(self.pages, 'page')}, {counted(self.quads, 'quad')}, "
            f"{counted(self.problems, 'problem')}"
        )

    def say_how_to_go_on(self) -> None:
        """Where an interrupted WARC file can be taken up."""
        if self.last is not None and self.last.offset is not None:
            start = f"{self.last.file} --start {self.last.offset}"
            self._say(f"Stopped after {self.pages:,} pages. Go on with: gossamer extract {start}")

    def _tell(self, name: str, problem: Problem) -> None:
        self.problems += 1
        where = f"{name}:{problem.line}" if problem.line else name
        syntax = f"{problem.syntax}: " if problem.syntax else ""
        self._say(f"{plain(where)}: {syntax}{plain(problem.message)}")

    def _say(self, text: str) -> None:
        self.progress.clear()
        click.echo(text, err=True)
