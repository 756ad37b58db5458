"""Which addresses, names and ports we may contact at all. Pure.

A page can name any host, and a host's owner can point its name anywhere: at our
own machine, the network behind it, or a cloud's metadata service. Whatever is not
plainly part of the public Internet is refused, unless `--allow-net` names it.

IPv4 addresses lie inside IPv6 addresses where a network has a translator (NAT64), perhaps with a prefix of
its own. Whoever knows it can have a name lead to `prefix::10.0.0.1`, and so into the network. The network's
resolver gives the prefix away when it is asked for a name that has IPv4 addresses only (RFC 7050).

A page can name any port, too, and a request has lines of the page's choice in it: a mail server or a chat
takes some of them for commands of its own. So nothing is sent to ports of other protocols than HTTP.
"""

from collections.abc import Iterable, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)
from typing import Final

from gossamer.errors import ConfigError
from gossamer.model import Refusal

PROBE: Final = "ipv4only.arpa"  # which RFC 8880 has every resolver know
_PROBE_ADDRESSES: Final = frozenset({IPv4Address("192.0.0.170"), IPv4Address("192.0.0.171")})
_LENGTHS: Final = (96, 64, 56, 48, 40, 32)  # RFC 6052 §2.2
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# IANA's special-purpose registries, and what clouds have put their metadata on.
# The first line that holds an address names it.
_SPECIAL_V4: Final = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        ("169.254.169.254", "a metadata service"),
        ("168.63.129.16", "a metadata service"),  # Azure; outside every special range
        ("100.100.100.200", "a metadata service"),  # Alibaba
        ("192.0.0.192", "a metadata service"),  # Oracle
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a provider's customers"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved for protocols"),
        ("192.0.2.0/24", "reserved for documentation"),
        ("192.88.99.0/24", "reserved"),  # the withdrawn 6to4 relays
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "reserved for benchmarks"),
        ("198.51.100.0/24", "reserved for documentation"),
        ("203.0.113.0/24", "reserved for documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_SPECIAL_V6: Final = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("fd00:ec2::254", "a metadata service"),
        ("fd20:ce::254", "a metadata service"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("2002::/16", "a 6to4 tunnel"),  # withdrawn; leads to any IPv4 address
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
        ("64:ff9b:1::/48", "private"),  # a network's own NAT64
        ("2001::/23", "reserved for protocols"),  # Teredo tunnels, benchmarks, identifiers
        ("2001:db8::/32", "reserved for documentation"),
        ("3fff::/20", "reserved for documentation"),
    )
)
_GLOBAL_V6: Final = IPv6Network("2000::/3")  # all that is handed out to the public so far
_V4_TRANSLATED: Final = tuple(  # IPv4 in the last 32 bits: mapped, compatible, translated, NAT64
    IPv6Network(network)
    for network in ("::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96")
)
_ISATAP: Final = 0x5EFE
_LOOPBACK_NAME: Final = "localhost"
_RESERVED_NAMES: Final = ("test", "invalid", "example", "onion")  # RFC 6761, 7686
# The Fetch standard's "bad ports" (§ 2.9): what browsers do not connect to either.
_BAD: Final = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179),
        *(389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587),
        *(601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061),
        *(6000, 6566, *range(6665, 6670), 6679, 6697, 10080),
    }
)


def refused_address(
    address: Address, allow: Sequence[Network] = (), translated: Sequence[IPv6Network] = ()
) -> Refusal | None:
    """Why this address may not be contacted, or None where it may.

    `translated` are prefixes behind which a translator of this network has IPv4 addresses.
    """
    if _within(address, allow):
        return None
    for each in (address, *_embedded(address, translated)):
        if (kind := _special(each)) and not _within(each, allow):
            within = "" if each is address else f" ({each} within it)"
            return Refusal(
                "address",
                f"{address}{within} is {kind}: not on the public Internet. "
                f"If it is yours, --allow-net {each} permits it.",
            )
    return None


def refused_name(host: str) -> Refusal | None:
    """Why this name may not be looked up, or None where it may."""
    if host.rpartition(".")[2] not in _RESERVED_NAMES:
        return None
    return Refusal(
        "name",
        f"{host} is a reserved name that leads nowhere on the Internet. "
        f"--connect-to '{host}=ADDR:PORT' says where it is.",
    )


def is_loopback_name(host: str) -> bool:
    """Whether a name means this machine, whatever a resolver says (RFC 6761 §6.3)."""
    return host.rpartition(".")[2] == _LOOPBACK_NAME


def refused_port(host: str, port: int) -> Refusal | None:
    """Why nothing is sent to this port, or None where that may be."""
    if port not in _BAD:
        return None
    return Refusal(
        "port",
        f"Port {port} of {host} is for another protocol than HTTP, and nothing is sent there. "
        f"--connect-to '{host}=ADDR:PORT' says where a server of yours is.",
    )


def allowed_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """The networks of `--allow-net`."""
    return tuple(_network(text) for text in texts)


def _network(text: str) -> Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise ConfigError(
            f"--allow-net {text!r} is not a network: "
            "write an address or a range like 10.0.0.0/8 or fd00::/8."
        ) from None


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _special(address: Address) -> str | None:
    """What kind of special address this is; None for one of the public Internet."""
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _SPECIAL_V4 if address in network), None)
    kind = next((kind for network, kind in _SPECIAL_V6 if address in network), None)
    if kind or address in _GLOBAL_V6 or any(address in each for each in _V4_TRANSLATED):
        return kind
    return "reserved"


def is_public_v6(address: Address) -> bool:
    """Whether this is an IPv6 address of the public Internet, as far as its bits tell."""
    return isinstance(address, IPv6Address) and address in _GLOBAL_V6


def _embedded(address: Address, translated: Sequence[IPv6Network]) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that an IPv6 address may lead to by way of a tunnel or translator."""
    if isinstance(address, IPv4Address) or int(address) in (0, 1):
        return ()  # `::` and `::1` look like 0.0.0.0 and 0.0.0.1, but are addresses of their own
    last = IPv4Address(int(address) & 0xFFFF_FFFF)
    isatap = (int(address) >> 32) & 0xFDFF_FFFF == _ISATAP  # with or without its "universal" bit
    found = (last,) if isatap or any(address in each for each in _V4_TRANSLATED) else ()
    here = (embedded(address, each.prefixlen) for each in translated if address in each)
    return (*found, *here)


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
