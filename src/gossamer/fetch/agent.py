"""Who we say we are: the User-Agent header. Pure."""

import re
from typing import Final

from gossamer.config import Politeness
from gossamer.errors import ConfigError

PRODUCT: Final = "gossamer"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,100}", re.ASCII)
# What stands in parentheses must not end them, nor the header; spaces would only blur it.
_PLAIN: Final = r"[!-'*-\[\]-~]"
_URL: Final = re.compile(rf"(?:https?://|mailto:){_PLAIN}{{1,200}}", re.ASCII)
_EMAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9.-]+", re.ASCII)


def user_agent(politeness: Politeness, version: str) -> str:
    """The agent string: the product token that robots.txt speaks of, and how to find us.

    `gossamer/0.1.0 (+https://example.org/bot)`, or with a name of the user's own
    `mybot (+https://example.org/bot) gossamer/0.1.0`.
    """
    name, contact = checked_agent(politeness.agent), politeness.contact
    comment = "" if contact is None else f" (+{checked_contact(contact)})"
    ours = f"{PRODUCT}/{version}"
    return f"{ours}{comment}" if name.lower() == PRODUCT else f"{name}{comment} {ours}"


def checked_agent(name: str) -> str:
    """The product token, if it is one that robots.txt can name."""
    if not _TOKEN.fullmatch(name):
        raise ConfigError(
            f"politeness.agent (--agent) {name!r} is not a product token: "
            "use letters, digits, - and _ alone, as in my-crawler."
        )
    return name


def checked_contact(contact: str) -> str:
    """The contact, if site owners can use it and a header can carry it."""
    if not (_URL.fullmatch(contact) or _EMAIL.fullmatch(contact)):
        raise ConfigError(
            f"politeness.contact (--agent-contact) {contact!r} is neither a page nor an address: "
            "write one like https://example.org/bot or me@example.org."
        )
    return contact
