from datetime import UTC, datetime, timedelta

from gossamer.model import Url
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.politeness.robots.rules import KeptRules

NOW = datetime(2026, 5, 17, tzinfo=UTC)


def record(origin: str, body: bytes = b"User-agent: *\nDisallow: /a") -> RobotsRecord:
    return RobotsRecord(
        origin=origin,
        meaning=Meaning.RULES,
        cause="answered 200",
        answered_at=NOW,
        ask_at=NOW + timedelta(days=1),
        body=body,
        body_at=NOW,
    )


def test_rules_are_parsed_once_for_the_same_file() -> None:
    kept, first = KeptRules("gossamer"), record("http://a.test")
    assert kept.at_hand(first) is None
    rules = kept.of(first, NOW)
    assert not rules.policy.allows(Url("http://a.test/a"))
    assert kept.at_hand(first) is rules
    again = record("http://a.test")
    assert kept.at_hand(again) is None
    assert kept.of(again, NOW).policy is rules.policy
    assert kept.at_hand(again) is not None


def test_another_file_is_parsed_anew() -> None:
    kept = KeptRules("gossamer")
    kept.of(record("http://a.test"), NOW)
    other = kept.of(record("http://a.test", b"User-agent: *\nDisallow: /b"), NOW)
    assert other.policy.allows(Url("http://a.test/a"))


def test_the_oldest_go_when_there_are_too_many() -> None:
    kept = KeptRules("gossamer", most=2)
    a, b, c = (record(f"http://{name}.test") for name in "abc")
    for each in (a, b, a, c):
        kept.of(each, NOW)
    assert kept.at_hand(a)
    assert not kept.at_hand(b)
    assert kept.at_hand(c)


def test_large_files_leave_room_for_fewer() -> None:
    kept = KeptRules("gossamer", most_bytes=1_000)
    small = [record(f"http://{number}.test", b"#" * 100) for number in range(10)]
    for each in small * 2:
        kept.of(each, NOW)
    assert all(kept.at_hand(each) for each in small)
    large = record("http://large.test", b"#" * 5_000)
    kept.of(large, NOW)
    assert kept.at_hand(large)  # it is needed now, whatever its size
    assert not any(kept.at_hand(each) for each in small)
    kept.of(small[0], NOW)
    assert kept.at_hand(small[0])
    assert not kept.at_hand(large)
