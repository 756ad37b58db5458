"""Requests that are given up before they are delivered: their connections are reset, not closed.

The system goes on sending what was written to a connection that is closed. Where the network was away for a
while, a host would get such a request when it is back: beside others that were sent since, perhaps by another node.
"""

import fcntl
import os
import socket
import struct
import termios
from typing import Final

_AT_ONCE: Final = struct.pack("ii", 1, 0)  # SO_LINGER: on, for no time


def reset_when_closed(number: int) -> None:
    """Have a connection, by its file descriptor, drop what is not delivered yet when it is closed."""
    with socket.socket(fileno=os.dup(number)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)


def is_delivered(number: int) -> bool:
    """Whether the other side has acknowledged all that was written; not so where the system does not say."""
    try:
        return not any(fcntl.ioctl(number, termios.TIOCOUTQ, bytes(4)))
    except OSError:
        return False
