"""JSON on its way out: written once, with a tag by which whoever has it already need not get it."""

import json
from hashlib import blake2b
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from gossamer.service.routes import JSON

TAG_BYTES: Final = 12


def json_answer(
    request: Request,
    value: object,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    news: object = None,
) -> Response:
    """The value as JSON; 304 where the request names the tag that it has.

    `news` is what its tag is made of where a part of the value is no news: how long it took.
    """
    body = _written(value)
    tag = tag_of(body if news is None else _written(news))
    return _answered(request, body, JSON, tag, status, headers)


def tagged(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    """Bytes with their tag; 304 where the request names it."""
    return _answered(request, body, media_type, tag_of(body), status, headers)


def tag_of(body: bytes) -> str:
    """The tag of some bytes. A weak one: compressed or not, they say the same."""
    return f'W/"{blake2b(body, digest_size=TAG_BYTES).hexdigest()}"'


def _answered(
    request: Request,
    body: bytes,
    media_type: str,
    tag: str,
    status: int,
    headers: dict[str, str] | None,
) -> Response:
    told = {"ETag": tag, **(headers or {})}
    if request.method in ("GET", "HEAD") and _names(request, tag):
        return Response(status_code=304, headers=told)
    return Response(body, status, media_type=media_type, headers=told)


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def next_page(request: Request, after: str | None) -> dict[str, str]:
    """The header that leads to the next page, where there is one."""
    if after is None:
        return {}
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "after"]
    return {"Link": f'<{request.url.path}?{urlencode([*kept, ("after", after)])}>; rel="next"'}


def _names(request: Request, tag: str) -> bool:
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or tag in (each.strip() for each in known.split(","))
