from datetime import timedelta

from gossamer.politeness.permission import Permission


def test_an_allowed_url_has_no_error_and_no_wait() -> None:
    assert Permission("http://a.test/").record() == {
        "url": "http://a.test/",
        "allowed": True,
        "error": None,
        "retryAfter": 0,
    }


def test_a_wait_is_rounded_up_so_that_nobody_comes_too_soon() -> None:
    verdict = Permission("http://a.test/", "Wait.", timedelta(microseconds=1_500_001))
    assert not verdict.allowed
    assert verdict.retry_after == 1501


def test_where_waiting_does_not_help_it_is_minus_one() -> None:
    assert Permission("http://a.test/", "No.", None).retry_after == -1
