"""Error responses: a page for people, JSON for programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from gossamer.service.answers import wanted
from gossamer.service.errors import ProblemError
from gossamer.web.addresses import address
from gossamer.web.rendering import HTML, rendered

PROGRAMS: Final = "/api/"
OFFERS: Final = MappingProxyType({"application/problem+json": "json", HTML: "html"})
TITLES: Final[Mapping[int, str]] = MappingProxyType(
    {
        400: "That cannot be asked",
        401: "The token, please",
        403: "That may not be done here",
        404: "Nothing here",
        405: "That cannot be asked",
        406: "Not in that format",
        413: "That is too much",
        421: "Not our name",
        422: "That cannot be",
        429: "A moment, please",
        500: "Our fault",
        503: "Not just now",
    }
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """The contents of an error page."""

    status: int
    title: str
    detail: str
    code: str
    again_in: str | None  # seconds


@dataclass(frozen=True, slots=True)
class Complaints:
    """Chooses the form of an error: a page for clients that accept HTML, except for the API."""

    for_programs: frozenset[str]  # paths

    def __call__(self, scope: Scope, problem: ProblemError) -> Response:
        """The answer to a request that gets no other."""
        path, accept = scope["path"], Headers(scope=scope).get("accept", "")
        if path in self.for_programs or path.startswith(PROGRAMS) or not _wants_page(accept):
            return problem.response()
        if problem.status == 401 and scope["method"] in ("GET", "HEAD"):
            return RedirectResponse(address("/login", next=_asked_for(scope)), 303)
        return problem_page(problem)


def _asked_for(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return f"{scope['path']}?{query}" if query else str(scope["path"])


def problem_page(problem: ProblemError) -> Response:
    """Render the page about an error."""
    headers = dict(problem.headers or {})
    told = Complaint(
        problem.status,
        TITLES.get(problem.status, "That did not work"),
        problem.detail,
        problem.code,
        headers.get("Retry-After"),
    )
    body = rendered("problem.html", told)
    headers |= {"Vary": "Accept", "Cache-Control": "no-store"}
    return Response(body, problem.status, headers, HTML)


def _wants_page(accept: str) -> bool:
    offers = wanted(accept, OFFERS)
    return HTML in accept.lower() and bool(offers) and offers[0].format == "html"
