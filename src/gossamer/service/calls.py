"""A request read by its route: parameters and body as their schemas have them, or a problem."""

import asyncio
import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request

from gossamer.service.errors import ProblemError
from gossamer.service.routes import JSON, Body, Call, Parameter, Parts, Route
from gossamer.service.schemas import faults, read_text

BODY_SECONDS: Final = 30.0  # to send all of it
MOST_TOLD: Final = 3  # faults of one request
MOST_DEPTH: Final = 64  # of lists and objects in a body; none of ours needs more than four
_TOO_DEEP: Final = ProblemError(
    400, "bad-body", f"The body is nested too deeply: {MOST_DEPTH} levels at most."
)


async def call_of(parts: Parts, route: Route, request: Request) -> Call:
    """The call that a request is; raises `ProblemError`."""
    given = _parameters(route, request)
    body = None
    if route.body is not None:
        most = parts.service.max_body_bytes
        body = await _body(route.body, request, min(most, route.body.most_bytes or most))
    return Call(parts, request, given, body)


def _parameters(route: Route, request: Request) -> Mapping[str, Any]:
    query = request.query_params
    if not route.takes_anything:
        _refuse_unknown(route.parameters, query)
    wrong: list[str] = []
    given = {}
    for parameter in route.parameters:
        name = f"`{parameter.name}`"
        raw = _raw(parameter, request, query)
        read = [read_text(parameter.schema, each) for each in raw]
        for value in read:
            wrong += faults(parameter.schema, value, name)
        if parameter.required and not raw:
            wrong.append(f"{name} is missing")
        if len(raw) > 1 and not parameter.many:
            wrong.append(f"{name} may be given once")
        given[parameter.name] = (
            tuple(read) if parameter.many else read[0] if read else parameter.default
        )
    if wrong:
        raise ProblemError(400, "bad-parameter", _sentence(wrong))
    return given


def _raw(parameter: Parameter, request: Request, query: QueryParams) -> list[str]:
    if parameter.place == "path":
        return [request.path_params[parameter.name]]
    return query.getlist(parameter.name)


def _refuse_unknown(parameters: Sequence[Parameter], query: QueryParams) -> None:
    known = [each.name for each in parameters if each.place == "query"]
    for name in query:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"There is {_and(known)}."
            raise ProblemError(
                400, "bad-parameter", f"There is no parameter {name[:60]!r} here. {hint}"
            )


async def _body(body: Body, request: Request, most_bytes: int) -> Any:  # noqa: ANN401 (as it came)
    received = await received_body(request, most_bytes)
    if not received and not body.required:
        return None
    media_type = media_type_of(request)
    if media_type not in body.schemas:
        raise ProblemError(
            415,
            "wrong-media-type",
            f"The body comes as {_and([*body.schemas])}, not as {media_type or 'nothing named'!r}.",
        )
    if media_type != JSON:
        return received
    value = _json(received)
    if wrong := list(_first(faults(body.schemas[JSON], value, "the body"))):
        raise ProblemError(400, "bad-body", _sentence(wrong))
    return value


def media_type_of(request: Request) -> str:
    """What the request says that its body is, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def received_body(request: Request, most_bytes: int) -> bytes:
    """The whole body, within a limit on its size and the time it takes."""
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > most_bytes:
        raise _too_large(most_bytes)
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most_bytes:
                    raise _too_large(most_bytes)
                parts.append(part)
    except TimeoutError:
        raise ProblemError(408, "too-slow", "The body did not come in time.") from None
    except ClientDisconnect:
        raise ProblemError(400, "gone", "Whoever asked is gone.") from None
    return b"".join(parts)


def _too_large(most_bytes: int) -> ProblemError:
    return ProblemError(413, "too-large", f"A body may have {most_bytes:,} bytes here.")


def _json(received: bytes) -> object:
    try:
        value = json.loads(received, parse_constant=_no_constant)
    except RecursionError:
        raise _TOO_DEEP from None
    except ValueError as error:
        raise ProblemError(400, "bad-body", f"The body is no JSON: {error}.") from None
    if is_deep(value, MOST_DEPTH):  # or whoever looks at it would run out of stack
        raise _TOO_DEEP
    return value


def is_deep(value: object, most: int) -> bool:
    """Whether lists and objects stand inside each other more often than that."""
    level = [value]
    for _ in range(most + 1):
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        if not inner:
            return False
        level = inner
    return True


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no value of JSON")


def _first(wrong: Iterator[str]) -> Iterator[str]:
    for _, each in zip(range(MOST_TOLD + 1), wrong, strict=False):
        yield each


def _sentence(wrong: Sequence[str]) -> str:
    more = "; and more" if len(wrong) > MOST_TOLD else ""
    told = "; ".join(wrong[:MOST_TOLD])
    return f"{told[:1].upper()}{told[1:]}{more}."


def _and(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
