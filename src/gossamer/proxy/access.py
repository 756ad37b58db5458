"""Who may use the proxy: this machine, networks that are named, and users with a password."""

import asyncio
import base64
import hmac
import os
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from gossamer.config import Proxy
from gossamer.errors import ConfigError
from gossamer.fetch.guard import Network, allowed_networks
from gossamer.proxy.passwords import User, checked_users
from gossamer.proxy.refusals import Refused
from gossamer.proxy.wire.fields import Index, values
from gossamer.service.listening import Address

MOST_REMEMBERED: Final = 1_000  # users whose password was looked at
_WANTED: Final = Refused(
    407,
    "This proxy wants to know who you are: give a user and a password "
    "(http_proxy=http://USER:PASSWORD@HOST:PORT).",
    ((b"Proxy-Authenticate", b'Basic realm="gossamer", charset="UTF-8"'),),
)
_NOT_YOURS: Final = Refused(403, "This proxy does not serve your address.", cause="network")


def checked_place(address: Address, proxy: Proxy) -> Address:
    """The address, if whoever gets there may be let in; raises `ConfigError`."""
    if not address.is_loopback and not (proxy.users or proxy.networks):
        raise ConfigError(
            f"Others than this machine get to {address.host}, and an open proxy is everybody's. Say "
            "who may use it: proxy.users (`gossamer proxy --hash NAME` prints a line for it) or "
            "proxy.networks (--config proxy.networks=192.168.1.0/24), or listen on 127.0.0.1."
        )
    return address


class Door:
    """Lets in whom the configuration names."""

    def __init__(self, proxy: Proxy) -> None:
        self._networks: Sequence[Network] = allowed_networks(proxy.networks)
        self._users = {user.name: user for user in checked_users(proxy.users)}
        self._key = os.urandom(16)  # what is remembered of passwords is of no use elsewhere
        self._known: dict[bytes, str] = {}

    def admits(self, peer: str) -> bool:
        """Whether somebody at this address may speak to us at all."""
        address = ip_address(peer.partition("%")[0])
        if address.is_loopback or (self._users and not self._networks):
            return True
        mapped = getattr(address, "ipv4_mapped", None) or address
        return any(mapped in network for network in self._networks) or mapped.is_loopback

    def known(self, peer: str) -> str | None:
        """Who asks, where nobody has to prove it."""
        return None if self._users else peer

    async def client(self, peer: str, index: Index) -> str | Refused:
        """Who asks: a user, or an address."""
        if not self._users:
            return peer
        given = values(index, b"proxy-authorization")
        if len(given) != 1:
            return _WANTED
        mark = hmac.digest(self._key, given[0], "sha256")
        name = self._known.get(mark) or await self._looked_up(given[0])
        if name is None:
            return _WANTED
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[mark] = name
        return name

    async def _looked_up(self, credentials: bytes) -> str | None:
        found = _basic(credentials)
        if found is None:
            return None
        user = self._users.get(found[0]) or User(found[0], b"", b"")  # takes as long as another
        return user.name if await asyncio.to_thread(user.has, found[1]) else None


def not_admitted() -> Refused:
    """What is said to those who may not even ask."""
    return _NOT_YOURS


def _basic(credentials: bytes) -> tuple[str, str] | None:
    kind, _, coded = credentials.partition(b" ")
    if kind.lower() != b"basic":
        return None
    try:
        name, colon, password = (
            base64.b64decode(coded.strip(), validate=True).decode().partition(":")
        )
    except ValueError:
        return None
    return (name, password) if colon else None
