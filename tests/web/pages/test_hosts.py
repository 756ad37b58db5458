"""What each host is doing."""

from tests.service.running import Client
from tests.web.conftest import Look


def test_every_host_is_there_page_by_page(look: Look, ask: Client) -> None:
    names = [each["host"] for each in ask("/api/hosts").json["hosts"]]
    seen, path = [], "/hosts?limit=2"
    while path:
        page = look(path)
        seen += [each.text() for each in page.all("tbody th")]
        path = next(iter(page.links(".pager [rel=next]")), "")
    assert seen == names
    assert look(page.links(".pager a")[0]).all("tbody th")[0].text() == names[0]


def test_a_stage_narrows_it_down(look: Look) -> None:
    page = look("/hosts", stage="idle")
    assert {each.text() for each in page.all("tbody .badge")} == {"idle"}
    assert "nothing to fetch there now" in page.text
    assert "No host is parked now" in look("/hosts", stage="parked").text
    look("/hosts", status=400, stage="asleep")


def test_hosts_are_sorted_by_a_column(look: Look, ask: Client) -> None:
    pages = {each["host"]: each["content"] for each in ask("/api/hosts").json["hosts"]}
    (link,) = [each for each in look("/hosts").links("thead a") if each.endswith("sort=content")]
    page = look(link)
    names = [each.text() for each in page.all("tbody th")]
    assert names == sorted(pages, key=lambda name: (-pages[name], name))
    assert page.one("th[aria-sort]").text() == "Pages"
    assert page.one("th[aria-sort]").attributes["aria-sort"] == "descending"
    cut = look("/hosts", sort="content", limit=1)
    assert [each.text() for each in cut.all("tbody th")] == names[:1]
    assert "in this order" in cut.text
    look("/hosts", status=400, sort="colour")
