"""The one spelling of a URL under which a page is known, whether a page holds it or a person types it.

The promise: `canonical` never raises, whatever text a page held; what it returns
is a fixed point, ASCII, http or https, and without fragment and user info; and a
refusal repeats nothing of the input, so no password can leak through one.
What the form does and does not unify is in `docs/decisions/0002-canonical-urls.md`.

A `seed` is what a person types: `example.org/path`, `localhost:8000`, `[::1]:80`. Where the scheme is left
out it is https, as browsers now do, except for what seldom has a certificate: addresses, `localhost` and
names under `.test`. A port that belongs to a scheme names it.
"""

import re
from collections.abc import Iterable
from typing import Final

from ada_url import join_url, normalize_url

from gossamer.model import Refusal, Url
from gossamer.urls.parts import host_of, is_address, origin_of

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
_A_PATH = Refusal(
    "url-invalid", "A seed is a web address, such as example.org/page, not a path alone."
)
_NO_NAME = Refusal(
    "url-invalid", "This is not a URL: what stands where its host should be is no name."
)
_NAME: Final = re.compile(r"[\w.-]+")  # what is not ASCII was written so before
_PATH_STARTS: Final = ("/", "\\", ".")
_PORT_FOLLOWS: Final = re.compile(r"[^:]*:[0-9]+(?:[/?#]|$)")
_LOCAL_NAMES: Final = ("localhost", "test")


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
    """A URL without `user:password@`; an `@` further on is part of the path."""
    start = href.index("/") + 2
    end = href.index("/", start)
    at = href.rfind("@", start, end)
    return href if at < 0 else href[:start] + href[at + 1 :]


def seed(text: str) -> Url | Refusal:
    """The URL that a person meant, or why it cannot be one."""
    text = text.strip()
    if _names_scheme(text):
        return canonical(text)
    # A path would otherwise lend its first segment as a host: `https:///tmp/x` is `https://tmp/x`.
    if text.startswith(_PATH_STARTS) and not text.startswith("//"):
        return _A_PATH
    return _with_scheme(text)


def plain_forms(texts: Iterable[str]) -> dict[Url, Url]:
    """The http forms of those seeds that are https only because nobody named their scheme.

    Not of one that is named with its scheme too.
    """
    forms = [(seed(text), _plain_form(text.strip())) for text in texts]
    meant = {url for url, plain in forms if plain is None}
    return {
        url: plain
        for url, plain in forms
        if not isinstance(url, Refusal) and plain is not None and url not in meant
    }


def _plain_form(text: str) -> Url | None:
    chosen = seed(text)
    if _names_scheme(text) or isinstance(chosen, Refusal) or not chosen.startswith("https:"):
        return None
    plain = canonical(f"http://{text}")
    # Who names the port of https means it.
    return None if isinstance(plain, Refusal) or origin_of(plain).endswith(":443") else plain


def _names_scheme(text: str) -> bool:
    """Whether what stands before the first colon is a scheme and not a host with a port."""
    scheme = scheme_in(text)
    if scheme is None:
        return False
    return scheme in OTHER_SCHEMES or not _PORT_FOLLOWS.match(text)


def _with_scheme(text: str) -> Url | Refusal:
    plain, secure = canonical(f"http://{text}"), canonical(f"https://{text}")
    if isinstance(plain, Refusal):
        return plain
    if isinstance(secure, Refusal):  # one letter longer, which can be one too many
        return secure
    if not (is_address(host_of(plain)) or _NAME.fullmatch(host_of(plain))):
        return _NO_NAME
    # Each form drops its own port and keeps the other's.
    if origin_of(secure).endswith(":80"):
        return plain
    if origin_of(plain).endswith(":443"):
        return secure
    return plain if _is_local(host_of(plain)) else secure


def _is_local(host: str) -> bool:
    return is_address(host) or host.rpartition(".")[2] in _LOCAL_NAMES
