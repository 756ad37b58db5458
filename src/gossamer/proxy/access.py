"""Who may use the proxy: this machine, networks that are named, and users with a password."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from gossamer.config import Proxy
from gossamer.errors import ConfigError
from gossamer.fetch.guard import Network, allowed_networks
from gossamer.proxy.credentials import WANTED, Credentials
from gossamer.proxy.passwords import checked_users
from gossamer.proxy.refusals import Refused
from gossamer.proxy.wire.fields import Index, values
from gossamer.service.listening import Address

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
        self._credentials = Credentials(self._users)

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
        return WANTED if len(given) != 1 else await self._credentials.user(peer, given[0])


def not_admitted() -> Refused:
    """What is said to those who may not even ask."""
    return _NOT_YOURS
