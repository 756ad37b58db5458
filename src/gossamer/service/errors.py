"""The one shape of every error that the service answers with: RFC 9457, problem details. Pure.

`{"status": 400, "title": "Bad Request", "code": "bad-parameter", "detail": "A sentence."}`
"""

import traceback
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from gossamer.errors import GossamerError
from gossamer.events import ServiceFault
from gossamer.owner.messages import DEFECT
from gossamer.service.schemas import TEXT, WHOLE, Schema, record

AGAIN_SECONDS: Final = "5"
MOST_TOLD: Final = 500  # characters of an error, which may hold what somebody sent
MEDIA_TYPE: Final = "application/problem+json"
SCHEMA: Final[Schema] = record({"status": WHOLE, "title": TEXT, "code": TEXT, "detail": TEXT})

OUR_FAULT: Final = (500, "our-fault")
OTHERS: Final = (422, "cannot-be")
# By the name of the error, since those of a process beside us come by name; 422 where it is none
# of these: what was asked for is understood, and cannot be.
STATUS: Final[Mapping[str, tuple[int, str]]] = MappingProxyType(
    {
        "ConfigError": (400, "bad-value"),
        "QueryError": (400, "bad-query"),
        "QueryFormatError": (406, "no-such-format"),
        "QueryGraphError": (503, "no-graph"),
        "QueryTimeError": (503, "query-took-too-long"),
        "QueryMemoryError": (503, "query-took-too-much"),
        "SearchError": (400, "bad-search"),
        "ThingNameError": (400, "bad-name"),
        "NoSuchUrlError": (400, "bad-url"),
        "WordsError": (503, "no-words"),
        "GraphError": (503, "no-graph"),
        "GraphUnusableError": (503, "no-graph"),
        "GraphAwayError": (503, "graph-away"),
        "GraphFullError": (503, "storage-full"),
        "StorageFullError": (503, "storage-full"),
        "StorageAwayError": (503, "frontier-away"),
        "UnknownLeaseError": (404, "unknown-lease"),
        "LapsedLeaseError": (410, "lapsed-lease"),
        "LeasesClosedError": (503, "not-now"),
        "UnableError": (503, "not-now"),
        "LeftError": (503, "not-now"),
        "NoOwnerError": (503, "not-now"),
        "FolderInUseError": (503, "not-now"),
        DEFECT: OUR_FAULT,
    }
)


class ProblemError(Exception):
    """A request that gets no answer but this."""

    def __init__(
        self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers

    def response(self) -> JSONResponse:
        """The answer."""
        return JSONResponse(
            {
                "status": self.status,
                "title": HTTPStatus(self.status).phrase,
                "code": self.code,
                "detail": self.detail,
            },
            self.status,
            headers=dict(self.headers or {}),
            media_type=MEDIA_TYPE,
        )


Complain = Callable[[Scope, ProblemError], Response]
"""Says what is wrong, in a form for whoever asked."""


def as_json(_: Scope, problem: ProblemError) -> Response:
    """A problem for programs."""
    return problem.response()


def problem_of(error: Exception) -> ProblemError:
    """The problem that one of our errors is; what is none of ours is our fault."""
    name = getattr(error, "kind", None) or type(error).__name__
    if isinstance(error, GossamerError) or name in STATUS:
        status, code = STATUS.get(name, OTHERS)
    else:
        status, code = OUR_FAULT
    if status == 500:
        return ProblemError(status, code, "This should not have happened. The log tells where.")
    again = {"Retry-After": AGAIN_SECONDS} if status == 503 else None
    return ProblemError(status, code, str(error), again)


def fault_of(route: str, error: Exception) -> ServiceFault:
    """What the log says of a defect of ours."""
    found = traceback.extract_tb(error.__traceback__)
    return ServiceFault(
        route=route,
        message=f"{type(error).__name__}: {error}"[:MOST_TOLD],
        where=f"{found[-1].filename}:{found[-1].lineno}" if found else "",
    )


def not_found(detail: str) -> ProblemError:
    """The error 404, with a sentence."""
    return ProblemError(404, "not-found", detail)
