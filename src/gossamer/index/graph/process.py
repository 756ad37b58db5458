"""The process that holds the store: one request at a time, until the owner hangs up.

One thread: iterating a parser of the engine beside another busy thread is hundreds of times
slower, and two writers are slower than one. Queries run elsewhere (`reader_process.py`).
"""

import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

from gossamer.errors import GraphError
from gossamer.index.graph.folder import GraphUnusableError, broken, is_damage
from gossamer.index.graph.messages import REPLIES, REQUESTS, Reply, Request
from gossamer.index.graph.pages import PageChanged
from gossamer.index.graph.store import GraphStore
from gossamer.processes.confine import (
    TASKS,
    die_with,
    give_back_large_pieces,
    leave_signals_to_the_owner,
    limit_keeper_memory,
    share_memory,
    work_last,
)
from gossamer.processes.process import Program
from gossamer.processes.protocol import HEADER, Kind, header, read_header
from gossamer.processes.sandbox import Sandbox, enter_sandbox

# All tables of an index are merged with the new ones, as soon as there are two. Whoever waits until nobody
# else has work finds more new ones, and merges them in one go; see docs/decisions/0043.
MERGING: Final = "rocksdb:low"  # the engine's name for its threads that do so
NICENESS: Final = 10
DISK: Final = "The graph cannot be written: {}. See to the disk, then go on with the same command."


def program(folder: Path, patience: float, path: tuple[str, ...], *, unfinished: bool) -> Program:
    """What the process of this graph runs."""
    told = {
        "folder": str(folder),
        "patience": patience,
        "unfinished": unfinished,
        "sandbox": asdict(sandbox_of(folder)),
    }
    return Program(f"{__name__}:{main.__name__}", told, path)


def sandbox_of(folder: Path) -> Sandbox:
    """The graph has its own folder and no other. Threads are named by a file of theirs."""
    return Sandbox(writes=(str(folder), TASKS), priorities=True, open_files=None)


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Hold the graph until the owner hangs up."""
    die_with(owner)
    leave_signals_to_the_owner()
    share_memory()
    give_back_large_pieces()
    limit_keeper_memory()
    with suppress(OSError):  # whoever opens the graph says what is wrong
        Path(told["folder"]).mkdir(parents=True, exist_ok=True)
    enter_sandbox(Sandbox.of(told["sandbox"]))
    with socket.socket(fileno=descriptor) as connection:
        try:
            store = GraphStore.open(
                Path(told["folder"]), told["patience"], unfinished=told["unfinished"]
            )
        except GraphError as error:
            fault = Reply(fault=str(error), unusable=isinstance(error, GraphUnusableError))
            _send(connection, Kind.RAISED, 0, REPLIES.dumps(fault))
            return
        work_last(MERGING, NICENESS)
        _send(connection, Kind.READY, 0, b"")
        with connection.makefile("rb") as reader:
            serve(store, reader, connection)


def serve(store: GraphStore, reader: BinaryIO, connection: socket.socket) -> None:
    """Answer requests in turn."""
    while len(start := reader.read(HEADER.size)) == HEADER.size:
        _, number, length = read_header(start)
        request = REQUESTS.loads(reader.read(length))
        _send(connection, Kind.ANSWER, number, REPLIES.dumps(reply(store, request)))


def reply(store: GraphStore, request: Request) -> Reply:
    """What becomes of a request."""
    try:
        return _done(store, request)
    except (OSError, RuntimeError) as error:
        if is_damage(error):
            return Reply(fault=store.note_damage(broken(error)), unusable=True)
        if isinstance(error, OSError):  # the disk is full, or broken
            return Reply(fault=DISK.format(error), disk=True)
        raise


def _done(store: GraphStore, request: Request) -> Reply:
    match request.what:
        case "replace":
            changed: list[PageChanged] | None = [] if request.compare else None
            refused = tuple(store.replace(request.pages, changed))
            return Reply(refused=refused, changed=tuple(changed or ()))
        case "unify":
            rewritten, left = store.unify_schema()
            return Reply(changed=tuple(rewritten), left=left)
        case "flush":
            store.flush()
        case "counts":
            return Reply(counts=store.counts)
        case "snapshot":
            return Reply(snapshot=str(store.snapshot(request.max_age)))
        case "release":
            store.release(Path(request.snapshot))
        case "follow":
            store.follow(request.follower)
        case "cut":
            return Reply(cut=store.cut())
        case "close":
            store.close()
    return Reply()


def _send(connection: socket.socket, kind: Kind, number: int, payload: bytes) -> None:
    connection.sendall(header(kind, number, len(payload)) + payload)
