"""The proxy's own page: how to use it, its PAC file and its certificate. Pure.

It is for requests in origin form (`GET /`), which are not for a proxy, and only where `Host` is a name of ours.
All others go their usual way: the own address as a URL (`GET http://127.0.0.1:8718/`) is refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from gossamer.config import Proxy
from gossamer.http.listening import own_name
from gossamer.http.wire.fields import Fields
from gossamer.http.wire.request import RequestHead
from gossamer.proxy.cache import status as cache_status
from gossamer.proxy.cache.protocol import REASON
from gossamer.values import written

if TYPE_CHECKING:
    from gossamer.proxy.certificates import Certificates

_METHODS: Final = frozenset({"GET", "HEAD"})
# What may stand in a script and a page as it is: no quote, and no zone of an address of version 6.
_PLAIN: Final = re.compile(r"[0-9a-z._:-]+", re.ASCII)
_SAFE: Final[Fields] = (
    (b"Cache-Control", b"no-store"),
    (b"Content-Security-Policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    (b"Cross-Origin-Resource-Policy", b"same-origin"),
    (b"Referrer-Policy", b"no-referrer"),
    (b"X-Content-Type-Options", b"nosniff"),
)
_NOT_HERE: Final = (
    "This is a proxy. At its own address there are / (how to use it), /proxy.pac and, "
    "where it intercepts HTTPS, /ca.pem."
)
_NO_CERTIFICATE: Final = (
    "This proxy does not intercept HTTPS (proxy.intercept): there is no certificate to trust."
)
_PAC: Final = """\
function FindProxyForURL(url, host) {{
  if (isPlainHostName(host) || shExpMatch(host, "*.localhost") ||
      /^127[.][0-9.]+$/.test(host) || host === "::1" || host === "[::1]") return "DIRECT";
  return "PROXY {address}";
}}
"""
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Gossamer proxy</title></head>
<body>
<h1>Gossamer proxy</h1>
<p>This is a polite forward proxy: programs that use it share one rate limit per host, one robots.txt and one
cache. Most programs need two environment variables:</p>
<pre>export http_proxy={proxy} https_proxy={proxy}</pre>
<p>Browsers take the address of a PAC file: <a href="/proxy.pac">http://{address}/proxy.pac</a></p>
<p>A request may wait for its host for {max_wait}. Set the time-out of your program to more than that.</p>
<p>{https}</p>
</body>
</html>
"""
_INTERCEPTS: Final = (
    'HTTPS is intercepted, so that all rules apply there too: programs have to trust <a href="/ca.pem">the '
    "certificate of the local authority</a>. Its SHA-256 fingerprint is <code>{fingerprint}</code>; "
    "compare it with what <code>gossamer ca</code> prints on the machine of the proxy."
)
_TUNNELS: Final = (
    "HTTPS goes through tunnels, into which the proxy does not look: no robots.txt, no cache and no rate limit "
    "apply inside. A host has one tunnel at a time."
)


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """Something that is served at the proxy's own address."""

    media_type: bytes
    body: bytes
    status: int = 200
    why: str = ""

    @property
    def block(self) -> bytes:
        """All header lines but those about the connection."""
        content = (
            (b"Content-Type", self.media_type),
            (b"Content-Length", b"%d" % len(self.body)),
        )
        reason = ((REASON, self.why.encode("ascii")),) if self.why else ()
        lines = b"".join([b"%s: %s\r\n" % field for field in (*content, *reason, *_SAFE)])
        return lines + cache_status.nothing("own-page")


def own_answer(
    head: RequestHead, proxy: Proxy, certificates: "Certificates | None"
) -> OwnAnswer | None:
    """The answer to a request for the proxy itself; None for all others."""
    if not head.target.startswith(b"/") or head.method not in _METHODS:
        return None
    address = own_address(head.hosts, proxy.names)
    if address is None:
        return None
    match head.target:
        case b"/":
            return OwnAnswer(b"text/html; charset=utf-8", _page(address, proxy, certificates))
        case b"/proxy.pac":
            script = _PAC.format(address=address).encode("ascii")
            return OwnAnswer(b"application/x-ns-proxy-autoconfig", script)
        case b"/ca.pem":
            if certificates is None:
                return _missing(_NO_CERTIFICATE)
            return OwnAnswer(b"application/x-x509-ca-cert", certificates.authority_pem)
    return _missing(_NOT_HERE)


def own_address(hosts: Sequence[bytes], names: tuple[str, ...]) -> str | None:
    """The address (`HOST:PORT`) by which we are asked, if that is a name of ours."""
    if len(hosts) != 1:
        return None
    given = hosts[0].decode("latin-1")
    name = own_name(given, names)
    if name is None or not _PLAIN.fullmatch(name):
        return None
    port = urlsplit(f"//{given}").port
    return f"{f'[{name}]' if ':' in name else name}:{80 if port is None else port}"


def _missing(why: str) -> OwnAnswer:
    return OwnAnswer(b"text/plain; charset=utf-8", f"{why}\n".encode(), 404, why)


def _page(address: str, proxy: Proxy, certificates: "Certificates | None") -> bytes:
    login = "USER:PASSWORD@" if proxy.users else ""
    https = (
        _TUNNELS
        if certificates is None
        else _INTERCEPTS.format(fingerprint=certificates.fingerprint)
    )
    text = _PAGE.format(
        address=escape(address),
        proxy=escape(f"http://{login}{address}"),
        max_wait=written(proxy.max_wait),
        https=https,
    )
    return text.encode()
