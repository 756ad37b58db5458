"""Search, things, pages and queries, as people use them, over a crawl of the demo web."""

import re
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.axe import COLOURS, violations
from tests.e2e.conftest import WORLD, Tab
from tests.service.running import Client

QUERY = "SELECT ?type (COUNT(*) AS ?count) { ?s a ?type } GROUP BY ?type ORDER BY DESC(?count)"
WIDTHS = (390, 820, 1440)


def person(ask: Client) -> dict[str, str]:
    """Somebody who was met, with a name."""
    results = ask("/api/search", type="Person", limit=20).json["results"]
    found: dict[str, str] = next(each for each in results if " " in each["label"])
    return found


PAGES = {
    "front": "/",
    "search": "/search?q={label}",
    "entity": "/entity?id={id}",
    "query": f"/query?query={quote(QUERY)}",
    "crawl": "/crawl",
    "hosts": "/hosts",
    "problems": "/problems",
    "changes": "/changes",
    "report": "/report",
    "freshness": "/freshness",
    "audit": "/audit",
    "nodes": "/nodes",
    "log": "/log",
    "settings": "/settings",
    "explain": "/explain?url={source}",
    "page": "/page?url={source}",
    "site owner": f"/site-owner?host={urlsplit(WORLD.front(0)).netloc}",
    "login": "/login",
    "not found": "/nothing-here",
}


def path_of(name: str, ask: Client) -> str:
    """The address of a page for people, about somebody who was met."""
    thing = person(ask)
    told = {"label": thing["label"], "id": thing["id"], "source": thing["pages"][0]}
    return PAGES[name].format_map({key: quote(value, safe="") for key, value in told.items()})


def settled(page: Page) -> None:
    """Wait for what is loaded later."""
    for place, drawn in (
        ("form[data-editor]", ".editor .CodeMirror"),
        ("[data-graph]", ".graph canvas"),
        ("[data-chart]", ".chart:not(:empty)"),
    ):
        if page.locator(place).count():
            page.locator(drawn).first.wait_for()


@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_used_by_everybody_and_fits(tab: Tab, site: Client, name: str) -> None:
    tab.forgiven = ("error: Failed to load resource: the server responded with a status of 404",)
    page = tab.go(path_of(name, site))
    settled(page)
    assert not violations(page)
    page.emulate_media(color_scheme="dark")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert not violations(page, COLOURS)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} wide on a screen of {width}"


def test_from_a_word_to_a_thing_to_the_page_that_says_so(tab: Tab, site: Client) -> None:
    thing = person(site)
    page = tab.go("/")
    page.locator("main input[name=q]").fill(thing["label"])
    page.keyboard.press("Enter")
    page.locator("main a", has_text=thing["label"]).first.click()
    expect(page.locator("h1")).to_contain_text(thing["label"])
    page.locator("main a[href^='/page?url=']").first.click()
    expect(page.locator("h1")).to_be_visible()
    assert "/page?url=" in page.url
    expect(page.locator("main")).to_contain_text("200")


def test_suggestions_are_chosen_with_the_keyboard_alone(tab: Tab, site: Client) -> None:
    thing = person(site)
    page = tab.go("/")
    box = page.locator("main input[name=q]")
    box.focus()
    page.keyboard.type(thing["label"][:-1], delay=10)
    options = page.locator("main [role=option]")
    expect(options.first).to_be_visible()
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert box.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    page.keyboard.press("Escape")
    expect(options.first).to_be_hidden()
    page.keyboard.type(thing["label"][-1])
    expect(options.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/entity?id=*")


def test_a_page_is_reached_with_the_keyboard_alone(tab: Tab) -> None:
    page = tab.go("/hosts")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to content")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_the_neighbourhood_of_a_thing_is_drawn(tab: Tab, site: Client) -> None:
    page = tab.go(f"/entity?id={quote(person(site)['id'], safe='')}")
    picture = page.locator(".graph-picture")
    expect(picture.locator("canvas").first).to_be_visible()
    expect(picture).to_have_attribute("aria-label", re.compile(r"Neighbours of .+ \d+ neighbour"))
    page.get_by_role("button", name="Closer").click()
    page.get_by_role("button", name="Enlarge: all neighbours").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("canvas").first).to_be_visible()
    expect(dialog.locator(".graph-picture")).to_have_attribute(
        "aria-label", re.compile("neighbour")
    )
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_question_is_edited_and_answered_in_three_ways(tab: Tab) -> None:
    page = tab.go(f"/query?query={quote(QUERY)}")
    results = page.locator(".results")
    expect(results.locator("tbody tr").first).to_be_visible()
    expect(results.locator("td a").first).to_have_attribute("href", re.compile("^/entity"))
    results.get_by_role("button", name="count").click()
    expect(results.locator("th[aria-sort=ascending]")).to_contain_text("count")
    results.get_by_role("button", name=re.compile("Chart")).click()
    expect(results.locator("meter").first).to_be_visible()
    results.get_by_label("Bars for").select_option("count")
    expect(results.locator(".bar-name").first).to_have_text(re.compile(r"^[\d,]+$"))
    page.evaluate(
        "document.querySelector('.editor .CodeMirror').CodeMirror"
        ".setValue('CONSTRUCT { ?s ?p ?o } { ?s ?p ?o . ?o a ?t } LIMIT 5')"
    )
    page.get_by_role("button", name="Run query").click()
    results.get_by_role("button", name=re.compile("Graph")).click()
    expect(results.locator("canvas").first).to_be_visible()
    assert "CONSTRUCT" in page.url


