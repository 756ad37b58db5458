"""A crawl that is begun, watched, paused and stopped in a browser."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.cli.commands.test_serve import running
from tests.e2e.axe import violations
from tests.e2e.conftest import WORLD, Tab, opened
from tests.service.running import TOKEN, Client

from gossamer.demo.process import DemoServer

SLOW = "politeness.delay=1.5"
# Script and style of charts are loaded last. What is not there when a connection is lost cannot be
# loaded any more, of which the browser complains.
HAS_CHARTS = """performance.getEntriesByType("resource")
    .filter((each) => each.name.includes("/charts-")).length >= 2"""


@pytest.fixture(scope="module")
def endless() -> Iterator[DemoServer]:
    """A web that is not crawled to its end while somebody looks at it, however slowly."""
    with DemoServer(replace(WORLD, pages=6_000)) as server:
        yield server


@pytest.fixture
def empty(endless: DemoServer, tmp_path: Path) -> Iterator[Client]:
    """A service over a folder in which nothing was crawled yet."""
    command = ("serve", "127.0.0.1:0", "--connect-to", endless.connect_to, "--config", SLOW)
    with running(tmp_path, *command, GOSSAMER_SERVICE_TOKEN=TOKEN) as service:
        yield service.address()


@pytest.fixture
def control(empty: Client, browser: Browser) -> Iterator[Tab]:
    tab = opened(browser, empty.url)
    yield tab
    tab.context.close()
    tab.check()


def log_in(tab: Tab) -> Page:
    page = tab.go("/crawl")
    page.locator("main a", has_text="log in").click()
    page.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/crawl")
    return page


def test_a_crawl_is_begun_watched_paused_and_stopped(control: Tab) -> None:
    page = log_in(control)
    page.get_by_label("Addresses to begin with").fill(WORLD.front(0))
    page.get_by_role("button", name="Crawl these").click()
    state = page.locator("[data-live-state]")
    expect(state).to_have_text("Live")
    pages = page.locator("[data-live='ended.content']")
    for _ in range(2):  # it moves, and goes on to
        before = pages.inner_text()
        expect(pages).not_to_have_text(before)
    expect(page.locator(".chart canvas").first).to_be_visible()
    expect(page.locator(".u-legend .u-series").first).to_contain_text(re.compile(r"\d\d:\d\d"))
    assert not violations(page)

    said = page.locator("output[data-control-output]")
    control.forgiven = (
        "error: Failed to load resource: the server responded with a status of 400",
    )
    page.get_by_role("button", name="Crawl these").click()
    expect(said).to_have_text("Name an address to begin with, one a line.")
    page.get_by_label("Addresses to begin with").fill("other.test")
    page.get_by_role("button", name="Crawl these").click()
    expect(said).to_have_text("1 seed was added to the crawl that runs.")

    page.get_by_role("button", name="Pause").click()
    expect(state).to_have_text("Paused")
    expect(page.locator("output[data-control-output]")).to_contain_text("Paused")
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(state).to_have_text("Live")

    page.get_by_role("button", name="Stop").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(state).to_have_text("Live")
    page.get_by_role("button", name="Stop").click()
    dialog.get_by_role("button", name="Stop").click()
    expect(state).to_have_text("No crawl is running")
    expect(page.locator("[data-live-table='ended']")).to_contain_text("content")
    expect(said).to_have_text("")
    expect(page.locator("[data-live='handed']")).to_have_text("0")
    expect(page.get_by_role("heading", name="Phases of this run")).to_be_hidden()
    expect(page.get_by_role("button", name="Go on with it")).to_be_visible()


def test_a_limit_is_changed_and_a_login_ends(control: Tab) -> None:
    control.forgiven = (
        "error: Failed to load resource: the server responded with a status of 400",
    )
    page = log_in(control)
    page.get_by_text("Change limits").click()
    limits = page.locator("form[data-configure]")
    limits.locator("[name='crawl.max_pages']").fill("many")
    page.keyboard.press("Enter")
    expect(limits.locator("output")).to_contain_text("not a whole number")
    limits.locator("[name='crawl.max_pages']").fill("7")
    page.keyboard.press("Enter")
    expect(limits.locator("output")).to_contain_text("crawl.max_pages is changed")
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("main a", has_text="log in")).to_be_visible()
    expect(page.locator("form[data-control]")).to_have_count(0)


def test_a_lost_connection_is_said_and_found_again(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, "serve", "127.0.0.1:0") as service:
        tab = opened(browser, service.address().url)
        tab.forgiven = ("error: Failed to load resource: net::",)
        state = tab.go("/crawl").locator("[data-live-state]")
        expect(state).to_have_text("No crawl is running")
        # Asked from outside, time and again: the page itself may not `eval`.
        while not tab.page.evaluate(HAS_CHARTS):
            tab.page.wait_for_timeout(50)
    expect(state).to_have_text("Connection lost, trying again")
    expect(tab.page.locator(".is-stale").first).to_be_visible()
    with running(tmp_path, "serve", tab.url.removeprefix("http://")) as service:
        service.address()
        expect(state).to_have_text("No crawl is running")
        tab.context.close()
    tab.check()
