"""What a confined authority may sign for: names, addresses, and of all other kinds nothing. Pure.

By RFC 5280 §4.2.1.10 a list of what is permitted confines names of its own kind alone. So each kind has
one. For a kind of which nothing is permitted the list names something that nobody can have; and all
addresses of a version of which none is permitted are excluded besides.

Distinguished names are left alone: many clients refuse a critical extension that speaks of them, and none
takes a site's name from there.
"""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography import x509

Network = IPv4Network | IPv6Network
NOBODYS: Final = "invalid"  # RFC 2606: no host is called so
_ALL: Final = {4: ip_network("0.0.0.0/0"), 6: ip_network("::/0")}


def network_of(text: str) -> Network | None:
    """The network or address that is written so; None where it is no address."""
    try:
        return ip_network(text.strip("[]"))
    except ValueError:
        return None


def constraints_for(only: Sequence[str]) -> "x509.NameConstraints":
    """The extension that confines an authority to these domains and networks."""
    from cryptography import x509

    networks = [network for each in only if (network := network_of(each)) is not None]
    domains = [each for each in only if network_of(each) is None] or [NOBODYS]
    permitted: list[x509.GeneralName] = [x509.DNSName(each) for each in domains]
    permitted += [x509.IPAddress(each) for each in networks]
    permitted += [x509.RFC822Name(NOBODYS), x509.UniformResourceIdentifier(NOBODYS)]
    versions = {each.version for each in networks}
    excluded = [x509.IPAddress(every) for version, every in _ALL.items() if version not in versions]
    return x509.NameConstraints(permitted, excluded or None)


def permitted_hosts(certificate: "x509.Certificate") -> tuple[str, ...]:
    """The domains and networks that an authority is confined to; none where it speaks for all."""
    from cryptography import x509

    try:
        found = certificate.extensions.get_extension_for_class(x509.NameConstraints)
    except x509.ExtensionNotFound:
        return ()
    hosts = [
        str(each.value)
        for each in found.value.permitted_subtrees or ()
        if isinstance(each, x509.DNSName | x509.IPAddress)
    ]
    return tuple(each for each in hosts if each != NOBODYS)


def is_permitted(name: str, permitted: Sequence[str]) -> bool:
    """Whether a host is among those; an address only by a network."""
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return any(name == domain or name.endswith("." + domain) for domain in permitted)
    networks = [network for each in permitted if (network := network_of(each)) is not None]
    return any(address in network for network in networks)
