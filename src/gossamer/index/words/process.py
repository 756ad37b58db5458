"""The words process: a thread that answers searches, the main thread writes, until the owner hangs up.

The engine works outside the interpreter's lock, so neither waits for the other for long. Whatever
happens in here, the graph goes on; what was not done is in its journal. The main thread is the one
that writes, since a signal can interrupt no other: each thing has a limit of time (`skipped.py`).
"""

import gc
import json
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO, Final

import apsw

from gossamer.errors import GraphError
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.words.asked import SearchError
from gossamer.index.words.asking_texts import AskedTexts
from gossamer.index.words.folder import (
    WAY_OUT,
    NoWordsError,
    Words,
    WordsError,
    WordsFolder,
    opened,
)
from gossamer.index.words.journal import done_with
from gossamer.index.words.keeping import catch_up, make_anew
from gossamer.index.words.messages import DONE, JOBS, STATES, Done, Job, State
from gossamer.index.words.searching import answered
from gossamer.index.words.skipped import STEP_SECONDS, InHand, StepGuard
from gossamer.index.words.throttle import WordsThrottle
from gossamer.processes.confine import (
    TASKS,
    die_with,
    give_back_memory,
    leave_signals_to_the_owner,
    limit_keeper_memory,
    share_memory,
    work_last,
)
from gossamer.processes.process import Program
from gossamer.processes.protocol import HEADER, Kind, header, read_header
from gossamer.processes.sandbox import Sandbox, enter_sandbox

NICENESS: Final = 5  # whoever crawls comes first; we catch up
MERGING: Final = (
    "merge_thread"  # as tantivy calls those that put small files of words into larger ones
)
MERGING_NICENESS: Final = 15  # that can wait until a processor has nothing else to do
SWITCH_SECONDS: Final = 0.001  # a search is not to wait for the thread that writes
BROKEN: Final = (OSError, ValueError, RuntimeError, apsw.Error)  # what the engines raise


def program(
    words: Path,
    graph: Path,
    path: tuple[str, ...],
    step_seconds: float = STEP_SECONDS,
    *,
    is_remote: bool = False,
) -> Program:
    """What the process for these words of this graph runs; one thing takes no longer than this."""
    told = {
        "words": str(words),
        "graph": str(graph),
        "step_seconds": step_seconds,
        "sandbox": asdict(sandbox_of(words, GraphFolder(graph), is_remote=is_remote)),
    }
    return Program(f"{__name__}:{main.__name__}", told, path)


