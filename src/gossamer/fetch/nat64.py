"""IPv4 addresses inside IPv6 addresses, as translators (NAT64) have them. Pure.

A network with such a translator may use a prefix of its own, from its public addresses. Whoever knows
it can have a name lead to `prefix::10.0.0.1`, and so into the network. The network's resolver gives
the prefix away when it is asked for a name that has IPv4 addresses only (RFC 7050).
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import Final

PROBE: Final = "ipv4only.arpa"  # which RFC 8880 has every resolver know
_PROBE_ADDRESSES: Final = frozenset({IPv4Address("192.0.0.170"), IPv4Address("192.0.0.171")})
_LENGTHS: Final = (96, 64, 56, 48, 40, 32)  # RFC 6052 §2.2


def embedded(address: IPv6Address, length: int) -> IPv4Address:
    """The IPv4 address behind a prefix of this length (RFC 6052 §2.2)."""
    octets = address.packed
    if length == 96:
        return IPv4Address(octets[12:])
    octets = octets[:8] + octets[9:]  # the ninth is reserved, and no part of it
    return IPv4Address(octets[length // 8 :][:4])


def prefixes(found: Iterable[object]) -> tuple[IPv6Network, ...]:
    """The prefixes of a network's translators, by its answer to the probe (RFC 7050 §3)."""
    return tuple(
        dict.fromkeys(
            IPv6Network((address, length), strict=False)
            for address in found
            if isinstance(address, IPv6Address)
            for length in _LENGTHS
            if embedded(address, length) in _PROBE_ADDRESSES
        )
    )
