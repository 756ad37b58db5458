"""How a job can come to nothing, and how we find out which way it was."""

import signal
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gossamer.processes.protocol import EXIT_MEMORY

# What the run-time libraries of Rust and C++ say before they abort.
OUT_OF_MEMORY_WORDS: Final = ("memory allocation of ", "std::bad_alloc", "MemoryError")


class Loss(StrEnum):
    """Why there is no answer."""

    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"  # the process ended, or sent what is no answer
    KILLED = "killed"  # by somebody else: an operator, or the system short of memory
    RAISED = "raised"  # the function raised: a defect of ours


@dataclass(frozen=True, slots=True)
class Lost:
    """A job without an answer."""

    loss: Loss
    detail: str = ""  # for whoever looks for the defect; may hold what a page wrote

    @property
    def last_line(self) -> str:
        """The end of what is known, which says most."""
        return (self.detail.splitlines() or [self.loss])[-1]


def loss_of(status: int | None, last_words: str) -> Loss:
    """What the end of a process that we did not kill says about the page it had.

    A process without a status hung up and ran on: a page got hold of its socket.
    """
    if status == -signal.SIGKILL:
        return Loss.KILLED
    if status == -signal.SIGALRM:  # its own alarm: we were not there to end it
        return Loss.TIME
    if status == EXIT_MEMORY or any(words in last_words for words in OUT_OF_MEMORY_WORDS):
        return Loss.MEMORY
    return Loss.CRASH
