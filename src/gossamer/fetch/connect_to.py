"""`--connect-to PATTERN=ADDR:PORT`: hosts that are reached at an address we were told. Pure.

What the user points somewhere is neither looked up nor guarded: it is their word.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Final, Self

from gossamer.errors import ConfigError
from gossamer.fetch.guard import Address
from gossamer.urls.host_patterns import fits_any

MOST_ADDRESSES: Final = 1_024  # kept at hand
_HOST: Final = re.compile(r"[a-z0-9_.*-]+|\[[0-9a-f:.]+\]")
_TARGET: Final = re.compile(r"(?:\[(?P<v6>[^\]]*)\]|(?P<v4>[^:]*)):(?P<port>[0-9]{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a connection goes: one address, one port."""

    address: Address
    port: int

    def __str__(self) -> str:
        host = f"[{self.address}]" if self.address.version == 6 else str(self.address)
        return f"{host}:{self.port}"

    @property
    def written_address(self) -> str:
        """The address as text."""
        return _written(self.address)


@dataclass(frozen=True, slots=True)
class ConnectTo:
    """One rule: the hosts that match go to one endpoint."""

    pattern: str  # `*` stands for any run of characters
    endpoint: Endpoint

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rule that a user wrote; `ConfigError` says how one looks."""
        pattern, equals, target = text.strip().partition("=")
        pattern = pattern.strip().lower()
        if not equals or not _HOST.fullmatch(pattern):
            raise _wrong(text, "before `=` stands a host (in ASCII letters), where * fits anything")
        return cls(pattern, _endpoint(text, target.strip()))

    def matches(self, host: str) -> bool:
        """Whether a canonical host is meant by this rule."""
        return fits_any((self.pattern,), host)


def connect_to_rules(texts: Iterable[str]) -> tuple[ConnectTo, ...]:
    """The rules of `--connect-to`, in the order given."""
    return tuple(ConnectTo.parse(text) for text in texts)


def endpoint_of(host: str, rules: Iterable[ConnectTo]) -> Endpoint | None:
    """Where a host is to be reached: the first rule that matches it decides."""
    return next((rule.endpoint for rule in rules if rule.matches(host)), None)


def _endpoint(text: str, target: str) -> Endpoint:
    parts = _TARGET.fullmatch(target)
    if not parts or not 0 < int(parts["port"]) < 65536:
        raise _wrong(text, "after `=` stand an address and a port")
    try:
        address = ip_address(parts["v6"] or parts["v4"] or "")
    except ValueError:
        raise _wrong(text, "after `=` stands an IP address, not a name") from None
    if (address.version == 6) != (parts["v6"] is not None):
        raise _wrong(text, "only IPv6 addresses stand in brackets")
    return Endpoint(address, int(parts["port"]))


def _wrong(text: str, what: str) -> ConfigError:
    return ConfigError(
        f"--connect-to {text!r}: {what}. "
        "Write PATTERN=ADDR:PORT, as in '*.test=127.0.0.1:8099' or 'a.test=[::1]:80'."
    )


_written: Final = lru_cache(MOST_ADDRESSES)(str)  # which takes a while
