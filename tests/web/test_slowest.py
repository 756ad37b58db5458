"""Hosts that took longest."""

from typing import Any

from gossamer.web.slowest import slowest


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
