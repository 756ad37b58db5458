"""The last word to those whom no route answers: what is no HTTP, comes late or finds no room."""

from dataclasses import dataclass

from gossamer.proxy.wire.fields import Malformed
from gossamer.service.errors import ProblemError
from gossamer.service.guard import HEADERS


@dataclass(frozen=True, slots=True)
class LastProblem:
    """A problem in the shape of all errors, as bytes."""

    status: int
    why: str
    block: bytes
    body: bytes


def last_problem(bad: Malformed) -> LastProblem:
    """What is wrong with bytes that should have been a request."""
    status = 400 if bad.status == 414 else bad.status  # as for any other parameter that is too long
    code = {408: "too-slow", 500: "our-fault", 503: "busy"}.get(status, "bad-request")
    again = {"Retry-After": "1"} if status == 503 else None
    response = ProblemError(status, code, bad.why, again).response()
    told = {**HEADERS, **response.headers}
    block = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return LastProblem(status, bad.why, block.encode("latin-1"), bytes(response.body))
