"""What the shell completes from what is there: keys, hosts, types of entities, folders.

People wait while it works, so it reads a little, for a moment, and changes nothing. Whatever goes wrong,
nothing is offered.
"""

import re
import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Final

import click
from click.shell_completion import CompletionItem

from gossamer.cli.options import FOLDER, usual_folder
from gossamer.folder.data import DataFolder

MOST: Final = 50  # that are offered
SECONDS: Final = 0.4  # for looking
STEPS: Final = 10_000  # of SQLite, between two looks at the clock
FETCH: Final = "#fetch>"  # graphs of what is our own to say
_NAME: Final = re.compile(r"[\w.-]+\Z")  # what needs no quoting
# Where the folder tells nothing: what pages have most.
USUAL_TYPES: Final = (
    *("Article", "BlogPosting", "Book", "BreadcrumbList", "Course", "Dataset", "Event", "FAQPage"),
    *("ImageObject", "JobPosting", "LocalBusiness", "Movie", "MusicAlbum", "NewsArticle", "Offer"),
    *("Organization", "Person", "Place", "Product", "Recipe", "Review", "SoftwareApplication"),
    *("VideoObject", "WebPage", "WebSite"),
)

Offered = list[CompletionItem]
Completing = Callable[[click.Context, click.Parameter, str], Offered]


def _never_failing(found: Completing) -> Completing:
    """Offer nothing where it cannot be had: a traceback in the middle of a command line helps nobody."""

    @wraps(found)
    def offering(ctx: click.Context, param: click.Parameter, incomplete: str) -> Offered:
        try:
            return found(ctx, param, incomplete)
        except Exception:
            return []

    return offering


@_never_failing
def folders(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Offered:
    """Folders, by the shell itself."""
    return [CompletionItem(incomplete, type="dir")]


@_never_failing
def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Offered:
    """Files, by the shell itself."""
    return [CompletionItem(incomplete, type="file")]


@_never_failing
def keys(_ctx: click.Context, param: click.Parameter, incomplete: str) -> Offered:
    """Keys of the configuration; with a `=` behind it where a value is to follow."""
    from gossamer.settings import sources

    metavar = param.metavar or ""
    end = "=" if "=" in metavar else ""
    named = [key for key in sources.keys().values() if key.name.startswith(incomplete)]
    return [CompletionItem(f"{key.name}{end}", help=key.doc) for key in named]


@_never_failing
def hosts(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Offered:
    """Hosts that the frontier of the folder knows."""
    import sqlite3

    file = _folder(ctx).frontier_file
    if not file.exists():
        return []
    deadline = time.monotonic() + SECONDS
    found = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=SECONDS)
    try:
        found.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        rows = found.execute(
            "SELECT host FROM hosts WHERE host >= ? AND host < ? ORDER BY host LIMIT ?",
            (incomplete, f"{incomplete}\U0010ffff", MOST),
        ).fetchall()
    finally:
        found.close()
    return [CompletionItem(host) for (host,) in rows if _NAME.match(host)]


@_never_failing
def types(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Offered:
    """Types of entities that the folder holds, else those that pages have most."""
    names = sorted({*_types(_folder(ctx))} or USUAL_TYPES)
    begun = incomplete.casefold()
    return [CompletionItem(name) for name in names if name.casefold().startswith(begun)][:MOST]


def _folder(ctx: click.Context) -> DataFolder:
    found: DataFolder | None = ctx.meta.get(FOLDER)
    return found or usual_folder()


def _types(data: DataFolder) -> Iterator[str]:
    """Names of types in the graph, as far as a moment goes; none while a process owns the folder."""
    if not data.graph_folder.exists() or data.socket_file.exists():
        return
    import pyoxigraph as ox

    deadline = time.monotonic() + SECONDS
    store = ox.Store.read_only(str(data.graph_folder / "quads"))
    a = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    for quad in store.quads_for_pattern(None, a, None, None):
        if isinstance(quad.object, ox.NamedNode) and not str(quad.graph_name).endswith(FETCH):
            name = re.split(r"[/#:]", quad.object.value)[-1]
            if _NAME.match(name):
                yield name
        if time.monotonic() > deadline:
            return
