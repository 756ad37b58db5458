"""A wire between a node and its server that is cut at the worst moment."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from psycopg import conninfo


class Relay:
    """Passes on what either side says, until the server has heard `last_words`.

    What it answers to those the node never hears; then the relay is a plain wire again.
    """

    def __init__(self, listener: socket.socket, server: str) -> None:
        self._listener = listener
        self._server = server
        self.last_words: bytes | None = None
        self.cuts = 0

    def serve(self) -> None:
        """Take one connection after the other, until nobody listens any more."""
        with suppress(OSError):
            while True:
                node, _ = self._listener.accept()
                with node, socket.socket(socket.AF_UNIX) as server:
                    server.connect(self._server)
                    self._pass_on(node, server)

    def _pass_on(self, node: socket.socket, server: socket.socket) -> None:
        cut = threading.Event()
        back = threading.Thread(target=_answers, args=(node, server, cut))
        back.start()
        with suppress(OSError):
            while data := node.recv(1 << 16):
                if self.last_words is not None and self.last_words in data:
                    cut.set()
                    self.last_words = None
                    self.cuts += 1
                server.sendall(data)
            server.shutdown(socket.SHUT_RDWR)
        back.join()


def _answers(node: socket.socket, server: socket.socket, cut: threading.Event) -> None:
    with suppress(OSError):
        while (data := server.recv(1 << 16)) and not cut.is_set():
            node.sendall(data)
        node.shutdown(socket.SHUT_RDWR)


@contextmanager
def relay(folder: Path, dsn: str) -> Iterator[tuple[Relay, str]]:
    """A relay to a server on this machine, and the address to reach it by."""
    parts = conninfo.conninfo_to_dict(dsn)
    name = f".s.PGSQL.{parts.get('port') or 5432}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / name))
        listener.listen()
        between = Relay(listener, str(Path(str(parts["host"])) / name))
        thread = threading.Thread(target=between.serve)
        thread.start()
        try:
            yield between, conninfo.make_conninfo(dsn, host=str(folder))
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
