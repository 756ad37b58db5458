"""Ports for servers that are told where to listen, rather than saying where they do."""

import socket
from random import SystemRandom
from typing import Final

# Below those that systems hand out by themselves: nobody connects from there by chance, nor to itself.
RANGE: Final = (20_000, 32_000)
TRIES: Final = 100


def free_port() -> int:
    """A port of loopback that nobody has at the moment, nor is given by the system."""
    for _ in range(TRIES):
        port = SystemRandom().randrange(*RANGE)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise AssertionError("all ports are taken")
