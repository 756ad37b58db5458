"""Emptying the cache of a proxy in another process: a request in a file beside the cache, and its answer.

Whoever owns the folder is asked over its socket; a proxy beside it has none. It looks for the file once a
second, as it looks for changes of the configuration.
"""

import json
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.errors import FolderInUseError
from gossamer.model import Url
from gossamer.proxy.cache.forgetting import forget_stored, without_proxy
from gossamer.proxy.cache.protocol import Cache
from gossamer.urls import host_of

PATIENCE_SECONDS: Final = 20.0  # a proxy that is busy may take longer than its second
LOOK_SECONDS: Final = 0.1


def drop_pages(path: Path, host: str | None) -> int:
    """Drop responses from the cache of a proxy in another process, or from its file where none runs."""
    try:
        with without_proxy(path):
            return forget_stored(path, lambda url: host is None or host_of(Url(url)) == host)
    except FolderInUseError:
        return request_clear(path, host)


def request_clear(path: Path, host: str | None, patience: float = PATIENCE_SECONDS) -> int:
    """Have the proxy that has a cache open empty it, or a host's part; how many responses are gone."""
    asked, answer, token = _files(path, secrets.token_hex(8))
    _write(asked, {"token": token, "host": host})
    until = time.monotonic() + patience
    try:
        while time.monotonic() < until:
            with suppress(FileNotFoundError):
                cleared: int = json.loads(answer.read_bytes())["cleared"]
                return cleared
            time.sleep(LOOK_SECONDS)
    finally:
        asked.unlink(missing_ok=True)
        answer.unlink(missing_ok=True)
    raise FolderInUseError(
        f"The proxy with the cache of {path.parent} does not answer. Stop it, and try again."
    )


def answer_request(path: Path, cache: Cache) -> bool:
    """Empty the cache as a file beside it asks for, if there is one, and write how much is gone."""
    asked, _, _ = _files(path, "")
    try:
        request = json.loads(asked.read_bytes())
        token, host = str(request["token"]), request["host"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    with suppress(OSError):  # whoever asked has left
        asked.unlink()
        _, answer, _ = _files(path, token)
        _write(answer, {"cleared": cache.clear(host if isinstance(host, str) else None)})
    return True


def _files(path: Path, token: str) -> tuple[Path, Path, str]:
    """The file of a request, and that of the answer to the one with this token."""
    plain = "".join(each for each in token if each.isalnum())
    return path.with_suffix(".clear"), path.with_suffix(f".cleared-{plain}"), token


def _write(path: Path, content: object) -> None:
    """Write a small file at once: nobody reads half of it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(content, file)
    draft.replace(path)
