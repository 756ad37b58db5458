"""The one spelling of a URL under which a page is known.

The promise: `canonical` never raises, whatever text a page held; what it returns
is a fixed point, ASCII, http or https, and without fragment and user info; and a
refusal repeats nothing of the input, so no password can leak through one.

What the form does and does not unify is in `docs/decisions/0002-canonical-urls.md`.
"""

import re
from typing import Final

from ada_url import join_url, normalize_url

from gossamer.model import Refusal, Url

# Eight times what servers commonly take. Most text of this length is read in 3 ms;
# the worst we found, nothing but lone surrogates, in 22 ms.
MAX_LENGTH: Final = 64 * 1024

# Schemes that a sentence may name. Of an unknown one we cannot tell whether it is
# a scheme at all: in `alice:secret@example.org` it is a user.
OTHER_SCHEMES: Final = frozenset(
    {
        "about",
        "blob",
        "data",
        "file",
        "ftp",
        "geo",
        "irc",
        "javascript",
        "magnet",
        "mailto",
        "news",
        "sip",
        "sms",
        "ssh",
        "tel",
        "urn",
        "view-source",
        "webcal",
        "whatsapp",
        "ws",
        "wss",
        "xmpp",
    }
)

# Letters, digits and marks that mean nothing, no segment beginning with a dot, perhaps a query of
# the same: the canonical form of such a path is what it is.
PLAIN_PATH: Final = (
    r"/(?:[A-Za-z0-9_~+,-][A-Za-z0-9_~+,.-]*+(?:/|(?=\?)|\Z))*+(?:\?[A-Za-z0-9_~+,.=&-]*+)?"
)
PLAIN_LENGTH: Final = 2_000  # of longer ones the rules for URLs may have more to say
# The same with a name of the usual kind before it: no address, nothing encoded, and a port only
# where it is neither the scheme's own nor too large.
_PLAIN: Final = re.compile(
    r"https?://(?:(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)++(?!xn--)[a-z]{2,63}"
    r"(?::(?!80/|443/)[1-9][0-9]{1,3}|:[1-5][0-9]{4})?" + PLAIN_PATH
)

_SCHEME = re.compile(r"[\x00-\x20]*([A-Za-z][A-Za-z0-9+.\-]*):")

_TOO_LONG = Refusal("url-length", f"The URL is longer than {MAX_LENGTH} bytes.")
_INVALID = Refusal("url-invalid", "This is not a URL: its host or port cannot be read.")
_RELATIVE = Refusal("url-invalid", "The URL has no scheme, and no page that it is relative to.")


def canonical(text: str, base: Url | None = None) -> Url | Refusal:
    """The canonical URL of a link's text, joined to the page it stands on, or why it has none."""
    # Bytes are no fewer than characters, so a million of them are never parsed.
    if len(text) > MAX_LENGTH:
        return _TOO_LONG
    if len(text) < PLAIN_LENGTH and _PLAIN.fullmatch(text):  # a fifth of the time it takes else
        return Url(text)
    try:
        href = normalize_url(text) if base is None else join_url(base, text)
    except ValueError:
        return _second_look(text, base)
    if not href.startswith(("http://", "https://")):
        return _other_scheme(href)
    href = href.partition("#")[0]
    if "@" in href:
        href = _without_user_info(href)
    return Url(href) if len(href) <= MAX_LENGTH else _TOO_LONG


def scheme_in(text: str) -> str | None:
    """What stands, in lower case, where a scheme would: `localhost` in `localhost:8000`."""
    found = _SCHEME.match(text)
    return found[1].lower() if found else None


def _second_look(text: str, base: Url | None) -> Url | Refusal:
    """What to answer when the parser said no: lone surrogates are mended, the rest is refused."""
    mended = _scalar_values(text)
    if mended != text:
        return canonical(mended, base)
    if base is None and scheme_in(text) is None:
        return _RELATIVE
    return _INVALID


def _scalar_values(text: str) -> str:
    """The text as browsers see it: surrogate pairs joined, lone surrogates U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _other_scheme(href: str) -> Refusal:
    scheme = href.partition(":")[0]
    named = f", not {scheme}" if scheme in OTHER_SCHEMES else ""
    return Refusal("url-scheme", f"Only http and https links are followed{named}.")


def _without_user_info(href: str) -> str:
    """The same URL without `user:password@`; an `@` further on is part of the path."""
    start = href.index("/") + 2
    end = href.index("/", start)
    at = href.rfind("@", start, end)
    return href if at < 0 else href[:start] + href[at + 1 :]