def sandbox_of(words: Path, graph: GraphFolder, *, is_remote: bool = False) -> Sandbox:
    """Words have their own folder, take from the journal what they are done with, and read the graph.

    A graph on a server is read over the network.
    """
    return Sandbox(
        reads=(str(graph.snapshots),),
        writes=(str(words), str(graph.journal), TASKS),
        network=is_remote,
        priorities=True,
        open_files=None,
    )


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Keep words until the owner hangs up."""
    die_with(owner)
    leave_signals_to_the_owner()
    share_memory()
    os.nice(NICENESS)
    gc.disable()  # nothing that we make goes round in circles, and there is much of it
    sys.setswitchinterval(SWITCH_SECONDS)
    limit_keeper_memory()
    with socket.socket(fileno=descriptor) as connection, connection.makefile("rb") as reader:
        graph, folder = GraphFolder(Path(told["graph"])), WordsFolder(Path(told["words"]))
        # What is not there now is not to be had later: a sandbox knows folders, not their names.
        with suppress(OSError):  # whoever opens them says what is wrong
            folder.make()
            for each in (graph.journal, graph.snapshots):
                each.mkdir(parents=True, exist_ok=True)
        os.environ["SQLITE_TMPDIR"] = str(folder.path)
        desk = WordsServer(folder, graph.journal, connection, told["step_seconds"])
        enter_sandbox(Sandbox.of(told["sandbox"]))
        desk.serve(reader)


class WordsServer:
    """Where jobs come in and what came of them goes out."""

    def __init__(
        self, folder: WordsFolder, journal: Path, connection: socket.socket, step_seconds: float
    ) -> None:
        self._folder = folder
        self._journal = journal
        self._connection = connection
        self._sending = Lock()
        self._jobs: SimpleQueue[tuple[int, Job]] = SimpleQueue()
        self._words: Words | None = None
        self._fault: WordsError | None = None
        self._pace = WordsThrottle()
        self._guard = StepGuard(InHand(folder.hand), step_seconds)
        self._texts = AskedTexts(partial(self._send, Kind.ASKED, 0))

    def serve(self, reader: BinaryIO) -> None:
        """Open the words, then do jobs."""
        self._folder.mend()
        self._open()
        self._send(Kind.READY, 0, STATES.dumps(self._state()))
        Thread(target=self._answer, args=(reader,), daemon=True).start()
        self._guard.start()
        self._write()

    def _answer(self, reader: BinaryIO) -> None:
        """The thread that takes jobs in, and answers searches itself."""
        try:
            self._take_jobs(reader)
        finally:
            os._exit(0)  # whatever is being written: what is not on the disk is in the journal

    def _take_jobs(self, reader: BinaryIO) -> None:
        while len(start := reader.read(HEADER.size)) == HEADER.size:
            kind, number, length = read_header(start)
            payload = reader.read(length)
            if kind is Kind.TOLD:
                self._texts.hear(payload)
                continue
            job = JOBS.loads(payload)
            if job.what == "search":
                self._send(Kind.ANSWER, number, DONE.dumps(self._searched(job)))
            else:
                self._jobs.put((number, job))

    def _open(self) -> None:
        try:
            self._words, self._fault = opened(self._folder), None
        except WordsError as error:
            self._words, self._fault = None, error

    def _state(self) -> State:
        if self._words is None:
            missing = isinstance(self._fault, NoWordsError)
            return State(is_missing=missing, fault=str(self._fault))
        words = self._words
        return State(words.follower, later=words.members.left(), is_outdated=words.is_outdated)

    def _searched(self, job: Job) -> Done:
        assert job.search is not None
        words = self._words
        if words is None:
            return Done(State(), fault=str(self._fault))
        try:
            return Done(State(), json.dumps(answered(words, job.search)))
        except SearchError as error:
            return Done(State(), fault=str(error), asker=True)
        except BROKEN as error:
            where = f"The words in {self._folder.path} cannot be read"
            return Done(State(), fault=f"{where} ({error}). {WAY_OUT}")

    def _write(self) -> None:
        """Change words; the process does not outlive this."""
        try:
            while True:
                number, job = self._jobs.get()
                fault = self._written(number, job)
                give_back_memory()
                work_last(MERGING, MERGING_NICENESS)
                self._send(Kind.ANSWER, number, DONE.dumps(self._done(fault)))
        except BaseException as error:
            with suppress(OSError):
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                sys.stderr.flush()
            os._exit(1)

    def _done(self, fault: str | None) -> Done:
        skipped, mended = tuple(self._guard.skipped), tuple(self._guard.mended)
        return Done(self._state(), fault=fault, skipped=skipped, mended=mended)

    def _written(self, number: int, job: Job) -> str | None:
        self._guard.begin(job.avoided, job.listed)
        try:
            if job.what == "make":
                self._make(number, job)
            elif self._words is None:
                return str(self._fault)
            else:
                catch_up(
                    self._words,
                    self._journal,
                    job.segments,
                    job.snapshot,
                    self._pace,
                    everything=job.everything,
                    guard=self._guard,
                    texts=self._texts,
                )
        except (*BROKEN, GraphError) as error:
            # The disk is full, or broken; or the snapshot is gone; or the graph's server away.
            if self._words is not None:
                self._words.close()
            self._open()
            return (
                str(error)
                if isinstance(error, GraphError)
                else f"The words cannot be written: {error}."
            )
        return None

    def _make(self, number: int, job: Job) -> None:
        def tell(done: int) -> None:
            self._send(Kind.PART, number, str(done).encode())

        make_anew(self._folder, job.follower, job.snapshot, tell, self._guard, self._texts)
        before = self._words
        self._folder.put_in_place()
        self._open()
        if before is not None:
            before.close()
        for segment in job.segments:  # all that they say is in the snapshot
            done_with(self._journal, segment)

    def _send(self, kind: Kind, number: int, payload: bytes) -> None:
        with self._sending:
            self._connection.sendall(header(kind, number, len(payload)) + payload)
