"""Whether a connection to PostgreSQL has to be encrypted: over a network, unless somebody said otherwise.

libpq asks for TLS and does without where the server says so, or somebody in between does ("prefer"):
then password hashes, and what is crawled, travel in the open. Pure.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final

SERVICE: Final = ("service", "PGSERVICE")
_UNDECIDED: Final = (None, "", "prefer")


def tls_settings(given: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """What is to be added to the parameters of a connection: none, or which `sslmode` it has.

    `given` are the parameters of the address; libpq takes from the environment what is not there.
    """
    if not wants_tls(given, environment):
        return {}
    # A certificate authority that was named is there to be checked against, names and all.
    has_authority = given.get("sslrootcert") or environment.get("PGSSLROOTCERT")
    return {"sslmode": "verify-full" if has_authority else "require"}


def wants_tls(given: Mapping[str, Any], environment: Mapping[str, str]) -> bool:
    """Whether it is ours to decide that the connection is encrypted, and it has to be."""
    if (given.get("sslmode") or environment.get("PGSSLMODE")) not in _UNDECIDED:
        return False
    if given.get(SERVICE[0]) or environment.get(SERVICE[1]):
        return False  # hosts and mode are in a file of libpq's; to name one here would win over it
    return not is_here(given, environment)


def is_here(given: Mapping[str, Any], environment: Mapping[str, str]) -> bool:
    """Whether all servers that an address names are on this machine."""
    hosts = _listed(given.get("host") or environment.get("PGHOST"))
    addresses = _listed(given.get("hostaddr") or environment.get("PGHOSTADDR"))
    count = max(len(hosts), len(addresses))
    hosts += [""] * (count - len(hosts))
    addresses += [""] * (count - len(addresses))
    # Where there is an address, the name is only what the certificate is compared with.
    return all(_is_local(address or host) for host, address in zip(hosts, addresses, strict=True))


def _listed(text: object) -> list[str]:
    return [each.strip() for each in str(text or "").split(",")]


def _is_local(host: str) -> bool:
    if not host or host.startswith(("/", "@")):  # a Unix socket
        return True
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
