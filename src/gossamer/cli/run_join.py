"""What `gossamer join` does: find the crawl's database, see that nothing is in the way, become a node, crawl."""

import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import click

from gossamer.cli.folder import FRONTIER
from gossamer.cli.options import GIVEN, UNTYPED, effective_settings
from gossamer.cli.run_crawl import run_crawl
from gossamer.config import Frontier
from gossamer.errors import ConfigError, InputError
from gossamer.folder.data import DataFolder
from gossamer.settings.node import invitation_digest, keep_node, known_node, node_of, open_folder

NO_ADDRESS: Final = (
    "Name the database of the crawl to join: as GOSSAMER_FRONTIER_ADDRESS in the environment, @FILE, or - "
    "for standard input. `gossamer nodes invite` on a node of that crawl makes an address for you."
)
OWNER_PATIENCE: Final = timedelta(seconds=3)


def run_join(
    word: str | None,
    *,
    serve: str | None,
    proxy: str | None,
    as_service: bool,
    as_json: bool,
    data: DataFolder,
) -> int:
    """Join the crawl in a database, or go on as its node; the exit status."""
    address = _address(word, data)
    address = _become_node(data, address)
    if word is not None:
        meta = click.get_current_context().meta
        meta.setdefault(GIVEN, {})[FRONTIER] = address
    return run_crawl(
        (),
        again=False,
        older_than=None,
        serve=serve,
        proxy=proxy,
        as_service=as_service,
        outputs=(),
        as_json=as_json,
        data=data,
    )


def _address(word: str | None, data: DataFolder) -> str:
    """The address as it was given, from wherever that is."""
    if word is None:
        found = effective_settings(data).config.frontier.address or known_node(data).address
        if found is None:
            raise click.UsageError(NO_ADDRESS)
        return found
    if word == "-":
        text, where = sys.stdin.read(), "Standard input"
    elif word.startswith("@"):
        text, where = _text_of(Path(word[1:])), word[1:]
    else:
        return word
    click.get_current_context().meta[UNTYPED] = frozenset({FRONTIER})
    lines = [line for line in map(str.strip, text.splitlines()) if line and line[0] != "#"]
    if len(lines) != 1:
        raise InputError(f"{where} is to hold one line, the address of the crawl's database.")
    return lines[0]


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"{file} cannot be read: {why}.") from None


def _become_node(data: DataFolder, given: str) -> str:
    """See that we can join, and use an invitation up; the address that is this node's own."""
    # Imported when somebody joins: a crawl of one node needs no PostgreSQL.
    from gossamer.nodes.invitations import is_invitation
    from gossamer.nodes.joining import ask_database, clock_warning, objection

    known = known_node(data)
    own = known.address_for(given) or given
    try:
        found = ask_database(own)
    except ConfigError:
        if own == given:
            raise
        own, found = (
            given,
            ask_database(given),
        )  # we were killed before the server knew our password
    if (why := objection(found)) is not None:
        raise why
    if (warning := clock_warning(found)) is not None:
        click.echo(warning, err=True)
    if own == given != known.address and is_invitation(given):
        own = _take_up(data, given)
    click.echo(f"Joining the crawl in {found.where}, with the data folder {data.path}.", err=True)
    return own


def _take_up(data: DataFolder, token: str) -> str:
    """Use an invitation up; the folder remembers the address that it becomes."""
    from gossamer.nodes.invitations import take_up, with_new_password

    own = with_new_password(token)
    with data.owned(OWNER_PATIENCE):
        if data.node_file.exists():  # what we were before was refused, or is another user
            keep_node(data, replace(node_of(data), invitation=None))
        with open_folder(data, Frontier(address=token), joining=True) as place:
            # Before the server knows it: a password that is lost would be lost for good.
            node = replace(place.node, address=own, invitation=invitation_digest(token))
            keep_node(data, node)
            if not take_up(token, own, node.name):
                keep_node(data, replace(node, address=token, invitation=None))
                return token
    return own
