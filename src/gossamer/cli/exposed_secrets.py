"""Secrets on a command line: every user of the machine can read them there, and a shell's history has them."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qs, urlsplit

from gossamer import settings

FRONTIER = "frontier.address"
_ONLY_WITH_PASSWORD = (FRONTIER, "fetch.upstream_proxy")
_HASHED = ("proxy.users",)  # of which a line proves nothing to whoever reads it


def exposed_secrets(given: Mapping[str, object]) -> Iterator[str]:
    """A sentence for each secret among the options of a command line, with a safer way."""
    for name, raw in given.items():
        key = settings.keys()[name]
        if not key.secret or name in _HASHED:
            continue
        if name in _ONLY_WITH_PASSWORD and not has_password(str(raw)):
            continue
        what = f"{key.flag} holds a password" if name == FRONTIER else f"{key.name} is a secret"
        yield (
            f"warning: {what}, which every user of this machine can read while this runs (`ps`). "
            f"{_safer(name, key.variable)}"
        )


def _safer(name: str, variable: str) -> str:
    if name == FRONTIER:
        return (
            "Leave it out of the address and put it into ~/.pgpass (PGPASSFILE) or a service file, or "
            f"give the whole address as {variable} in the environment."
        )
    return f"Give it as {variable} in the environment, or in gossamer.toml."


def has_password(address: str) -> bool:
    """Whether an address, or a DSN of PostgreSQL's, has a password in it."""
    if "://" not in address:
        return re.search(r"(?:^|\s)password\s*=\s*\S", address) is not None
    rest = address.partition("://")[2]
    if re.match(r"[^/?#]*:[^/?#@]+@", rest):  # of several hosts no other parser makes sense
        return True
    try:
        return bool(parse_qs(urlsplit(address).query).get("password"))
    except ValueError:
        return "password=" in address
