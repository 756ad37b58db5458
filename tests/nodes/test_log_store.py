from datetime import timedelta

from tests.frontier.worlds import START, World

from gossamer.moments import to_microseconds
from gossamer.nodes.log_reading import SharedLog
from gossamer.nodes.log_sharing import shared_line, without_queries
from gossamer.nodes.log_store import LogFilter, LogLine, NodeLogStore
from gossamer.nodes.log_tail import LogPlace
from gossamer.upkeep.forget import Target, mentions

AT = to_microseconds(START)
SECOND = 1_000_000
PLACE = LogPlace("000001.jsonl", 10)


def line(seconds: float, url: str = "http://a.test/", **more: str) -> LogLine:
    host = url.split("/")[2]
    event, level = more.get("event", "requested"), more.get("level", "info")
    text = f'{{"at": "2026-01-02T00:00:00+00:00", "event": "{event}", "url": "{url}"}}'
    return LogLine(AT + int(seconds * SECOND), level, event, host, text)


def urls(lines: list[object]) -> list[str]:
    return [each.record()["url"] for each in lines]  # type: ignore[attr-defined]


def test_lines_of_all_nodes_come_in_order_of_time_and_are_chosen(world: World) -> None:
    log = NodeLogStore(world.store())
    assert log.place("one") is None
    log.add("one", [line(1, "http://a.test/1"), line(3, "http://b.test/3")], PLACE)
    log.add("two", [line(2, "http://a.test/2", level="warning", event="parked")], PLACE)
    assert log.place("one") == PLACE
    everything = log.newest(LogFilter(), 10)
    assert urls([*everything]) == ["http://b.test/3", "http://a.test/2", "http://a.test/1"]
    assert [each.node for each in everything] == ["one", "two", "one"]
    for wanted, found in (
        (LogFilter(node="two"), ["http://a.test/2"]),
        (LogFilter(host="b.test"), ["http://b.test/3"]),
        (LogFilter(events=("parked", "x")), ["http://a.test/2"]),
        (LogFilter(level="warning"), ["http://a.test/2"]),
        (LogFilter(since=everything[1].at), ["http://b.test/3", "http://a.test/2"]),
        (LogFilter(before=(everything[1].at, everything[1].id)), ["http://a.test/1"]),
    ):
        assert urls([*log.newest(wanted, 10)]) == found, wanted
    assert urls([*log.newest(LogFilter(), 1)]) == ["http://b.test/3"]
    assert {*log.span()} == {"one", "two"}


def test_what_is_too_old_or_too_much_goes_the_oldest_first(world: World) -> None:
    log = NodeLogStore(world.store())
    log.add("one", [line(seconds, f"http://a.test/{seconds}") for seconds in range(10)], PLACE)
    world.later(60)
    assert log.trim(timedelta(seconds=55), 1_000_000) == 5
    left = log.newest(LogFilter(), 100)
    assert urls([*left])[-1] == "http://a.test/5"
    assert log.trim(timedelta(days=1), 10) == 5  # a part at a time, and there are few
    log.add("one", [line(70)], PLACE)
    assert log.trim(timedelta(days=1), 10_000) == 0
    assert len(log.newest(LogFilter(), 100)) == 1


def test_a_log_is_followed_by_what_comes_in_also_late(world: World) -> None:
    log = NodeLogStore(world.store())
    log.add("one", [line(1, "http://a.test/1")], PLACE)
    more = SharedLog(log).follow(LogFilter(host="a.test"))
    assert more() == []
    log.add("one", [line(9, "http://a.test/9"), line(9, "http://b.test/")], PLACE)
    log.add("two", [line(2, "http://a.test/2")], PLACE)
    assert [each["url"] for each in more()] == ["http://a.test/2", "http://a.test/9"]
    assert more() == []


def test_what_is_to_be_forgotten_is_no_longer_there(world: World) -> None:
    log = NodeLogStore(world.store())
    log.add(
        "one",
        [
            line(1, "http://gone.test/1"),
            line(2, "http://kept.test/2"),
            line(3, "http://kept.test/page?"),  # its query is not sent
            line(4, "http://notgone.test/1"),
        ],
        PLACE,
    )
    page = Target.of("http://kept.test/page?a=b", "http://kept.test/page?a=b")  # type: ignore[arg-type]
    targets = [Target("gone.test"), page]
    hosts = [target.host for target in targets]
    assert log.forget(hosts, mentions(targets)) == 2
    left = urls([*log.newest(LogFilter(), 10)])
    assert left == ["http://notgone.test/1", "http://kept.test/2"]
    assert log.forget(hosts, mentions(targets)) == 0


def test_queries_are_not_sent_wherever_they_stand() -> None:
    text = (
        b'{"at": "2026-01-02T00:00:00+00:00", "event": "requested", "level": "info", "host": "a.test", '
        b'"url": "http://a.test/x?secret=1&b=\\u0022z", "why": "see https://b.test/?k=v now", "n": 1}'
    )
    shared = shared_line(text)
    assert shared is not None
    assert "secret" not in shared.line
    assert '"http://a.test/x?"' in shared.line
    assert "see https://b.test/? now" in shared.line
    assert (shared.host, shared.event, shared.at) == ("a.test", "requested", AT)
    asked = shared_line(text, with_queries=True)
    assert asked is not None
    assert "secret=1" in asked.line
    assert without_queries([{"a": "http://a/?x"}, 1]) == [{"a": "http://a/?"}, 1]


def test_what_is_torn_or_huge_is_left_out() -> None:
    assert shared_line(b'{"at": "2026') is None
    assert shared_line(b"[]") is None
    assert shared_line(b'{"at": 7, "event": "x", "level": "info"}') is None
    huge = b'{"at": "2026-01-02T00:00:00+00:00", "event": "x", "level": "info", "host": "a", "b": "%s"}'
    shared = shared_line(huge % (b"x" * 20_000))
    assert shared is not None
    assert (shared.host, len(shared.line) < 200) == (None, True)
