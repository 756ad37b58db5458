"""The server's side of a connection, with our shape of errors also for what is no HTTP."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gossamer.service.errors import ProblemError
from gossamer.service.guard import HEADERS

NO_HTTP: Final = ProblemError(
    400, "bad-request", "This is no HTTP request, or its address or headers are too long."
)


class ServiceProtocol(HttpToolsProtocol):
    """A connection to the service."""

    def send_400_response(self, msg: str) -> None:
        """Answer what the parser does not understand, and hang up."""
        response = NO_HTTP.response()
        told = {**HEADERS, **response.headers, "Connection": "close"}
        lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in told.items())]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + bytes(response.body))
        self.transport.close()
