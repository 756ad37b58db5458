"""Bodies that are being read, and those that are about to go: never the same."""

import threading


class Pins:
    """Bodies that are being read, which must stay until that is done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readers: dict[int, int] = {}
        self._condemned: set[int] = set()

    def pin(self, number: int) -> bool:
        """Keep a body; False where it is about to go."""
        with self._lock:
            if number in self._condemned:
                return False
            self._readers[number] = self._readers.get(number, 0) + 1
            return True

    def unpin(self, number: int) -> None:
        """It was read, or given up."""
        with self._lock:
            left = self._readers[number] - 1
            if left:
                self._readers[number] = left
            else:
                del self._readers[number]

    def condemn(self, number: int) -> bool:
        """Nobody may begin to read it from now on; False while somebody does."""
        with self._lock:
            if number in self._readers:
                return False
            self._condemned.add(number)
            return True

    def forget_condemned(self) -> None:
        """They are gone, or were spared."""
        with self._lock:
            self._condemned.clear()
