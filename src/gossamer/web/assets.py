"""Serves stylesheet, pictures and scripts, with how long a browser may cache them.

What we wrote by hand is named with a tag of its content, what Vite built has one in its name:
either never changes under its address, so a browser asks for it once.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from starlette.responses import Response

from gossamer.service.answers import tagged
from gossamer.service.errors import not_found
from gossamer.service.routes import Call, Parameter, Reply, Route
from gossamer.service.schemas import text

STATIC: Final = Path(__file__).parent / "static"
BUILT: Final = "built"  # Vite's output, which is made by `make web` and not kept in git
MANIFEST: Final = f"{BUILT}/.vite/manifest.json"
NAMED_BY_CONTENT: Final = f"{BUILT}/assets/"
PREFIX: Final = "/static/"
FOR_EVER: Final = "public, max-age=31536000, immutable"
MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".css": "text/css",
        ".js": "text/javascript",
        ".json": "application/json",
        ".map": "application/json",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
    }
)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The built scripts and styles of a page; empty if nothing was built."""

    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()

    @property
    def is_built(self) -> bool:
        """Whether there are any scripts."""
        return bool(self.scripts)


def asset(name: str) -> str:
    """The URL of a static file."""
    path = STATIC / name
    return f"{PREFIX}{name}?v={_tag(path, path.stat().st_mtime_ns)}"


def bundle(static: Path = STATIC) -> Bundle:
    """The built scripts, as Vite's manifest names them."""
    manifest = static / MANIFEST
    try:
        return _bundle(manifest, manifest.stat().st_mtime_ns)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Bundle()  # not built, or half of it: the pages do without


async def file(call: Call) -> Response:
    """Serve a static file."""
    name = call.given["name"]
    path = _path(name)
    media_type = None if path is None else MEDIA_TYPES.get(path.suffix)
    if path is None or media_type is None:
        raise not_found("There is no such file.")
    body = await asyncio.to_thread(path.read_bytes)
    lasting = name.startswith(NAMED_BY_CONTENT) or call.given["v"] == _hash(body)
    kept = {"Cache-Control": FOR_EVER} if lasting else None
    return tagged(call.request, body, media_type, headers=kept)


def _path(name: str) -> Path | None:
    """The file of this name; none outside of the folder, and none that is hidden."""
    try:
        path = (STATIC / name).resolve()
        if not path.is_relative_to(STATIC) or not path.is_file():
            return None
    except (OSError, ValueError):  # too long, or with characters that no name has
        return None
    hidden = any(part.startswith(".") for part in path.relative_to(STATIC).parts)
    return None if hidden else path


@lru_cache(maxsize=64)
def _tag(path: Path, _changed: int) -> str:
    return _hash(path.read_bytes())


def _hash(body: bytes) -> str:
    return blake2b(body, digest_size=6).hexdigest()


@lru_cache(maxsize=4)
def _bundle(manifest: Path, _changed: int) -> Bundle:
    entries: dict[str, dict[str, Any]] = json.loads(manifest.read_bytes())
    begun = [each for _, each in sorted(entries.items()) if each.get("isEntry")]
    built = f"{PREFIX}{BUILT}/"
    return Bundle(
        tuple(f"{built}{each['file']}" for each in begun if each["file"].endswith(".js")),
        tuple(f"{built}{name}" for each in begun for name in each.get("css", ())),
    )


ROUTES: Final = (
    Route(
        path=f"{PREFIX}{{name:path}}",
        summary="Files that pages ask for",
        handler=file,
        parameters=(
            Parameter(name="name", doc="Its path.", schema=text(most=300), place="path"),
            Parameter(name="v", doc="The tag of its content.", schema=text(most=40)),
        ),
        replies={200: Reply(doc="The file.")},
        is_open=True,
        is_page=True,
    ),
)
