"""What a confined authority may sign for."""

import pytest

from gossamer.proxy.name_constraints import is_permitted, network_of

PERMITTED = ("a.test", "192.0.2.0/24", "2001:db8::/32")


@pytest.mark.parametrize(
    "name", ["a.test", "www.a.test", "192.0.2.7", "2001:db8::1", "[2001:db8::1]"]
)
def test_what_is_named_is_permitted(name: str) -> None:
    assert is_permitted(name, PERMITTED)


@pytest.mark.parametrize("name", ["b.test", "nota.test", "test", "192.0.3.7", "::1", "0.2.0/24"])
def test_nothing_else_is(name: str) -> None:
    assert not is_permitted(name, PERMITTED)


def test_an_address_is_no_part_of_a_domain() -> None:
    assert not is_permitted("192.0.2.7", ("2.7", "a.test"))


def test_networks_are_told_from_names() -> None:
    assert str(network_of("192.0.2.7")) == "192.0.2.7/32"
    assert str(network_of("[2001:db8::1]")) == "2001:db8::1/128"
    assert network_of("a.test") is None
    assert network_of("192.0.2.7/24") is None  # which bits of it are meant nobody knows
