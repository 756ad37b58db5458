"""How the crawl goes."""

from typing import Any

from tests.service.running import Client
from tests.web.conftest import Look

from gossamer.web.pages.crawl import phases_of, slowest


def test_the_numbers_are_those_of_the_status(look: Look, ask: Client) -> None:
    page, status = look("/crawl"), ask("/api/status").json
    for path in (
        "ended.content",
        "left",
        "visited_hosts",
        "known",
        "ended.failed",
        "pending",
        "handed",
    ):
        value = status
        for name in path.split("."):
            value = value[name]
        assert page.one(f"[data-live='{path}']").text() == f"{value:,}"
    assert "No crawl is running" in page.one("[data-live-state]").text()


def test_tables_have_every_count(look: Look, ask: Client) -> None:
    page, status = look("/crawl"), ask("/api/status").json
    for name in ("ended", "hosts", "failures", "refusals", "not_followed"):
        rows = page.all(f"tbody[data-live-table='{name}'] tr")
        told = {
            each.css("th")[0].text(): each.css("td")[0].text() for each in rows if each.css("th")
        }
        assert told == {key: f"{count:,}" for key, count in status[name].items() if count}


def test_hosts_nodes_and_processes_are_listed(look: Look) -> None:
    text = look("/crawl").text
    for words in ("Slowest hosts lately", "Nodes", "Processes", "Disk", "owner"):
        assert words in text


def test_charts_are_empty_until_a_script_draws_them(look: Look) -> None:
    for chart in look("/crawl").all("[data-chart]"):
        assert not chart.text()
        assert chart.attributes["data-title"]


def test_phases_come_in_the_order_in_which_a_page_goes_through_them() -> None:
    names = ("settle", "other", "graph", "read", "archive", "fetch")
    run = {
        "phase_totals": {name: {"pages": 1} for name in names},
        "phases": {"read": 0.5},
        "queues": {"read": 3},
    }
    told = phases_of(run)
    assert [each.name for each in told] == ["fetch", "read", "archive", "graph", "settle", "other"]
    assert [(each.seconds, each.in_hand) for each in told[:2]] == [(None, 0), (0.5, 3)]


def request(host: str, milliseconds: int) -> dict[str, Any]:
    return {
        "host": host,
        "started_at": "2026-01-01T00:00:00+00:00",
        "ended_at": f"2026-01-01T00:00:00.{milliseconds:03}+00:00",
    }


def test_the_slowest_come_first_and_one_request_says_nothing() -> None:
    requests = [request("a", 10), request("a", 30), request("b", 100), request("b", 200)]
    found = slowest([*requests, request("c", 999)], 10)
    assert [each.host for each in found] == ["b", "a"]
    assert (found[1].requests, found[1].mean, found[1].longest) == (2, 0.02, 0.03)
    assert len(slowest(requests, 1)) == 1


def test_what_is_damaged_is_passed_over() -> None:
    broken: list[dict[str, Any]] = [{}, {"host": "a", "started_at": 3}, {"started_at": "x"}]
    assert slowest(broken, 5) == []
