"""Host patterns: `example.org` for one host, `*.example.org` for the hosts below it. Pure.

A `*` fits any run of characters. Most keys take the two forms above alone, so that nobody writes a pattern
that fits more hosts than they meant (`checked_host_patterns`); `--connect-to` takes it anywhere.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from gossamer.errors import ConfigError
from gossamer.model import Refusal
from gossamer.urls.canonical import canonical
from gossamer.urls.parts import host_of

MOST_COMPILED: Final = 1_024  # lists of patterns, or patterns alone, that are kept at hand


def fits_any(patterns: tuple[str, ...], host: str) -> bool:
    """Whether a canonical host matches one of some patterns, which are in small letters."""
    return bool(patterns) and _expression(patterns).fullmatch(host) is not None


def checked_host_patterns(key: str, patterns: Iterable[str]) -> tuple[str, ...]:
    """Patterns of a configuration key, if each can match a host; raises `ConfigError` else."""
    given = tuple(patterns)
    for pattern in given:
        name = pattern.removeprefix("*.")
        url = canonical(f"http://{name}/")
        if isinstance(url, Refusal) or host_of(url) != name or "*" in name:
            raise ConfigError(
                f"{key}: {pattern!r} is no host; write example.org, or *.example.org "
                "for the hosts below it, in small ASCII letters."
            )
    return given


@lru_cache(MOST_COMPILED)
def _expression(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(".*".join(map(re.escape, each.split("*"))) for each in patterns))
