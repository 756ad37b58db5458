"""Names by which a server of ours is asked: addresses, localhost, and what the user lists.

The name of another site can be made to lead to this machine (DNS rebinding), and then its pages could read
what we answer. No site goes by an address or by localhost. Pure.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit


def own_name(host: str, listed: Iterable[str]) -> str | None:
    """The name in a Host field, without its port, if it is ours; None for anybody else's."""
    name = _name_of(host)
    if name is None:
        return None
    if name == "localhost" or name.endswith(".localhost") or _is_address(name):
        return name
    return name if name in {each.lower().rstrip(".") for each in listed} else None


def _name_of(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.path or parts.query or parts.fragment or parts.username:
        return None
    return parts.hostname.lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
