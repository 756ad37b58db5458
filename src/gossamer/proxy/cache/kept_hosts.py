"""Hosts whose pages are kept for a day, whatever they say (`proxy.keep_anyway`). Pure."""

from collections.abc import Callable, Iterable

from gossamer.errors import ConfigError
from gossamer.model import Refusal, Url
from gossamer.urls import canonical, host_of


def kept_hosts(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Whether a URL is of such a host; refuses a pattern that could fit none."""
    exact = frozenset(_checked(each, each) for each in patterns if not each.startswith("*."))
    below = tuple("." + _checked(each[2:], each) for each in patterns if each.startswith("*."))
    if not exact and not below:
        return lambda url: False

    def is_kept(url: str) -> bool:
        host = host_of(Url(url))
        return host in exact or host.endswith(below)

    return is_kept


def _checked(host: str, pattern: str) -> str:
    url = canonical(f"http://{host}/")
    if isinstance(url, Refusal) or host_of(url) != host or "*" in host:
        raise ConfigError(
            f"proxy.keep_anyway: {pattern!r} is no host; write example.org, or *.example.org "
            "for the hosts below it, in small ASCII letters."
        )
    return host
