import pytest

from gossamer.fetch.names import look_up_failed, no_address, no_such_name


@pytest.mark.parametrize("make", [no_such_name, no_address])
def test_a_name_that_leads_nowhere_is_settled_for_good(make: object) -> None:
    assert callable(make)
    unreachable = make("www.example.org")
    assert not unreachable.cause.transient
    assert "www.example.org" in unreachable.why


@pytest.mark.parametrize("why", ["the server is away", "the server is away."])
def test_a_look_up_that_failed_may_fare_better_later(why: str) -> None:
    unreachable = look_up_failed("www.org", why)
    assert unreachable.cause.transient
    assert unreachable.why == "Looking up www.org failed: the server is away."
