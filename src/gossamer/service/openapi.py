"""`/openapi.json`: the table of routes as OpenAPI 3.1 has it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from gossamer import __version__
from gossamer.service import errors
from gossamer.service.answers import json_answer
from gossamer.service.routes import Call, Parameter, Reply, Route, json_reply
from gossamer.service.schemas import TEXT, Schema, record

ALWAYS: Final = (401, 403, 404, 421, 422, 429, 500, 503)  # what any route may come to
TOKEN: Final = "token"  # noqa: S105 (the name of a scheme)
TAGS: Final = {
    "graph": "What was found: search, things, SPARQL.",
    "crawl": "What a crawl does and did.",
    "politeness": "Manners for other programs.",
    "configuration": "Every value, read and changed.",
    "monitoring": "How all this is doing.",
}


def document(routes: Sequence[Route]) -> Mapping[str, Any]:
    """The whole page. What is for people is not in it."""
    paths: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for route in routes:
        if route.is_page or not route.is_listed:
            continue
        paths[route.path][route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Gossamer",
            "version": __version__,
            "description": "A polite spider for the structured web.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [{"name": name, "description": doc} for name, doc in TAGS.items()],
        "paths": dict(paths),
        "components": {
            "schemas": {"Problem": _plain(errors.SCHEMA)},
            "securitySchemes": {TOKEN: {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "operationId": _name(route),
        "summary": route.summary,
        "tags": [route.tag],
        "responses": _responses(route),
    }
    if route.doc:
        told["description"] = route.doc
    if route.parameters:
        told["parameters"] = [_parameter(each) for each in route.parameters]
    if route.body is not None:
        told["requestBody"] = {
            "description": route.body.doc,
            "required": route.body.required,
            "content": _content(route.body.schemas),
        }
    if route.changes:
        told["security"] = [{TOKEN: []}]
    return told


def _name(route: Route) -> str:
    words = route.path.strip("/").replace("{", "").replace("}", "").replace(".", "/").split("/")
    return "_".join([route.method.lower(), *filter(None, words)])


def _parameter(parameter: Parameter) -> Mapping[str, Any]:
    schema = _plain(parameter.schema)
    if parameter.many:
        schema = {"type": "array", "items": schema}
    elif parameter.default is not None:
        schema = {**schema, "default": parameter.default}
    return {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.doc,
        "required": parameter.required or parameter.place == "path",
        "schema": schema,
    }


def _responses(route: Route) -> Mapping[str, Any]:
    told = {str(status): _reply(reply) for status, reply in route.replies.items()}
    statuses = {*ALWAYS, *route.faults}
    if route.parameters:
        statuses.add(400)
    if route.body is not None:
        statuses |= {400, 408, 413, 415}
    problem = {errors.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status in sorted(statuses):
        told[str(status)] = {"description": HTTPStatus(status).phrase, "content": problem}
    return told


def _reply(reply: Reply) -> Mapping[str, Any]:
    told: dict[str, Any] = {"description": reply.doc}
    return {**told, "content": _content(reply.schemas)} if reply.schemas else told


def _content(schemas: Mapping[str, Schema]) -> Mapping[str, Any]:
    return {media_type: {"schema": _plain(schema)} for media_type, schema in schemas.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 (whatever a schema has in it)
    """A schema as plain values, to be written as JSON."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def route_to(routes: Sequence[Route]) -> Route:
    """The route that shows these, and itself."""

    async def page(call: Call) -> Response:
        return json_answer(call.request, shown)

    own = Route(
        path="/openapi.json",
        summary="This page",
        handler=page,
        replies=json_reply(
            "What can be asked, and how.", record({"openapi": TEXT, "paths": {"type": "object"}})
        ),
        tag="monitoring",
    )
    shown = document([*routes, own])
    return own