@pytest.mark.parametrize("path", ["/problems", "/hosts", f"/page?url={quote(WORLD.front(0))}"])
def test_on_a_phone_every_column_of_a_table_is_seen(tab: Tab, path: str) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 800})
    page = tab.go(path)
    table = page.locator(".scroll").filter(has=page.locator("table.stacked")).first
    expect(table).to_be_visible()
    assert table.evaluate("each => each.scrollWidth <= each.clientWidth")
    last = page.locator(".stacked tbody tr").first.locator("td").last
    box = last.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390


def test_a_wrong_question_is_refused_in_words(tab: Tab) -> None:
    tab.forgiven = ("error: Failed to load resource: the server responded with a status of 400",)
    page = tab.go("/query?query=SELECT+nonsense")
    mistake = page.locator(".results [role=alert]")
    expect(mistake).to_contain_text(re.compile(r"^Line 1, column \d+\. \w"))
    expect(page.locator(".results")).not_to_contain_text("bad-query")
    page.set_viewport_size({"width": 390, "height": 800})
    assert mistake.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_the_editor_tells_what_was_probably_meant_until_something_is_found(tab: Tab) -> None:
    page = tab.go(f"/query?query={quote('SELECT * { ?s schema:nmae ?o }')}")
    hint = page.locator(".editor ~ p.note[role=status]")
    expect(hint).to_contain_text("Did you mean schema:name?")
    page.evaluate(
        "document.querySelector('.editor .CodeMirror').CodeMirror.setValue('SELECT * { ?s ?p ?o } LIMIT 1')"
    )
    page.get_by_role("button", name="Run query").click()
    expect(hint).to_be_hidden()


def test_a_thing_without_a_name_is_short_and_leads_to_its_page(tab: Tab) -> None:
    query = 'SELECT ?s { ?s a ?t FILTER STRSTARTS(STR(?s), "gossamer-blank:") } LIMIT 3'
    page = tab.go(f"/query?query={quote(query)}")
    link = page.locator(".results td a").first
    expect(link).to_have_text(re.compile(r"^_:b\w{5}…$"))
    link.click()
    expect(page.locator("h1")).to_be_visible()
    assert "/entity?id=_" in page.url


def test_names_are_completed_from_what_was_crawled(tab: Tab) -> None:
    page = tab.go("/query")
    editor = page.locator(".editor .CodeMirror")
    expect(editor).to_be_visible()
    page.evaluate("document.querySelector('.editor .CodeMirror').CodeMirror.setValue('')")
    editor.click()
    page.keyboard.type("SELECT * { ?s <http://schema.org/nam")
    page.keyboard.press("Control+Space")
    expect(page.locator(".CodeMirror-hint").first).to_contain_text("schema.org/name")


def test_a_prefix_of_ours_is_declared_as_it_is_typed(tab: Tab) -> None:
    page = tab.go("/query")
    editor = page.locator(".editor .CodeMirror")
    expect(editor).to_be_visible()
    page.evaluate("document.querySelector('.editor .CodeMirror').CodeMirror.setValue('')")
    editor.click()
    page.keyboard.type("SELECT * { ?s schema:name ?n ")
    expect(editor).to_contain_text("PREFIX schema:")


def test_on_a_phone_no_button_lies_over_the_query(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 800})
    page = tab.go("/query")
    lines, button = page.locator(".CodeMirror-scroll"), page.get_by_role("button", name="Run query")
    expect(button).to_be_visible()
    button.click(trial=True)  # nothing lies over it
    box, run = lines.bounding_box(), button.bounding_box()
    assert box is not None
    assert run is not None
    assert box["y"] + box["height"] <= run["y"]


def test_an_address_is_explained(tab: Tab, site: Client) -> None:
    page = tab.go("/crawl")
    page.locator("input[name=url]").fill(person(site)["pages"][0])
    page.keyboard.press("Enter")
    page.wait_for_url("**/explain?url=*")
    expect(page.locator("main")).to_contain_text("robots")


def test_the_csv_that_the_editor_gives_is_safe_in_a_spreadsheet(tab: Tab) -> None:
    query = """SELECT ?a ?b ?c { VALUES (?a ?b ?c) { ("=1+1" "-5" 'say "hi", please') } }"""
    page = tab.go(f"/query?query={quote(query)}")  # runs it: a click meanwhile would abort it
    expect(page.locator(".results")).to_contain_text("=1+1")
    with page.expect_download() as began:
        page.get_by_title("Take it along as CSV").click()
    assert began.value.path().read_bytes() == b'a,b,c\r\n\'=1+1,-5,"say ""hi"", please"\r\n'
