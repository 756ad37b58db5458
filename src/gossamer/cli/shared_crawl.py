"""Commands on the crawl that many nodes share: which database it is, and the nodes in it by their names."""

import difflib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta

import click

from gossamer.cli.folder import exposed_secrets, require_crawl
from gossamer.cli.options import GIVEN, effective_settings
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.frontier.store import Store
from gossamer.settings.crawl_options import CrawlOptions, keep_options, stored_graph
from gossamer.settings.node import known_node, open_folder, open_store


def shared_address(data: DataFolder) -> str:
    """The address of the database that the nodes share, as the command or the folder names it."""
    known, given = known_node(data), effective_settings(data).config.frontier.address
    address = known.address_for(given) or known.address
    if address is None:
        raise ConfigError(
            f"The crawl of {data.path} is not one of many nodes. Name a node's folder with --data, or the "
            "database of the crawl with --frontier."
        )
    for sentence in exposed_secrets(click.get_current_context().meta.get(GIVEN, {})):
        click.echo(sentence, err=True)
    return address


@contextmanager
def shared_store(data: DataFolder) -> Iterator[Store]:
    """The database that the nodes share, open; no folder is made or owned for it."""
    store, _ = open_store(data.frontier_file, shared_address(data))
    with closing(store):
        yield store


def attach(data: DataFolder) -> None:
    """Have a folder that is to serve belong to the crawl in the database that the command names."""
    given = effective_settings(data).config.frontier
    if given.address is None or known_node(data).address is not None:
        return
    for sentence in exposed_secrets(click.get_current_context().meta.get(GIVEN, {})):
        click.echo(sentence, err=True)
    with data.owned(timedelta(0)), open_folder(data, given, joining=True) as place:
        if not (graph := stored_graph(place)):
            raise ConfigError(
                f"There is no crawl in {place.where} yet. Begin one with `gossamer crawl`, or name another "
                "database with --frontier."
            )
        keep_options(place, CrawlOptions(graph))


@contextmanager
def crawl_store(data: DataFolder) -> Iterator[Store]:
    """The database of a crawl of one node or of many, open; its owner is not asked, who may be stuck."""
    if known_node(data).address is None and (
        data.frontier_file.exists() or effective_settings(data).config.frontier.address is None
    ):
        require_crawl(data)
        store, _ = open_store(data.frontier_file, None)
        with closing(store):
            yield store
    else:
        with shared_store(data) as store:
            yield store


def find_node(word: str, names: Sequence[str]) -> str:
    """The node that is meant by a name or by its beginning; a usage error says which there are."""
    found = [name for name in names if name == word] or [
        name for name in names if name.startswith(word)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise click.UsageError(f"{word} may be {' or '.join(found)}: name one of them.")
    raise click.UsageError(f"No node of this crawl is called {word}.{nearest(word, names)}")


def nearest(word: str, names: Sequence[str]) -> str:
    """What else may have been meant, as a sentence to follow another."""
    near = difflib.get_close_matches(word, names, n=1) or [name for name in names if word in name]
    return f" Did you mean {near[0]}?" if near else f" There are: {', '.join(names) or 'none'}."
