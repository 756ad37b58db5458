"""The words process answers while it writes, and says what is wrong instead of ending."""

import asyncio
import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.index.words.small_graph import Small, page, thing
from tests.slowness import patience

from gossamer.index.words.asked import Search
from gossamer.index.words.asking_texts import TEXT_ANSWERS, TextAnswer
from gossamer.index.words.messages import DONE, JOBS, STATES, Done, Job, State
from gossamer.index.words.process import program
from gossamer.processes.process import ChildProcess, spawn
from gossamer.processes.protocol import HEADER, Kind, header, read_header

A = "http://a.test/"


class Spoken:
    """A words process, spoken to directly."""

    def __init__(self, process: ChildProcess) -> None:
        self.pid = process.pid
        self._file = process.connection.makefile("rwb")
        process.connection.settimeout(patience(60))
        self.state: State = STATES.loads(self.frame()[2])

    def frame(self) -> tuple[Kind, int, bytes]:
        kind, number, length = read_header(self._file.read(HEADER.size))
        return kind, number, self._file.read(length)

    def say(self, number: int, job: Job) -> None:
        self.send(Kind.JOB, number, JOBS.dumps(job))

    def send(self, kind: Kind, number: int, payload: bytes) -> None:
        self._file.write(header(kind, number, len(payload)) + payload)
        self._file.flush()

    def ask(self, job: Job) -> Done:
        self.say(7, job)
        while (frame := self.frame())[0] is not Kind.ANSWER:
            if frame[0] is Kind.ASKED:  # for texts of pages, of which there are none
                self.send(Kind.TOLD, frame[1], TEXT_ANSWERS.dumps(TextAnswer()))
        assert frame[1] == 7
        return DONE.loads(frame[2])


@pytest.fixture
def small(tmp_path: Path) -> Small:
    made = Small.make(tmp_path)
    made.words.close()
    made.say(page(A, *thing(f"{A}#i", name="Ada")))
    return made


@pytest.fixture
def spoken(small: Small) -> Iterator[Spoken]:
    told = program(small.folder / "words", small.folder / "graph", tuple(sys.path))
    with spawn(told) as process:
        yield Spoken(process)


def total(done: Done) -> int:
    return int(json.loads(done.record)["total"])


def test_it_says_how_the_words_stand_and_catches_up(small: Small, spoken: Spoken) -> None:
    assert spoken.state == State("ada")
    assert total(spoken.ask(Job("search", search=Search(text="ada")))) == 0
    segments, snapshot = small.store.cut().segments, str(small.store.snapshot())
    assert spoken.ask(Job("catch up", segments=segments, snapshot=snapshot)).fault is None
    assert total(spoken.ask(Job("search", search=Search(text="ada")))) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, threads have no names to go by")
def test_what_puts_files_of_words_together_waits_while_others_work(
    small: Small, spoken: Spoken
) -> None:
    segments, snapshot = small.store.cut().segments, str(small.store.snapshot())
    spoken.ask(Job("catch up", segments=segments, snapshot=snapshot))
    threads = {
        int(each.parent.name): each.read_text()
        for each in Path(f"/proc/{spoken.pid}/task").glob("*/comm")
    }
    nice = {each: os.getpriority(os.PRIO_PROCESS, each) for each in threads}
    merging = {nice[each] for each, name in threads.items() if name.startswith("merge_thread")}
    usual = nice[spoken.pid]
    assert merging == {max(15, usual)}
    assert usual < 15 or os.nice(0) > 5  # unless we are nice ourselves


def test_it_makes_words_anew_in_the_place_of_the_old(small: Small, spoken: Spoken) -> None:
    segments, snapshot = small.store.cut().segments, str(small.store.snapshot())
    made = spoken.ask(Job("make", follower="bob", segments=segments, snapshot=snapshot))
    assert made == Done(State("bob"))
    assert total(spoken.ask(Job("search", search=Search(text="ada")))) == 1
    assert small.store.cut().segments == ()


def test_a_search_that_makes_no_sense_is_told_so(spoken: Spoken) -> None:
    done = spoken.ask(Job("search", search=Search(since="soon")))
    assert done.asker
    assert done.fault is not None
    assert "--since" in done.fault


def test_a_snapshot_that_is_gone_ends_nothing(small: Small, spoken: Spoken) -> None:
    segments = small.store.cut().segments
    gone = spoken.ask(Job("catch up", segments=segments, snapshot="/nowhere/at/all"))
    assert gone.fault is not None
    assert gone.state == State("ada")
    assert small.store.cut().segments == segments
    snapshot = str(small.store.snapshot())
    assert spoken.ask(Job("catch up", segments=segments, snapshot=snapshot)).fault is None
    assert total(spoken.ask(Job("search", search=Search(text="ada")))) == 1


def test_damaged_words_are_told_of_and_can_be_made_anew(small: Small) -> None:
    (small.folder / "words" / "index" / "meta.json").write_text("{")
    told = program(small.folder / "words", small.folder / "graph", tuple(sys.path))
    with spawn(told) as process:
        spoken = Spoken(process)
        assert "damaged" in (spoken.state.fault or "")
        assert "reindex" in (spoken.ask(Job("search", search=Search())).fault or "")
        assert "reindex" in (spoken.ask(Job("catch up", snapshot="x")).fault or "")
        snapshot = str(small.store.snapshot())
        assert spoken.ask(Job("make", follower="ada", snapshot=snapshot)).fault is None
        assert total(spoken.ask(Job("search", search=Search(text="ada")))) == 1


def test_it_ends_when_the_owner_hangs_up(small: Small) -> None:
    told = program(small.folder / "words", small.folder / "graph", tuple(sys.path))

    async def ended() -> int | None:
        with spawn(told) as process:
            Spoken(process)
            process.connection.shutdown(socket.SHUT_RDWR)
            for _ in range(600):
                if (status := process.status()) is not None:
                    return status
                await asyncio.sleep(0.05)
        return None

    assert asyncio.run(ended()) == 0
