from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import ConfigError
from gossamer.fetch.guard import (
    allowed_networks,
    embedded,
    is_loopback_name,
    prefixes,
    refused_address,
    refused_name,
    refused_port,
)

PUBLIC = ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001:80b::200e"]
REFUSED = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "0.0.0.0": "unspecified",
    "0.1.2.3": "unspecified",
    "10.1.2.3": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "100.64.0.1": "shared",
    "100.127.255.255": "shared",
    "169.254.1.1": "link-local",
    "169.254.169.254": "metadata",
    "168.63.129.16": "metadata",
    "100.100.100.200": "metadata",
    "192.0.2.1": "documentation",
    "198.51.100.7": "documentation",
    "203.0.113.7": "documentation",
    "198.18.0.1": "benchmark",
    "224.0.0.1": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "reserved",
    "::": "unspecified",
    "::1": "loopback",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "fd12:3456::1": "private",
    "fec0::1": "private",
    "fd00:ec2::254": "metadata",
    "ff02::1": "multicast",
    "2001:db8::1": "documentation",
    "3fff::1": "documentation",
    "100::1": "reserved",
    "4000::1": "reserved",
    "::ffff:127.0.0.1": "loopback",
    "::ffff:169.254.169.254": "metadata",
    "::10.0.0.1": "private",  # the old "compatible" form
    "2002:7f00:1::": "a 6to4 tunnel",
    "2002:808:808::1": "a 6to4 tunnel",
    "64:ff9b::7f00:1": "loopback",  # NAT64
    "64:ff9b::a9fe:a9fe": "metadata",
    "64:ff9b:1::1": "private",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe": "protocols",  # Teredo to 10.0.0.1
    "2a00:1450::5efe:10.0.0.1": "private",  # ISATAP
    "2a00:1450::200:5efe:192.168.0.1": "private",
}


@pytest.mark.parametrize("text", PUBLIC)
def test_the_public_internet_is_open(text: str) -> None:
    assert refused_address(ip_address(text)) is None


@pytest.mark.parametrize(("text", "kind"), REFUSED.items())
def test_an_address_off_the_public_internet_is_refused_by_kind(text: str, kind: str) -> None:
    refusal = refused_address(ip_address(text))
    assert refusal is not None
    assert refusal.rule == "address"
    assert kind in refusal.why
    assert "--allow-net" in refusal.why


@pytest.mark.parametrize(
    "text",
    [
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
    ],
)
def test_a_public_address_in_translation_is_open(text: str) -> None:
    assert refused_address(ip_address(text)) is None


@given(st.ip_addresses(v=4))
def test_no_way_of_writing_a_refused_ipv4_address_opens_it(inner: IPv4Address) -> None:
    number = int(inner)
    forms = [
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(0x64FF9B << 96 | number),
        IPv6Address(0x2002 << 112 | number << 80 | 1),
        IPv6Address(0x20010000 << 96 | 0x08080808 << 64 | (number ^ 0xFFFFFFFF)),
    ]
    if refused_address(inner):
        assert all(refused_address(each) for each in forms)


@given(st.ip_addresses())
def test_nothing_is_open_that_python_knows_for_private(address: IPv4Address | IPv6Address) -> None:
    if address.is_private or address.is_multicast or address.is_loopback:
        assert refused_address(address) is not None


@given(st.ip_addresses())
def test_all_is_open_where_the_user_allows_all(address: IPv4Address | IPv6Address) -> None:
    assert refused_address(address, [ip_network("0.0.0.0/0"), ip_network("::/0")]) is None


def test_an_exception_opens_its_network_and_no_other() -> None:
    allow = allowed_networks(["10.0.0.0/8", "::1"])
    assert refused_address(ip_address("10.9.9.9"), allow) is None
    assert refused_address(ip_address("::ffff:10.9.9.9"), allow) is None
    assert refused_address(ip_address("::1"), allow) is None
    assert refused_address(ip_address("192.168.0.1"), allow) is not None
    assert refused_address(ip_address("127.0.0.1"), allow) is not None
    assert refused_address(ip_address("fd00::ffff:10.0.0.1"), allow) is not None


@pytest.mark.parametrize("text", ["10.0.0.0/33", "ten", "", "10.0.0.0/8/8", "localhost"])
def test_a_network_that_is_none_names_the_option(text: str) -> None:
    with pytest.raises(ConfigError, match=r"--allow-net .* is not a network: .*10\.0\.0\.0/8"):
        allowed_networks([text])


def test_a_network_may_be_given_by_one_of_its_addresses() -> None:
    assert allowed_networks([" 10.1.2.3/8 "]) == (ip_network("10.0.0.0/8"),)


@pytest.mark.parametrize("host", ["a.test", "test", "x.invalid", "y.onion", "z.example"])
def test_a_reserved_name_is_never_looked_up(host: str) -> None:
    refusal = refused_name(host)
    assert refusal is not None
    assert f"--connect-to '{host}=" in refusal.why


@pytest.mark.parametrize("host", ["example.org", "test.org", "contest", "latest"])
def test_a_name_that_only_looks_reserved_may_be_looked_up(host: str) -> None:
    assert refused_name(host) is None


def test_localhost_and_all_below_it_is_this_machine() -> None:
    assert is_loopback_name("localhost")
    assert is_loopback_name("a.localhost")
    assert not is_loopback_name("localhost.org")


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


def test_ports_of_the_web_are_open_and_those_of_other_protocols_are_not() -> None:
    for port in (80, 81, 443, 591, 3000, 5000, 8000, 8008, 8080, 8443, 8888, 9000, 65535):
        assert refused_port("a.org", port) is None
    for port in (21, 22, 25, 110, 143, 161, 587, 993, 4190, 5060, 6667, 6679, 10080):
        no = refused_port("a.org", port)
        assert no is not None
        assert no.why.startswith(f"Port {port} of a.org is for another protocol")
