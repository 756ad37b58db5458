import asyncio
import os
import signal
import socket

import pytest
from tests.reading.pool.crew import NEEDS_PROC, lives, worker

from gossamer.processes.process import (
    LAST_WORDS_BYTES,
    ChildProcess,
    Loss,
    hear,
    loss_of,
    spawn,
    status_of,
)
from gossamer.processes.protocol import EXIT_MEMORY, HEADER, Kind, header, read_header


def receive(connection: socket.socket) -> tuple[Kind, bytes]:
    """One frame, waiting for it; raises EOFError where the worker hangs up."""
    with connection.makefile("rb") as reader:
        if not (start := reader.read(HEADER.size)):
            raise EOFError
        kind, _, length = read_header(start)
        return kind, reader.read(length)


def ask(process: ChildProcess, job: bytes) -> tuple[Kind, bytes]:
    process.connection.sendall(header(Kind.JOB, 1, len(job)) + job)
    return receive(process.connection)


def test_a_worker_says_that_it_is_ready_and_answers() -> None:
    with spawn(worker()) as process:
        assert receive(process.connection) == (Kind.READY, b"")
        assert ask(process, b"echo abc") == (Kind.ANSWER, b"cba")
        assert process.status() is None


@NEEDS_PROC
def test_a_worker_is_gone_when_the_block_ends_even_by_an_error() -> None:
    def fail() -> None:
        with spawn(worker()) as process:
            assert lives(process.pid)
            raise ProcessLookupError(process.pid)

    with pytest.raises(ProcessLookupError) as error:
        fail()
    assert not lives(error.value.args[0])


def test_of_what_a_worker_writes_to_stderr_the_end_is_kept() -> None:
    with spawn(worker()) as process:
        receive(process.connection)
        job = b"echo x"
        os.set_blocking(process.stderr, True)
        process.connection.sendall(header(Kind.JOB, 1, len(b"garbage")) + b"garbage")
        process.connection.sendall(header(Kind.JOB, 2, len(job)) + job)
        while "beware" not in process.last_words:
            assert process.listen()
        assert len(process.last_words) <= LAST_WORDS_BYTES
        assert receive(process.connection) == (Kind.ANSWER, b"clean")


def test_a_worker_that_cannot_load_its_function_says_why_and_ends() -> None:
    with spawn(worker(function="page_functions:nothing")) as process:
        with pytest.raises(EOFError):
            receive(process.connection)
        os.set_blocking(process.stderr, True)
        while process.listen():
            continue
        assert process.last_words.endswith("has no attribute 'nothing'")


def test_a_signal_shows_in_the_status() -> None:
    with spawn(worker()) as process:
        receive(process.connection)
        os.kill(process.pid, signal.SIGUSR1)
        with pytest.raises(EOFError):
            receive(process.connection)
        while process.status() is None:
            continue
        assert process.status() == -signal.SIGUSR1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ctrl_c_and_term_mean_is_the_owners_decision(number: signal.Signals) -> None:
    with spawn(worker()) as process:
        receive(process.connection)
        os.kill(process.pid, number)
        os.kill(process.pid, signal.SIGUSR1)
        while process.status() is None:
            continue
        assert process.status() == -signal.SIGUSR1


@pytest.mark.parametrize(
    ("status", "last_words", "loss"),
    [
        (EXIT_MEMORY, "", Loss.MEMORY),
        (-signal.SIGABRT, "memory allocation of 400 bytes failed", Loss.MEMORY),
        (-signal.SIGABRT, "terminate called after throwing 'std::bad_alloc'", Loss.MEMORY),
        (-signal.SIGABRT, "assertion failed", Loss.CRASH),
        (-signal.SIGSEGV, "", Loss.CRASH),
        (-signal.SIGKILL, "", Loss.KILLED),
        (-signal.SIGALRM, "", Loss.TIME),
        (0, "", Loss.CRASH),
        (3, "", Loss.CRASH),
        (None, "", Loss.CRASH),
    ],
)
def test_how_a_process_ended_says_what_its_page_did(
    status: int | None, last_words: str, loss: Loss
) -> None:
    assert loss_of(status, last_words) is loss


def test_an_end_is_seen_and_a_life_is_left_alone() -> None:
    async def run() -> tuple[int | None, int | None]:
        with spawn(worker()) as process:
            alive = await status_of(process, grace=0.01)
            process.kill()
            return alive, await status_of(process, grace=10)

    assert asyncio.run(run()) == (None, -signal.SIGKILL)


def test_what_a_process_says_at_its_end_is_heard_on_the_loop() -> None:
    async def run() -> str:
        with spawn(worker(function="page_functions:nothing")) as process:
            with hear(process, asyncio.get_running_loop()):
                assert await status_of(process, grace=20) == 1
            while process.listen():  # what came after the loop looked last
                continue
            return process.last_words

    assert asyncio.run(run()).endswith("has no attribute 'nothing'")
