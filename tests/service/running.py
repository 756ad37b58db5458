"""A service on loopback, in a thread of its own, and a client that asks it as anybody would."""

import asyncio
import http.client
import json
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.slowness import patience

from gossamer.config import Config, Service
from gossamer.events import Event
from gossamer.folder.data import DataFolder
from gossamer.http.listening import Address, bind_socket, url_of
from gossamer.owner.messages import Answering
from gossamer.owner.opening import answer_folder
from gossamer.owner.unix_socket import Owner
from gossamer.proxy.cache.clearing import drop_pages
from gossamer.service.crawls import watched
from gossamer.service.guard import InForce
from gossamer.service.listening import serve_app
from gossamer.service.routes import Parts, Route
from gossamer.settings.in_force import SettingsFile
from gossamer.settings.sources import Settings, read_file, read_runtime, settle
from gossamer.values import as_json
from gossamer.web.app import ROUTES, application

TOKEN = "a-token-of-our-own"
PATIENCE = patience(60)
SECRET = "http://me:hunter2@127.0.0.1:3128"


@dataclass(frozen=True)
class Answered:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]


@dataclass
class Client:
    """Asks a service."""

    url: str
    events: list[Event] = field(default_factory=list)

    def __call__(
        self,
        path: str,
        method: str = "GET",
        *,
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Answered:
        asked = path + (f"?{urlencode(query, doseq=True)}" if query else "")
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        try:
            connection.request(method, asked, body, dict(headers or {}))
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answered(answer.status, names, answer.read())
        finally:
            connection.close()

    def put(self, path: str, value: object, token: str | None = TOKEN) -> Answered:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return self(path, "PUT", body=json.dumps(value), headers=headers)


@contextmanager
def service_on(
    data: DataFolder,
    service: Service | None = None,
    *,
    is_loopback: bool = True,
    routes: Sequence[Route] = ROUTES,
    beside: bool = False,
    config: Config | None = None,
) -> Iterator[Client]:
    """A service over the folder, which is owned by it, unless it is one `beside` the owner."""
    told: queue.Queue[tuple[str, asyncio.Event, asyncio.AbstractEventLoop]] = queue.Queue()
    events: list[Event] = []
    config = replace(config or Config(), service=service or Service())

    user_file = SettingsFile(data)

    def settled(runtime: Mapping[str, object] | None) -> Settings:
        user_file.look(lambda values: settled_by(values, runtime))
        return settled_by(user_file.values, runtime)

    def settled_by(
        values: Mapping[str, object], runtime: Mapping[str, object] | None = None
    ) -> Settings:
        kept = read_runtime(data.runtime_file) if runtime is None else runtime
        given = {
            f"service.{name}": as_json(value) for name, value in asdict(config.service).items()
        }
        command_line = {"fetch.upstream_proxy": SECRET}
        return settle(runtime=kept, command_line=command_line, kept=given, file=values)

    @asynccontextmanager
    async def owner() -> AsyncIterator[Answering]:
        if beside:
            yield Owner(data.socket_file)
            return
        async with answer_folder("serve", data, config) as answers:
            yield answers

    async def run() -> None:
        async with owner() as answers:
            parts = watched(
                Parts(
                    data=data,
                    answering=answers,
                    in_force=InForce(
                        data=data,
                        service=config.service,
                        settings=settled(None),
                        settle=settled,
                        written=lambda: settled_by(read_file(data.settings_file)),
                        is_loopback=is_loopback,
                    ),
                    tell=events.append,
                    drop_pages=partial(drop_pages, data.proxy_cache_file),
                )
            )
            assert parts.watch is not None
            app = application(parts, routes=routes)
            with bind_socket(Address("127.0.0.1", 0)) as ours:
                async with (
                    serve_app(app, ours, events.append, config.service.max_connections),
                    parts.watch.running(),
                ):
                    ended = asyncio.Event()
                    told.put((url_of(ours), ended, asyncio.get_running_loop()))
                    await ended.wait()

    with nullcontext() if beside else data.owned():
        thread = threading.Thread(target=lambda: asyncio.run(run()))
        thread.start()
        url, ended, loop = told.get(timeout=PATIENCE)
        try:
            yield Client(url, events)
        finally:
            loop.call_soon_threadsafe(ended.set)
            thread.join(PATIENCE)
            assert not thread.is_alive()


def until(ask: Client, path: str, is_so: Callable[[Any], object]) -> Any:
    """What is told at that path when it is so."""
    told = None
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = ask(path)
        told = answer.json
        if answer.status == 200 and is_so(told):
            return told
        time.sleep(0.1)
    raise AssertionError(told)
