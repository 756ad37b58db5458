"""Pages full of attempts to run script in ours: they are shown as text, and run nothing."""

import json
from collections.abc import Iterator
from html import escape
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, crawled_site
from tests.e2e.conftest import Tab, chromium, opened
from tests.service.running import Client, service_on

from gossamer.folder.data import DataFolder

DONE = "window.pwned=1"
ATTEMPTS = (
    f"<script>{DONE}</script>",
    f'"><img src=x onerror={DONE}>',
    f"'><svg/onload={DONE}>",
    f"</title></textarea><script>{DONE}</script>",
    f"{{{{constructor.constructor('{DONE}')()}}}}",
    f"javascript:{DONE}",
)
THING = "http://evil.test/thing"
SCRIPT_IRI = f"javascript:{DONE}//thing"
SEED = "http://evil.test/"


def statements() -> str:
    """Things with attempts wherever a value may be."""
    things = [
        {
            "@context": {"@vocab": "http://schema.org/"},
            "@id": THING if number == 0 else f"{SCRIPT_IRI}{number}",
            "@type": "Person",
            "name": f"Mallory {attempt}",
            "description": attempt,
            "url": {"@id": SCRIPT_IRI},
            "image": {"@id": f"javascript:{DONE}//image"},
            "knows": {"@id": f"{SCRIPT_IRI}1", "name": attempt},
            f"property{quote(attempt, safe='')}": attempt,
        }
        for number, attempt in enumerate(ATTEMPTS)
    ]
    return json.dumps(things).replace("</", "<\\/")


def page_of_attempts() -> str:
    links = "".join(
        f"<a href='/{quote(each)}{number}'>{escape(each)}</a>"
        for number, each in enumerate(ATTEMPTS)
    )
    return f"""<title>Mallory {escape(ATTEMPTS[3])}</title><meta name=description content="{escape(ATTEMPTS[1])}">
<script type="application/ld+json">{statements()}</script>
<script type="application/ld+json">{{"broken": {escape(ATTEMPTS[1])}}}</script>
<script>{DONE}</script><img src=x onerror="{DONE}">
<a href="javascript:{DONE}">x</a>{links}"""


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A service over a crawl of such pages."""
    chromium()
    folder = tmp_path_factory.mktemp("evil") / "data"
    page = page_of_attempts()
    turtle = Sent(
        f'<{THING}> <http://schema.org/name> "{DONE}" .', headers={"Content-Type": ATTEMPTS[0]}
    )
    pages: dict[str, Sent | str] = {SEED: page, f"{SEED}{quote(ATTEMPTS[0])}0": turtle}
    crawled_site(folder, pages, [SEED], hurried(scope="host"))
    with service_on(DataFolder(folder)) as client:
        yield client


@pytest.fixture
def tab(evil: Client, browser: Browser) -> Iterator[Tab]:
    opened_tab = opened(browser, evil.url)
    # What an archived copy holds is refused by its sandbox, which the browser tells.
    opened_tab.forgiven = ("error: Blocked script execution", "error: Refused to", "error: Loading")
    yield opened_tab
    opened_tab.context.close()
    opened_tab.check()


def is_safe(page: Page) -> None:
    """Nothing ran, no link would run anything, and frames cannot."""
    page.wait_for_load_state("load")
    assert not page.evaluate("window.pwned")
    for frame in page.locator("iframe").all():
        assert frame.get_attribute("sandbox") == ""
    links = page.eval_on_selector_all("[href], [src]", "all => all.map(e => e.href || e.src)")
    assert not [
        each for each in links if str(each).lower().startswith(("javascript:", "data:text"))
    ]


def test_what_is_asked_for_stays_text(tab: Tab) -> None:
    tab.forgiven += ("error: Failed to load resource: the server responded with a status of 4",)
    attempts = quote(" ".join(ATTEMPTS), safe="")
    for path in ("/search?q=", "/entity?id=", "/page?url=", "/nothing/", "/login?next="):
        is_safe(tab.go(path + attempts))


def test_a_thing_shows_what_was_tried_as_text(tab: Tab) -> None:
    page = tab.go("/search?q=mallory")
    is_safe(page)
    expect(page.locator("main")).to_contain_text(ATTEMPTS[2])
    page.locator("main input[name=q]").fill("mallor")
    expect(page.locator("[role=option]").first).to_be_visible()
    is_safe(page)
    for iri in (f"{SCRIPT_IRI}1", THING):
        page = tab.go(f"/entity?id={quote(iri, safe='')}")
        page.locator(".graph canvas").first.wait_for()
        is_safe(page)
    expect(page.locator("main")).to_contain_text(ATTEMPTS[0])


def test_pages_problems_and_copies_are_shown_safely(tab: Tab) -> None:
    for path in (f"/page?url={quote(SEED, safe='')}", "/problems", "/hosts", "/audit", "/crawl"):
        is_safe(tab.go(path))
    copy = tab.page.goto(f"{tab.url}/archived?url={quote(SEED, safe='')}")
    assert copy is not None
    policy = copy.headers["content-security-policy"]
    assert "sandbox" in policy
    assert "allow-scripts" not in policy


def test_answers_to_queries_are_shown_safely(tab: Tab) -> None:
    everything = "SELECT ?s ?p ?o { ?s ?p ?o FILTER(CONTAINS(STR(?o), 'pwned')) }"
    page = tab.go(f"/query?query={quote(everything)}")
    results = page.locator(".results")
    expect(results.locator("tbody td").first).to_be_visible()
    expect(results.locator("table")).to_contain_text(ATTEMPTS[0])
    is_safe(page)
    results.get_by_role("button", name="Graph").click()
    expect(results.locator("canvas").first).to_be_visible()
    is_safe(page)
