"""Changes over REST, as a feed and on a page: of a shop that was crawled twice, with a hostile name in it."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from tests.history.shop import HOSTILE, SHOP, crawl_twice
from tests.service.running import Client, service_on
from tests.web.conftest import BROWSER
from tests.web.reading import Page, read

from gossamer.config import Service
from gossamer.folder.data import DataFolder

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    data = DataFolder(tmp_path_factory.mktemp("shop") / "data")
    crawl_twice(data.path)
    with service_on(data, Service()) as client:
        yield client


def look(client: Client, **query: Any) -> Page:
    answer = client("/changes", headers={"Accept": BROWSER}, **query)
    assert answer.status == 200, answer.body[:2000]
    return read(answer)


def test_changes_are_told_page_by_page(shop: Client) -> None:
    everything = shop("/api/changes").json
    assert everything["next"] is None
    assert everything["pages"] == 5
    found, after = [], None
    while True:
        answer = shop("/api/changes", limit=2, **({"after": after} if after else {}))
        found += answer.json["changes"]
        if (after := answer.json["next"]) is None:
            break
        assert f"after={after}" in answer.headers["link"]
    assert found == everything["changes"]
    (tea,) = (each for each in found if each["page"] == f"{SHOP}/tea")
    assert (tea["kind"], tea["label"]) == ("changed", "Tea")
    assert [said["value"] for said in tea["removed"] + tea["added"]] == ["10.00", "12.50"]


def test_they_can_be_selected_and_mistakes_are_told(shop: Client) -> None:
    def labels(**query: Any) -> list[str]:
        return sorted(each["label"] for each in shop("/api/changes", **query).json["changes"])

    assert labels(kind="new", type="Product") == [HOSTILE]
    assert labels(property="price", since="1h") == sorted(["Cup", HOSTILE, "Tea"])
    assert labels(host="", type="Person") == []
    assert shop("/api/changes", since="soon").status == 400
    assert shop("/api/changes", kind="odd").status == 400
    assert shop("/api/changes", after="x").status == 400


def test_a_feed_reader_gets_an_entry_for_each(shop: Client) -> None:
    answer = shop("/changes.atom")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.body)
    entries = feed.findall(f"{ATOM}entry")
    found = shop("/api/changes").json["changes"]
    assert [each.findtext(f"{ATOM}updated") for each in entries] == [each["at"] for each in found]
    assert len({each.findtext(f"{ATOM}id") for each in entries}) == len(entries)
    titles = [each.findtext(f"{ATOM}title") for each in entries]
    assert "Tea: offers.price: 10.00 → 12.50" in titles
    assert any(title and title.startswith(HOSTILE) for title in titles)
    again = shop("/changes.atom", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status == 304


def test_a_page_has_before_and_after(shop: Client) -> None:
    page = look(shop)
    (tea,) = (each for each in page.all("section") if "Tea" in each.text())
    assert [each.text().strip() for each in tea.css("tbody tr > *")] == [
        "offers.price",
        "10.00",
        "12.50",
    ]
    assert HOSTILE in page.text
    assert len(look(shop, kind="gone").all("section")) == 1
    assert "Nothing that was asked for has changed" in look(shop, type="Person").text
    (more,) = look(shop, limit=1).links("main .button")
    assert read(shop(more, headers={"Accept": BROWSER})).all("section")
