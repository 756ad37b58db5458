"""The parts of a canonical URL: host, origin, site, path.

All of it is slicing: a `Url` is `scheme://host[:port]/path[?query]`, always with
that slash and never with user info, so nothing is parsed a second time.
"""

from functools import lru_cache
from typing import Final

from publicsuffixlist import PublicSuffixList

from gossamer.model import Url

_MAX_NAME: Final = 253  # longest name that DNS knows; a longer host reaches nobody
_AFTER_SCHEME: Final = 8  # `https://`; in `http://h/` it is past the host's first letter


def origin_of(url: Url) -> str:
    """Scheme, host and port, the port only where it is not the scheme's own."""
    return url[: url.index("/", _AFTER_SCHEME)]


def path_of(url: Url) -> str:
    """Path and query: what robots.txt rules are matched against."""
    return url[url.index("/", _AFTER_SCHEME) :]


def host_of(url: Url) -> str:
    """The host name or address, IPv6 in brackets: what a lease holds and a clock paces.

    The root's dot is left out: `example.org.` and `example.org` are one name,
    and must not be asked twice as often for being spelled two ways.
    """
    host = url[url.index("/") + 2 : url.index("/", _AFTER_SCHEME)]
    if ":" in host:
        host = host[: host.index("]") + 1] if host[0] == "[" else host[: host.index(":")]
    return host.removesuffix(".") or host


def is_address(host: str) -> bool:
    """Whether a canonical host is an IP address; WHATWG takes no other host that ends in a number."""
    return host.startswith("[") or host.rpartition(".")[2].isdigit()


@lru_cache(maxsize=16_384)  # hosts come in runs; a few MB at most
def site_of(host: str) -> str:
    """The registrable domain of a host: what scope and budgets count.

    An address, a public suffix and a name with a single label are sites of their own.
    """
    if len(host) > _MAX_NAME or is_address(host):
        return host
    site: str | None = _suffixes().privatesuffix(host)
    return site or host


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    """The bundled list, read on first use: commands that need no site do not wait for it."""
    return PublicSuffixList()
