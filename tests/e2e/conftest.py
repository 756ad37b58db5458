"""What tests in a browser share: Chromium, and a page that must not complain.

Playwright keeps an event loop in the thread that uses it, so it is there for one module at a time:
no other test of this process could run one of its own meanwhile.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Request,
    expect,
    sync_playwright,
)
from tests.cli.commands.test_serve import running
from tests.crawl.crawls import crawled, hurried, reaching
from tests.service.running import TOKEN, Client
from tests.slowness import patience

from gossamer.config import KeptReport
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.web.assets import bundle

WORLD: Final = World(seed=3, pages=60, hosts=4)

ROOT: Final = Path(__file__).resolve().parents[2]
AXE: Final = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE: Final = patience(30_000)  # milliseconds


@dataclass
class Tab:
    """A page in the browser, and all that went wrong in it."""

    page: Page
    context: BrowserContext
    url: str
    faults: list[str] = field(default_factory=list)
    forgiven: tuple[str, ...] = ()  # beginnings of what a test provokes

    def go(self, path: str) -> Page:
        """Go there, and wait until scripts have begun."""
        self.page.goto(self.url + path, wait_until="load")
        return self.page

    def heard(self, message: ConsoleMessage) -> None:
        """Note a complaint of the browser."""
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def thrown(self, error: Error) -> None:
        """Note an exception."""
        self.faults.append(f"exception: {error}")

    def asked(self, dialog: Dialog) -> None:
        """Note a dialog: scripts of ours open none of these."""
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def requested(self, request: Request) -> None:
        """Note a request to anybody else."""
        if not _is_ours(request.url, self.url):
            self.faults.append(f"elsewhere: {request.url}")

    def check(self) -> None:
        """Fail where anything was complained of."""
        wrong = [each for each in self.faults if not each.startswith(self.forgiven or ("-",))]
        assert not wrong, wrong


def chromium() -> str:
    """The system's Chromium, or a skip that says how to get all that is wanted."""
    found = os.environ.get("GOSSAMER_TEST_CHROMIUM") or shutil.which("chromium")
    if found is None:
        pytest.skip("needs browser: there is no Chromium here (`make browser`)")
    if not bundle().is_built or not AXE.exists():
        pytest.skip("needs browser: what moves in the pages is not built (`make web`)")
    return found


@pytest.fixture(scope="session")
def demo() -> Iterator[DemoServer]:
    """The demo web."""
    with DemoServer(WORLD) as server:
        yield server


@pytest.fixture(scope="session")
def site(demo: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """`gossamer serve` over a crawl of it."""
    chromium()
    folder = tmp_path_factory.mktemp("site")
    config = replace(reaching(hurried(), demo.address), report=KeptReport(keep=True))
    crawled(folder / "gossamer-data", config, [WORLD.front(0)])
    command = ("serve", "127.0.0.1:0", "--connect-to", demo.connect_to)
    with running(folder, *command, GOSSAMER_SERVICE_TOKEN=TOKEN) as service:
        yield service.address()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module."""
    program = chromium()
    expect.set_options(timeout=PATIENCE)  # which has a default of its own, of five seconds
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS])
        yield browser
        browser.close()


def opened(browser: Browser, url: str) -> Tab:
    """A tab of its own, with cookies of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    tab = Tab(page, context, url)
    page.on("console", tab.heard)
    page.on("pageerror", tab.thrown)
    page.on("dialog", tab.asked)
    page.on("request", tab.requested)
    return tab


@pytest.fixture
def tab(site: Client, browser: Browser) -> Iterator[Tab]:
    """A tab at that service."""
    opened_tab = opened(browser, site.url)
    yield opened_tab
    opened_tab.context.close()
    opened_tab.check()


def _is_ours(asked: str, url: str) -> bool:
    return asked.startswith(("data:", "blob:")) or urlsplit(asked).netloc == urlsplit(url).netloc
