"""A data folder as a node of a crawl: its lasting name, where its frontier is, what it alone was told.

A crawl of one node keeps its frontier in the folder. Many nodes share one in a PostgreSQL database;
then the folder remembers which, in a file that only its owner may read, since the address may
hold a password.
"""

import hashlib
import json
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from gossamer import config
from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder
from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import LEASE, SqlFrontier
from gossamer.frontier.overview import seeds
from gossamer.frontier.protocol import Limits
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.store import Store
from gossamer.politeness.ranking import Ranking

FIRST_PATIENCE: Final = timedelta(seconds=3)  # with a server that may as well be misspelled
_OWN_FACT: Final = "key secret"  # which each frontier has another of


@dataclass(frozen=True, slots=True)
class Node:
    """What a data folder knows of itself."""

    name: str
    address: str | None = None  # of the frontier that it shares with others
    crawl: str | None = None  # which tells that frontier from all others
    options: Mapping[str, object] = field(default_factory=dict)  # for this node alone
    invitation: str | None = None  # the digest of the one that it took up

    def address_for(self, given: str | None) -> str | None:
        """The address to use for one that was given: an invitation that was taken up is our own by now."""
        is_ours = given is not None and self.invitation == invitation_digest(given)
        return self.address if is_ours else given


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A data folder and its frontier's store, open."""

    data: DataFolder
    node: Node
    address: str | None
    store: Store
    give_up: Callable[[], None]  # whoever waits for a server that is away does so no longer

    @property
    def is_shared(self) -> bool:
        """Whether other nodes have this frontier too."""
        return self.store.is_shared

    @property
    def where(self) -> str | None:
        """Which database it is, for people."""
        return None if self.address is None else where(self.address)

    def frontier(
        self, settings: config.Config, limits: Limits | None = None, lease_length: timedelta = LEASE
    ) -> SqlFrontier:
        """The frontier, as this node has it."""
        return SqlFrontier(
            self.store,
            self.node.name,
            settings.politeness,
            budget=settings.budget,
            limits=limits,
            ranking=Ranking.of(settings.crawl),
            lease_length=lease_length,
        )

    def take_over(self, frontier: SqlFrontier) -> None:
        """Void the leases of whoever owned this folder before us: its lock proves them dead.

        Where others share the frontier, theirs are none of our business.
        """
        frontier.take_over(self.node.name if self.is_shared else None)

    def join(self, options: Mapping[str, object]) -> None:
        """Remember in the folder that it belongs to this frontier, and what this node was told."""
        crawl = _mark(self.store)
        keep_node(self.data, replace(self.node, address=self.address, crawl=crawl, options=options))


@contextmanager
def open_folder(
    data: DataFolder,
    given: config.Frontier,
    *,
    joining: bool = False,
    patience: timedelta = FIRST_PATIENCE,
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[OpenFolder]:
    """The store of a folder that the caller owns, or asks about, while this lasts.

    Who is `joining` may be the first to say that the folder's frontier is in a database.
    """
    data.make()
    node = node_of(data)
    address = _address(data, node, given.address, joining=joining)
    at_work = node.name if joining else None
    store, give_up = open_store(
        data.frontier_file, address, patience=patience, tell=tell, node=at_work
    )
    with closing(store):
        if address is not None and node.crawl not in (None, _mark(store)):
            raise DataFolderError(
                f"The crawl of {data.path} is not in {where(address)}. Name its own database with "
                "--frontier, or choose another folder with --data."
            )
        yield OpenFolder(data, node, address, store, give_up)


def has_frontier(data: DataFolder) -> bool:
    """Whether a folder has a frontier, in a file or in a database."""
    return data.frontier_file.exists() or known_node(data).address is not None


def known_node(data: DataFolder) -> Node:
    """What a folder knows of itself, for those who only look: it becomes nothing by that."""
    return _read(data)[0] if data.node_file.exists() else Node("")


def node_of(data: DataFolder) -> Node:
    """The node that a folder is; it becomes one with its first use.

    The copy of a folder is another node: under the same name it would take its twin's hosts away.
    """
    node, is_ours = _read(data) if data.node_file.exists() else (Node(""), False)
    if not is_ours:
        node = replace(node, name=_new_name())
        keep_node(data, node)
    return node


def keep_node(data: DataFolder, node: Node) -> None:
    """Replace what the folder knows: after a crash it is the old file or the new."""
    draft = data.node_file.with_suffix(f".{os.getpid()}.tmp")
    try:
        draft.touch(mode=0o600)
        with draft.open("w", encoding="utf-8") as file:
            record = {
                "name": node.name,
                "host": socket.gethostname(),
                "inode": os.fstat(file.fileno()).st_ino,
                "frontier": node.address,
                "crawl": node.crawl,
                "options": dict(node.options),
                "invitation": node.invitation,
            }
            json.dump(record, file, indent=2, default=list)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(data.node_file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise DataFolderError(f"{data.node_file} cannot be written: {error.strerror}.") from None


def open_store(
    file: Path,
    address: str | None,
    *,
    patience: timedelta = FIRST_PATIENCE,
    tell: Callable[[str], object] = lambda _: None,
    node: str | None = None,
) -> tuple[Store, Callable[[], None]]:
    """Open the store, and how to have it give up waiting for its server.

    `patience` is for a server that goes away once it was there; `tell` hears of that, in
    whatever thread waits for it. `node` is the one that is to work there, if any.
    """
    if address is None:
        return SqliteStore(file), _nobody_waits
    # Imported when it is wanted: a crawl of one node needs no PostgreSQL.
    from gossamer.frontier.postgres import PostgresStore

    store = PostgresStore(
        address, patience=patience, first_patience=FIRST_PATIENCE, tell=tell, node=node
    )
    return store, store.give_up


def where(address: str) -> str:
    """Which database an address means, for people: without its password."""
    from gossamer.frontier.postgres_server import address as described

    return described(address)


def _nobody_waits() -> None:
    return


def _read(data: DataFolder) -> tuple[Node, bool]:
    """What the folder knows, and whether that was written here."""
    try:
        with data.node_file.open(encoding="utf-8") as file:
            record, inode = json.load(file), os.fstat(file.fileno()).st_ino
        written_here = (record["host"], record["inode"]) == (socket.gethostname(), inode)
        name, address, crawl = record["name"], record["frontier"], record["crawl"]
        node = Node(name, address, crawl, record["options"], record.get("invitation"))
    except OSError as error:
        raise DataFolderError(f"{data.node_file} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        raise DataFolderError(
            f"{data.node_file} is damaged. Delete it; where the crawl's frontier is in a "
            "database, name it again with --frontier."
        ) from None
    return node, written_here


def _new_name() -> str:
    # What is random comes first: long names are cut.
    return f"{secrets.token_hex(4)}-{socket.gethostname()}"


def _address(data: DataFolder, node: Node, given: str | None, *, joining: bool) -> str | None:
    """Where the folder's frontier is: None for its own file."""
    given = node.address_for(given)
    if node.address is None and data.frontier_file.exists():
        if not (joining and given):
            return None
        store, _ = open_store(data.frontier_file, None)
        with closing(store):
            if store.read(seeds):
                raise DataFolderError(
                    f"The crawl in {data.path} keeps its frontier in the folder, which --frontier "
                    "cannot change. Choose another folder with --data."
                )
    return given or node.address


def invitation_digest(token: str) -> str:
    """What a folder keeps of an invitation that it took up."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def _mark(store: Store) -> str | None:
    secret = FactStore(store).of(_OWN_FACT)
    return None if secret is None else hashlib.blake2b(secret, digest_size=8).hexdigest()
