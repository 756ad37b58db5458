"""Who is at an address, where many addresses may be one. Pure."""

import ipaddress
from typing import Final

NEIGHBOURS: Final = 64  # bits of an IPv6 address that somebody cannot choose


def address_name(address: str) -> str:
    """Who is at an address: of IPv6 the part that whoever sends cannot choose."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped is not None:
        return address
    return str(ipaddress.ip_network((parsed, NEIGHBOURS), strict=False))
