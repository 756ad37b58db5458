"""What every request says about us: who we are (`User-Agent`) and what we prefer (`Accept`). Pure."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gossamer.config import Politeness
from gossamer.errors import ConfigError
from gossamer.model import Syntax

PRODUCT: Final = "gossamer"
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,100}", re.ASCII)
# What stands in parentheses must not end them, nor the header; spaces would only blur it.
_PLAIN: Final = r"[!-'*-\[\]-~]"
_URL: Final = re.compile(rf"(?:https?://|mailto:){_PLAIN}{{1,200}}", re.ASCII)
_EMAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9.-]+", re.ASCII)
# Thousandths, as fine as RFC 9110 §12.4.2 knows them. All of RDF comes before HTML, which says
# more about looks than about things; among RDF the order is what servers write most carefully.
_DOCUMENTS: Mapping[Syntax, tuple[str, int]] = MappingProxyType(
    {
        Syntax.TURTLE: ("text/turtle", 1000),
        Syntax.JSON_LD: ("application/ld+json", 950),
        Syntax.RDF_XML: ("application/rdf+xml", 900),
        Syntax.N_TRIPLES: ("application/n-triples", 870),
        Syntax.TRIG: ("application/trig", 860),
        Syntax.N_QUADS: ("application/n-quads", 850),
        Syntax.ATOM: ("application/atom+xml", 500),
        Syntax.RSS: ("application/rss+xml", 500),
        Syntax.JSON_FEED: ("application/feed+json", 400),
    }
)
# Always named: links are found there, whatever else is wanted.
_HYPERTEXT: Final = (("text/html", 800), ("application/xhtml+xml", 790))
# Last but never left out: a host that has nothing else must not answer 406.
_ANYTHING: Final = ("*/*", 100)


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


def accept(syntaxes: frozenset[Syntax] | None) -> str:
    """The value of `Accept` for whoever wants these syntaxes (None: all there are)."""
    documents = [
        ranged for syntax, ranged in _DOCUMENTS.items() if syntaxes is None or syntax in syntaxes
    ]
    ranges = sorted([*documents, *_HYPERTEXT, _ANYTHING], key=lambda each: -each[1])
    return ", ".join(_written(*each) for each in ranges)


def _written(media_range: str, thousandths: int) -> str:
    if thousandths == 1000:
        return media_range
    return f"{media_range};q={thousandths / 1000:.3g}"
