"""A seed as a person types it: `example.org/path`, `localhost:8000`, `[::1]:80`.

Where the scheme is left out it is https, as browsers now do, except for what
seldom has a certificate: addresses, `localhost` and names under `.test`. A port
that belongs to a scheme names it.
"""

import re
from collections.abc import Iterable
from typing import Final

from gossamer.model import Refusal, Url
from gossamer.urls.canonical import OTHER_SCHEMES, canonical, scheme_in
from gossamer.urls.parts import host_of, is_address, origin_of

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
