"""What owner and worker say to each other: frames on a socket pair. No I/O here.

A frame is a kind, the number of a job, and bytes. The owner sends jobs; the worker says once
that it is ready, then answers every job in turn, where that is agreed in parts. The owner believes a worker nothing: it may
have been taken over by a page, so whatever is not a proper frame is an error.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

HEADER: Final = struct.Struct("!BIQ")  # kind, number of the job, length of what follows
MAX_ANSWER_BYTES: Final = 256 * 1024 * 1024  # what the owner is willing to hold of one page
EXIT_MEMORY: Final = 74  # exit status of a worker whose page needed too much memory


class ProtocolError(Exception):
    """What a worker sent is not a frame."""


class Kind(IntEnum):
    """What a frame is."""

    JOB = 1
    READY = 2  # the worker has loaded all it needs
    ANSWER = 3
    RAISED = 4  # the function raised: the error as text
    PART = 5  # of an answer, before its end
    ASKED = 6  # the worker needs something of the owner to go on
    TOLD = 7  # and here it is


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: Kind
    number: int
    payload: bytes


def header(kind: Kind, number: int, length: int) -> bytes:
    """What stands before a payload of that length."""
    return HEADER.pack(kind, number, length)


def read_header(data: bytes | bytearray) -> tuple[Kind, int, int]:
    """Kind, job number and length; raises `ProtocolError` where the kind is unknown."""
    kind, number, length = HEADER.unpack_from(data)
    try:
        return Kind(kind), number, length
    except ValueError:
        raise ProtocolError(f"no frame is of kind {kind}") from None


class FrameReader:
    """Bytes as they come in, frames out."""

    def __init__(self, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        self._max_bytes = max_bytes
        self._held = bytearray()

    @property
    def within_a_frame(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._held)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that these bytes complete; raises `ProtocolError` on anything else."""
        self._held += data
        while len(self._held) >= HEADER.size:
            kind, number, length = read_header(self._held)
            if length > self._max_bytes:
                raise ProtocolError(f"a frame of {length} bytes is too long")
            end = HEADER.size + length
            if len(self._held) < end:
                return
            # Through a view, so that a large payload is copied once, not twice.
            with memoryview(self._held) as view:
                payload = bytes(view[HEADER.size : end])
            del self._held[:end]
            yield Frame(kind, number, payload)
