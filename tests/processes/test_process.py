import os
import signal
import socket

import pytest
from tests.transform.pool.crew import NEEDS_PROC, lives, worker

from gossamer.processes.process import LAST_WORDS_BYTES, ChildProcess, spawned
from gossamer.processes.protocol import HEADER, Kind, header, read_header

pytestmark = pytest.mark.timeout(30)


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
    with spawned(worker()) as process:
        assert receive(process.connection) == (Kind.READY, b"")
        assert ask(process, b"echo abc") == (Kind.ANSWER, b"cba")
        assert process.status() is None


@NEEDS_PROC
def test_a_worker_is_gone_when_the_block_ends_even_by_an_error() -> None:
    def fail() -> None:
        with spawned(worker()) as process:
            assert lives(process.pid)
            raise ProcessLookupError(process.pid)

    with pytest.raises(ProcessLookupError) as error:
        fail()
    assert not lives(error.value.args[0])


def test_of_what_a_worker_writes_to_stderr_the_end_is_kept() -> None:
    with spawned(worker()) as process:
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
    with spawned(worker(function="page_functions:nothing")) as process:
        with pytest.raises(EOFError):
            receive(process.connection)
        os.set_blocking(process.stderr, True)
        while process.listen():
            continue
        assert process.last_words.endswith("has no attribute 'nothing'")


def test_a_signal_shows_in_the_status() -> None:
    with spawned(worker()) as process:
        receive(process.connection)
        os.kill(process.pid, signal.SIGUSR1)
        with pytest.raises(EOFError):
            receive(process.connection)
        while process.status() is None:
            continue
        assert process.status() == -signal.SIGUSR1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ctrl_c_and_term_mean_is_the_owners_decision(number: signal.Signals) -> None:
    with spawned(worker()) as process:
        receive(process.connection)
        os.kill(process.pid, number)
        os.kill(process.pid, signal.SIGUSR1)
        while process.status() is None:
            continue
        assert process.status() == -signal.SIGUSR1
