"""How long a site asks us to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.robots.delay import MAX_DELAY_SECONDS, CrawlDelay, asked_delay


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("10", 10.0), ("0", 0.0), ("1.5", 1.5), (".5", 0.5), ("10s", 10.0), ("2 seconds", 2.0)],
)
def test_a_crawl_delay_is_in_seconds(value: str, seconds: float) -> None:
    assert asked_delay("crawl-delay", value, 4) == CrawlDelay(seconds, 4)


@pytest.mark.parametrize("value", ["", "-1", "nan", "inf", "1e9", "ten", "1_0", "0x10", "1,5", "٣"])
def test_nonsense_is_no_delay(value: str) -> None:
    assert asked_delay("crawl-delay", value, 1) is None


def test_a_delay_is_never_so_long_that_it_breaks_a_clock() -> None:
    delay = asked_delay("crawl-delay", "9" * 12, 1)
    assert delay is not None
    assert delay.seconds == MAX_DELAY_SECONDS


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("1/10", 10.0), ("1/5m", 300.0), ("2/1h", 1800.0), ("10 / 1", 0.1), ("1/10s 0600-0845", 10.0)],
)
def test_a_request_rate_is_a_delay_as_well(value: str, seconds: float) -> None:
    assert asked_delay("request-rate", value, 7) == CrawlDelay(seconds, 7, "Request-rate")


@pytest.mark.parametrize("value", ["", "1", "0/10", "a/b", "1/10x", "1/-1"])
def test_a_rate_that_makes_no_sense_is_no_delay(value: str) -> None:
    assert asked_delay("request-rate", value, 7) is None


def test_a_delay_names_its_source() -> None:
    assert str(CrawlDelay(10, 14)) == "Crawl-delay, line 14"


@given(st.sampled_from(["crawl-delay", "crawldelay", "request-rate", "content-usage"]), st.text())
def test_whatever_stands_there_is_no_delay_or_a_usable_one(name: str, value: str) -> None:
    delay = asked_delay(name, value, 1)
    assert delay is None or 0 <= delay.seconds <= MAX_DELAY_SECONDS
