"""What is found out about a name, and who can be asked. Values; nobody is asked here."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from gossamer.fetch.guard import Address
from gossamer.model import Cause


@dataclass(frozen=True, slots=True)
class Found:
    """The addresses of a name, best first; never empty."""

    addresses: tuple[Address, ...]
    ttl: timedelta | None = None  # how long they hold; None where nobody said


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Why a host cannot be contacted."""

    cause: Cause
    why: str


class NameService(Protocol):
    """Somebody who knows the addresses of names. Failures are values, never raised."""

    async def look_up(self, name: str) -> Found | Unreachable:
        """The addresses of a name, or why there are none."""

    def close(self) -> None:
        """Answer no more; who still waits hears nothing, or that it failed."""


def no_such_name(name: str) -> Unreachable:
    """The failure for a host that does not exist: asking again would not change that."""
    return Unreachable(Cause.NO_SUCH_NAME, f"There is no host called {name}.")


def no_address(name: str) -> Unreachable:
    """The name is known, but leads nowhere."""
    return Unreachable(Cause.NO_SUCH_NAME, f"{name} has no address.")


def look_up_failed(name: str, why: str) -> Unreachable:
    """Nobody could say, this time."""
    return Unreachable(Cause.NAME_LOOKUP, f"Looking up {name} failed: {why.rstrip('.')}.")
