import signal
from collections.abc import Iterator

import pytest
from tests.processes.test_process import ask, receive
from tests.reading.pool.crew import spec

from gossamer.processes.process import ChildProcess, spawn
from gossamer.processes.protocol import EXIT_MEMORY, Kind, header
from gossamer.reading.pool.worker import load, program


@pytest.fixture
def process() -> Iterator[ChildProcess]:
    """A worker that is ready, and that nobody but the test watches."""
    with spawn(program(spec(time_limit=0.01))) as process:
        receive(process.connection)
        yield process


def status_at_the_end(process: ChildProcess) -> int:
    with pytest.raises(EOFError):
        receive(process.connection)
    while (status := process.status()) is None:
        continue
    return status


def test_a_function_is_named_by_its_module() -> None:
    assert load("operator:index") is __import__("operator").index


def test_jobs_are_answered_in_turn_under_their_numbers(process: ChildProcess) -> None:
    jobs = [(7, b"echo ab"), (9, b"fail on purpose"), (2**32 - 1, b"echo cd")]
    for number, job in jobs:
        process.connection.sendall(header(Kind.JOB, number, len(job)) + job)
    with process.connection.makefile("rb") as reader:
        assert reader.read(15) == header(Kind.ANSWER, 7, 2) + b"ba"
        start = reader.read(13)
        assert start[:5] == header(Kind.RAISED, 9, 0)[:5]
        assert reader.read(int.from_bytes(start[5:], "big")).endswith(b"RuntimeError: on purpose\n")
        assert reader.read(15) == header(Kind.ANSWER, 2**32 - 1, 2) + b"dc"


def test_what_a_function_raises_is_an_answer_even_an_exit(process: ChildProcess) -> None:
    kind, said = ask(process, b"polite-exit")
    assert kind is Kind.RAISED
    assert said.endswith(b"SystemExit: enough\n")
    assert ask(process, b"echo ab") == (Kind.ANSWER, b"ba")


def test_a_job_that_needs_too_much_memory_ends_the_worker_with_a_status(
    process: ChildProcess,
) -> None:
    process.connection.sendall(header(Kind.JOB, 1, 3) + b"eat")
    assert status_at_the_end(process) == EXIT_MEMORY


def test_a_job_too_large_to_take_in_is_one_that_needs_too_much_memory(
    process: ChildProcess,
) -> None:
    process.connection.sendall(header(Kind.JOB, 1, 1 << 40))
    assert status_at_the_end(process) == EXIT_MEMORY


@pytest.mark.parametrize("job", [b"loop", b"loop-in-c"])
def test_a_worker_that_nobody_watches_ends_itself(process: ChildProcess, job: bytes) -> None:
    process.connection.sendall(header(Kind.JOB, 1, len(job)) + job)
    assert status_at_the_end(process) == -signal.SIGALRM


def test_a_worker_ends_when_the_owner_hangs_up(process: ChildProcess) -> None:
    process.connection.shutdown(1)
    assert status_at_the_end(process) == 0
