from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import pytest

from gossamer.fetch.guard import refused_address
from gossamer.fetch.nat64 import embedded, prefixes


# RFC 6052 §2.4: 192.0.2.33 behind each length of prefix.
@pytest.mark.parametrize(
    ("address", "length"),
    [
        ("2001:db8:c000:221::", 32),
        ("2001:db8:1c0:2:21::", 40),
        ("2001:db8:122:c000:2:2100::", 48),
        ("2001:db8:122:3c0:0:221::", 56),
        ("2001:db8:122:344:c0:2:2100::", 64),
        ("2001:db8:122:344::192.0.2.33", 96),
    ],
)
def test_the_address_behind_a_prefix_is_where_the_standard_puts_it(
    address: str, length: int
) -> None:
    assert embedded(IPv6Address(address), length) == IPv4Address("192.0.2.33")


@pytest.mark.parametrize(
    ("answer", "prefix"),
    [
        ("64:ff9b::192.0.0.170", "64:ff9b::/96"),
        ("2606:4700::192.0.0.171", "2606:4700::/96"),
        ("2606:4700:c000:aa::", "2606:4700::/32"),
        ("2606:4700:1:2:c0:0:aa00::", "2606:4700:1:2::/64"),
    ],
)
def test_a_prefix_is_found_by_what_the_probe_is_answered_with(answer: str, prefix: str) -> None:
    found = prefixes([ip_address(answer), ip_address("192.0.0.170")])
    assert found == (IPv6Network(prefix),)


def test_without_a_translator_there_is_no_prefix() -> None:
    assert prefixes([ip_address("192.0.0.170"), ip_address("2606:4700::1")]) == ()


@pytest.mark.parametrize("length", [32, 40, 48, 56, 64, 96])
def test_a_private_address_behind_any_length_of_prefix_is_refused(length: int) -> None:
    prefix = IPv6Network(("2606:4700:1:2::", length), strict=False)
    private = IPv4Address("10.1.2.3").packed
    head = prefix.network_address.packed
    if length == 96:
        octets = head[:12] + private
    else:
        flat = (head[:8] + head[9:])[: length // 8] + private
        flat = flat.ljust(15, b"\0")
        octets = flat[:8] + b"\0" + flat[8:]
    address = IPv6Address(octets)
    assert refused_address(address) is None  # nobody knows of the translator
    no = refused_address(address, translated=(prefix,))
    assert no is not None
    assert "10.1.2.3 within it" in no.why
