"""Two proxies in processes of their own on one database: one clock for each host, and pages that both have."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.commands.test_proxy import PATIENT, gossamer, through
from tests.crawl.commands import until
from tests.proxy.cache.redis_server import PROGRAM, RedisServer

DELAY = 0.4  # seconds


class Web(ThreadingHTTPServer):
    """A host that notes when it was asked, and lets everybody keep what it says."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.asked: list[tuple[str, float, float]] = []  # path, begin, end


class _Answer(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        begun = time.monotonic()
        found = self.path != "/robots.txt"
        self.send_response(200 if found else 404)
        self.send_header("Cache-Control", "max-age=3600")
        self.send_header("Content-Length", "4")
        self.end_headers()
        time.sleep(0.05)
        self.server.asked.append((self.path, begun, time.monotonic()))
        self.wfile.write(b"page")

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@contextmanager
def proxy(folder: Path, web: Web, database: str, *more: str) -> Iterator[str]:
    reach = f"*.test=127.0.0.1:{web.server_address[1]}"
    config = (f"frontier.address={database}", f"politeness.delay={DELAY}", *more)
    words = [word for each in config for word in ("--config", each)]
    told = ("--data", str(folder), "--connect-to", reach, "--agent-contact", "me@a.test")
    with gossamer("proxy", "127.0.0.1:0", *told, *words) as (_, places):
        yield places["Proxy"]


def test_one_host_is_asked_by_both_with_its_delay_and_what_one_has_is_there_for_the_other(
    web: Web, database: str, tmp_path: Path
) -> None:
    with ExitStack() as life:
        more = []
        if PROGRAM is not None:
            more = [f"proxy.cache_shared={life.enter_context(RedisServer(tmp_path)).address}"]
        one, other = (
            life.enter_context(proxy(tmp_path / name, web, database, *more)) for name in "ab"
        )

        with ThreadPoolExecutor(6) as clients:
            urls = [
                (each, f"http://one.test/{number}{each[-1]}")
                for number in range(3)
                for each in (one, other)
            ]
            answers = list(clients.map(lambda each: through(*each, **PATIENT), urls))
        assert answers == [(200, b"page")] * 6
        asked = sorted(web.asked, key=lambda each: each[1])
        assert [each[0] for each in asked].count("/robots.txt") == 1  # for both
        assert len(asked) == 7
        assert min(after[1] - before[2] for before, after in pairwise(asked)) >= DELAY
        if PROGRAM is None:
            return
        until(lambda: _is_shared(one, other, web))


def _is_shared(one: str, other: str, web: Web) -> bool:
    """Whether the other has a new page from the server of both.

    A server that answers late on a busy machine is left alone for a while, so this is asked with a new page each time.
    """
    path = f"later{len(web.asked)}"
    for each in (one, other):
        assert through(each, f"http://one.test/{path}", **PATIENT) == (200, b"page")
        time.sleep(0.2)  # sharing is never waited for
    return [each[0] for each in web.asked].count(f"/{path}") == 1
