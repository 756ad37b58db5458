"""Who is connected to a server of ours: bounded in all, and for each address."""

from collections import Counter
from typing import NamedTuple, TypeVar

from gossamer.http.addresses import address_name

C = TypeVar("C")


class Bounds(NamedTuple):
    """How many may be connected, and how long they may take."""

    most: int  # connections
    head_seconds: float  # for the head of a request, once it has begun
    idle_seconds: float  # between requests
    stall_seconds: float  # for a client that takes nothing of its answer

    @property
    def most_of_one(self) -> int:
        """Connections of one address: three in four, so that it never holds all of them."""
        return self.most - self.most // 4


class Connections(set[C]):
    """Connections that stand, and how many each address has."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[C, str] = {}
        self._by_name: Counter[str] = Counter()

    def enter(self, connection: C, address: str, bounds: Bounds) -> bool:
        """Count a connection; whether there is room for it, in all and for its address."""
        name = address_name(address)
        self.add(connection)
        self._names[connection] = name
        self._by_name[name] += 1
        return len(self) <= bounds.most and self._by_name[name] <= bounds.most_of_one

    def leave(self, connection: C) -> None:
        """Count it no more."""
        self.discard(connection)
        name = self._names.pop(connection, None)
        if name is not None:
            self._by_name[name] -= 1
            if not self._by_name[name]:
                del self._by_name[name]
