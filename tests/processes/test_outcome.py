import signal

import pytest

from gossamer.processes.outcome import Loss, loss_of
from gossamer.processes.protocol import EXIT_MEMORY


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
