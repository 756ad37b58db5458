"""A browser that asks through the proxy, in plain text, in tunnels, and looked into."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.cli.commands.test_proxy import gossamer
from tests.e2e.conftest import PATIENCE, WORLD
from tests.proxy.origin import Origin
from tests.proxy.proxied import SOON
from tests.proxy.proxied import running as proxying

from gossamer.config import Fetch
from gossamer.demo.process import DemoServer
from gossamer.proxy.authority import Authority
from gossamer.proxy.certificates import Certificates


@contextmanager
def proxied(folder: Path, *, intercepts: bool) -> Iterator[tuple[int, Origin]]:
    """A proxy before a server with and without TLS, in a thread; its port, and the server."""
    authority = Authority.create(folder / "ca", datetime.now(UTC))
    began, found = threading.Event(), list[tuple[int, Origin]]()
    loop, over = asyncio.new_event_loop(), asyncio.Event()

    async def work() -> None:
        certificates = Certificates(authority)
        tls = await certificates.certificate_for("secure.test")
        async with proxying(
            folder / "data",
            fetch=Fetch(ca=str(authority.file)),
            certificates=certificates if intercepts else None,
            tls=tls,
        ) as running:
            found.append((running.port, running.web))
            began.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(work(),))
    thread.start()
    try:
        assert began.wait(SOON)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


@contextmanager
def tab(browser: Browser, proxy: str) -> Iterator[Page]:
    context = browser.new_context(proxy={"server": proxy}, ignore_https_errors=True)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def status(page: Page, url: str) -> int:
    answer = page.goto(url)
    assert answer is not None
    return answer.status


def test_pages_come_through_it_and_robots_are_heeded(browser: Browser, tmp_path: Path) -> None:
    with (
        proxied(tmp_path, intercepts=False) as (port, web),
        tab(browser, f"http://127.0.0.1:{port}") as page,
    ):
        assert status(page, "http://a.test/") == 200
        assert page.inner_text("body").startswith("xxx")
        assert status(page, "http://a.test/private/x") == 403
        assert "robots.txt" in page.inner_text("body")
        assert status(page, "https://secure.test/private/x") == 200  # a tunnel: nobody looks in
        assert "/private/x" in [each.target for each in web.pages("secure.test")]


def test_what_is_looked_into_heeds_robots_too(browser: Browser, tmp_path: Path) -> None:
    with (
        proxied(tmp_path, intercepts=True) as (port, web),
        tab(browser, f"http://127.0.0.1:{port}") as page,
    ):
        assert status(page, "https://secure.test/") == 200
        assert status(page, "https://secure.test/private/x") == 403
        assert "/private/x" not in [each.target for each in web.pages("secure.test")]


def test_the_page_of_the_proxy_moves(browser: Browser, demo: DemoServer, tmp_path: Path) -> None:
    reach = ("--connect-to", demo.connect_to, "--data", str(tmp_path / "data"))
    with gossamer("serve", "127.0.0.1:0", "--proxy", "127.0.0.1:0", *reach) as (_, places):
        own = browser.new_context()
        own.set_default_timeout(PATIENCE)
        watching = own.new_page()
        watching.goto(places["Serving"] + "/proxy")
        place = watching.inner_text("#proxy .badge--good").removeprefix("at ")
        answers = watching.locator("#proxy .figures div", has_text="Answers").locator("dd").first
        assert answers.inner_text() == "0"
        with tab(browser, f"http://{place}") as page:
            assert status(page, WORLD.front(0)) == 200
            answers.filter(has_not_text="0").wait_for()
        own.close()
