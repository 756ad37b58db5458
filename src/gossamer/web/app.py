"""The web application: one table of routes, and the middleware in front of them."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Path
from starlette.types import ASGIApp

from gossamer.http.throttle import Throttle
from gossamer.mcp import http
from gossamer.service import (
    caches,
    changes,
    configuration,
    controls,
    crawls,
    duplicates,
    entity,
    freshness,
    identity,
    monitoring,
    node_controls,
    node_log,
    nodes,
    openapi,
    politeness,
    proxy,
    report,
    search,
    sparql,
    trace,
    vocab,
)
from gossamer.service.errors import Complain, ProblemError, fault_of, problem_of
from gossamer.service.guard import Guard
from gossamer.service.routes import Parts, Route, call_of
from gossamer.web.assets import PREFIX
from gossamer.web.complaints import PROGRAMS, Complaints
from gossamer.web.routes import PAGES

_LISTED: Final[Sequence[Route]] = (
    *search.ROUTES,
    *entity.ROUTES,
    *sparql.ROUTES,
    *vocab.ROUTES,
    *crawls.ROUTES,
    *changes.ROUTES,
    *duplicates.ROUTES,
    *report.ROUTES,
    *freshness.ROUTES,
    *controls.ROUTES,
    *node_controls.ROUTES,
    *politeness.ROUTES,
    *identity.ROUTES,
    *configuration.ROUTES,
    *monitoring.ROUTES,
    *nodes.ROUTES,
    *node_log.ROUTES,
    *trace.ROUTES,
    *proxy.ROUTES,
    *caches.ROUTES,
)
ROUTES: Final[Sequence[Route]] = (*_LISTED, openapi.route_to(_LISTED), *http.ROUTES, *PAGES)
LEAST_COMPRESSED: Final = 1_000  # bytes; less is not worth it
WAIT_SECONDS: Final = 60.0  # for one's turn, besides the time that the longest query may take
BUSY: Final = ProblemError(
    503, "busy", "There was no answer in time: too many ask for too much.", {"Retry-After": "30"}
)
COMPRESSION: Final = 4  # a third of the time of the usual 9, and a few percent more bytes


def application(parts: Parts, *, routes: Sequence[Route] = ROUTES) -> ASGIApp:
    """Build the web application that serves these parts."""
    for_programs = frozenset(route.path for route in routes if not route.is_page)
    complain = Complaints(for_programs)
    throttle = Throttle()
    by_path: defaultdict[str, dict[str, Route]] = defaultdict(dict)
    for route in routes:
        by_path[route.path][route.method] = route
    app = Starlette(
        routes=[
            Path(path, _endpoint(parts, methods, complain, throttle), methods=[*methods])
            for path, methods in by_path.items()
        ],
        middleware=[
            Middleware(GZipMiddleware, minimum_size=LEAST_COMPRESSED, compresslevel=COMPRESSION),
        ],
        exception_handlers={HTTPException: _plain_problem(complain)},
    )
    open_paths = {route.path for route in routes if route.is_open}
    return Guard(
        app,
        parts.in_force.door,
        lambda path: path in open_paths or path.startswith(PREFIX),
        lambda path: path not in for_programs and not path.startswith(PROGRAMS),
        complain=complain,
    )


def _endpoint(
    parts: Parts, methods: Mapping[str, Route], complain: Complain, throttle: Throttle
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        route = methods["GET" if request.method == "HEAD" else request.method]
        longest = parts.service.query_time.total_seconds() + WAIT_SECONDS
        try:
            door = await parts.in_force.door()
            if route.changes and not door.may_change(request.headers):
                raise door.token_wanted()
            async with asyncio.timeout(longest):
                call = await call_of(parts, route, request)
                return await route.handler(replace(call, may_change=door.knows(request.headers)))
        except ProblemError as refused:
            return complain(request.scope, refused)
        except TimeoutError:
            return complain(request.scope, BUSY)
        except Exception as error:  # nothing that goes wrong in here reaches whoever asked as it is
            problem = problem_of(error)
            if problem.status == 500:
                fault = fault_of(f"{route.method} {route.path}", error)
                if throttle.admits(f"{fault.route} {fault.where}"):
                    parts.tell(fault)
            return complain(request.scope, problem)

    return answer


def _plain_problem(complain: Complain) -> Callable[[Request, Exception], Awaitable[Response]]:
    """What the router itself refuses, in our shape."""

    async def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code, detail = {
            404: ("not-found", "There is nothing here. /openapi.json lists what there is."),
            405: ("wrong-method", "This cannot be asked for in this way."),
        }.get(error.status_code, ("bad-request", error.detail))
        problem = ProblemError(error.status_code, code, detail, error.headers)
        return complain(request.scope, problem)

    return answer
