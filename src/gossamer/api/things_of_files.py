"""The things of some types in files, folders and WARC files, as a graph of them would have them."""

from collections.abc import Iterator, Sequence

import pyoxigraph as ox

from gossamer.errors import InputError
from gossamer.index.entities.type_rows import type_lines
from gossamer.index.graph.blanks import Blanks, ReservedError
from gossamer.index.graph.names import page_name
from gossamer.model import Url
from gossamer.reading.pages import pages


def things_of_files(
    files: Sequence[str], types: Sequence[str], hosts: Sequence[str]
) -> Iterator[str]:
    """A line of JSON for each thing; the pages are read in confined processes, and held in memory."""
    store = ox.Store()
    try:
        for page in pages(*files, isolated=True):
            store.extend(_kept(page.quads, Blanks(page_name(Url(page.url)))))
    except (FileNotFoundError, ValueError) as error:
        raise InputError(f"{error}.") from None
    yield from type_lines(store, types, [host.strip().lower() for host in hosts])


def _kept(quads: Iterator[ox.Quad], blanks: Blanks) -> Iterator[ox.Quad]:
    for quad in quads:
        try:
            yield blanks.quad(quad)
        except ReservedError:  # it names what is ours to name
            continue
