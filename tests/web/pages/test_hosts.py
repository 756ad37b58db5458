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
