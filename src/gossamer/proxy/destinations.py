"""Where clients may go through the proxy: hosts that are allowed, denied, or go by other rules. Pure.

Hosts are compared by the name in the URL, in canonical form; a pattern for a name does not cover its addresses.
"""

from gossamer.config import Proxy
from gossamer.proxy.refusals import Refused
from gossamer.urls.host_patterns import fits_any

CAUSE = "host"  # the word for it in X-Gossamer-Cause


def refused_host(host: str, proxy: Proxy) -> Refused | None:
    """Why clients may not ask for a host, if so."""
    if fits_any(proxy.deny_hosts, host):
        why = f"The operator of this proxy does not allow {host} (proxy.deny_hosts)."
    elif proxy.allow_hosts and not fits_any(proxy.allow_hosts, host):
        why = f"The operator of this proxy does not list {host} in proxy.allow_hosts."
    else:
        return None
    return Refused(403, why, cause=CAUSE)


def heeds_robots(host: str, proxy: Proxy) -> bool:
    """Whether robots.txt of a host counts for clients of the proxy."""
    return not fits_any(proxy.robots_exempt, host)


def told_of_exempt(proxy: Proxy) -> str | None:
    """What is to be said where robots.txt of some hosts does not count; None where all do."""
    if not proxy.robots_exempt:
        return None
    hosts = ", ".join(proxy.robots_exempt)
    return f"robots.txt of {hosts} does not count for clients of the proxy (proxy.robots_exempt)."


def may_intercept(host: str, proxy: Proxy) -> bool:
    """Whether HTTPS to a host may be intercepted, where the proxy does that."""
    return not fits_any(proxy.no_intercept, host)
