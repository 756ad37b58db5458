"""Who is at an address."""

import pytest

from gossamer.http.addresses import address_name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("", "name", False),
    ],
)
def test_a_network_that_somebody_can_choose_from_is_one(one: str, other: str, same: bool) -> None:
    assert (address_name(one) == address_name(other)) is same
