"""One reusable curl handle: what is the same for every request, and what is not."""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from ipaddress import ip_address
from typing import Final

import pycurl

from gossamer.errors import ConfigError
from gossamer.fetch.connect_to import Endpoint
from gossamer.fetch.decode import ACCEPT_ENCODING
from gossamer.fetch.transfer import Transfer
from gossamer.fetch.undelivered import reset_when_closed
from gossamer.model import Cause, Url
from gossamer.urls.parts import origin_of, path_of

# socks5 without h would look names up here, past the address guard.
_PROXY: Final = re.compile(r"(?:https?|socks5h)://[^\s/]+/?", re.ASCII)
_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?[\t -~\x80-\xff]*")
MOST_ADDRESSES: Final = 1_024  # kept at hand
MOST_HEADERS: Final = 64  # sets of them: all pages that we have not seen before share one
_STOP: Final = 0  # fewer bytes than curl handed over: it ends the transfer

RequestHeaders = Sequence[tuple[str, str]]


def checked_proxy(proxy: str | None) -> str | None:
    """The upstream proxy, if it is one we can use. Never repeats it: it may hold a password."""
    if proxy is not None and not _PROXY.fullmatch(proxy):
        raise ConfigError(
            "fetch.upstream_proxy is not a proxy we can use: write http://HOST:PORT, "
            "https://HOST:PORT or socks5h://HOST:PORT."
        )
    return proxy


class Handle:
    """A curl handle that always asks as politely and warily as configured."""

    def __init__(
        self,
        agent: str,
        connect_timeout: timedelta,
        authorities: str | None,
        proxy: str | None,
        *,
        keeps_connection: bool = True,
    ) -> None:
        self.curl = pycurl.Curl()
        self._keeps_connection = keeps_connection
        self._keep_connection(keeps_connection)
        self._agent = agent
        self._proxy = proxy
        self._transfer: Transfer | None = None
        self._endpoint: Endpoint | None = None
        self._lines: list[bytes] = []  # what curl was told last: to tell it anew takes a while
        self._way: Endpoint | None = None
        self._version = pycurl.CURL_HTTP_VERSION_2TLS
        self._set_protocols()
        self._set_limits(connect_timeout)
        self._set_trust(authorities)
        self.curl.setopt(pycurl.HEADERFUNCTION, self._on_header)
        self.curl.setopt(pycurl.WRITEFUNCTION, self._on_body)
        self.curl.setopt(pycurl.PREREQFUNCTION, self._on_request)

    def begin(
        self,
        url: Url,
        headers: RequestHeaders,
        endpoint: Endpoint | None,
        transfer: Transfer,
        version: int = pycurl.CURL_HTTP_VERSION_2TLS,
    ) -> None:
        """Prepare one request, to be sent to that endpoint (None: through the proxy)."""
        self._transfer, self._endpoint = transfer, endpoint
        if self._is_kept is not self._keeps_connection:
            self._keep_connection(self._keeps_connection)
        self.curl.setopt(pycurl.URL, url.encode())
        # Left alone, curl would write `%c3` as `%C3`: by the book the same, to some hosts another.
        self.curl.setopt(pycurl.REQUEST_TARGET, self._target(url, endpoint).encode())
        sent, lines = _composed(self._agent, tuple(headers))
        if lines is not self._lines:
            self.curl.setopt(pycurl.HTTPHEADER, lines)
            self._lines = lines
        transfer.request_headers = (("Host", origin_of(url).partition("://")[2]), *sent)
        if endpoint is None or endpoint is not self._way:
            self._send_by(endpoint)
        if version != self._version:
            self.curl.setopt(pycurl.HTTP_VERSION, version)
            self._version = version

    def _send_by(self, endpoint: Endpoint | None) -> None:
        self._way = endpoint
        # An empty text, unlike none at all, also keeps `http_proxy` of the environment out.
        self.curl.setopt(pycurl.PROXY, (self._proxy or "") if endpoint is None else "")
        # Unlike a pinned name, this belongs to one request and to its connection:
        # nothing is kept that could lead a later request elsewhere.
        self.curl.setopt(pycurl.CONNECT_TO, [f"::{endpoint}"] if endpoint else [])

    def end(self) -> None:
        """Let go of what belonged to the last request."""
        self._transfer = self._endpoint = None

    def abandon(self) -> None:
        """Have the connection reset when the transfer under way is ended: see `undelivered`."""
        self._keep_connection(False)
        number = self.curl.getinfo(pycurl.ACTIVESOCKET)
        if number >= 0:
            reset_when_closed(number)

    def _keep_connection(self, keeps: bool) -> None:
        self._is_kept = keeps
        self.curl.setopt(pycurl.FORBID_REUSE, int(not keeps))

    def close(self) -> None:
        """Free the handle."""
        self.curl.close()

    def _set_protocols(self) -> None:
        curl = self.curl
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.FOLLOWLOCATION, 0)
        curl.setopt(pycurl.AUTOREFERER, 0)
        curl.setopt(pycurl.NETRC, pycurl.NETRC_IGNORED)
        curl.setopt(pycurl.NOPROXY, "")  # not the environment's
        curl.setopt(pycurl.PATH_AS_IS, 1)  # the URL is canonical already
        curl.setopt(pycurl.HTTP_VERSION, self._version)
        curl.setopt(pycurl.HTTP09_ALLOWED, 0)
        curl.setopt(pycurl.HTTP_CONTENT_DECODING, 0)

    def _set_limits(self, connect_timeout: timedelta) -> None:
        connect_ms = max(1, int(connect_timeout.total_seconds() * 1000))
        self.curl.setopt(pycurl.CONNECTTIMEOUT_MS, connect_ms)
        self.curl.setopt(pycurl.TIMEOUT_MS, 0)  # `Patience` sees to all other times

    def _set_trust(self, authorities: str | None) -> None:
        self.curl.setopt(pycurl.SSL_VERIFYPEER, 1)
        self.curl.setopt(pycurl.SSL_VERIFYHOST, 2)
        if authorities:
            self.curl.setopt(pycurl.CAINFO, authorities)
            self.curl.setopt(pycurl.PROXY_CAINFO, authorities)

    def _target(self, url: Url, endpoint: Endpoint | None) -> str:
        """What the request line asks for: to an HTTP proxy, where no tunnel is needed, all of it."""
        to_proxy = endpoint is None and (self._proxy or "").startswith("http")
        return url if to_proxy and url.startswith("http:") else path_of(url)

    def _on_header(self, line: bytes) -> int | None:
        assert self._transfer
        return None if self._transfer.add_header(line) else _STOP

    def _on_body(self, chunk: bytes) -> int | None:
        assert self._transfer
        return None if self._transfer.add_body(chunk) else _STOP

    def _on_request(self, address: str, *_: object) -> int:
        assert self._transfer
        if self._endpoint and _address(address) != self._endpoint.address:
            # Cannot happen as long as curl keeps its word; if it does not, nothing is sent.
            message = f"The connection went to {address} instead of {self._endpoint.address}."
            self._transfer.stop(Cause.REFUSED_ADDRESS, message)
            return int(pycurl.PREREQFUNC_ABORT)
        if self._transfer.patience.asked_at is not None:
            # The kept connection was closed under the request, or the server wants no HTTP/2, and
            # curl would send it again at once. Whether and when is for the host's clock to say.
            self._transfer.sent_again = True
            self._transfer.stop(Cause.CLOSED, "The server closed the connection without an answer.")
            return int(pycurl.PREREQFUNC_ABORT)
        self._transfer.asked()
        return int(pycurl.PREREQFUNC_OK)


_address: Final = lru_cache(MOST_ADDRESSES)(ip_address)


@lru_cache(MOST_HEADERS)
def _composed(
    agent: str, headers: tuple[tuple[str, str], ...]
) -> tuple[tuple[tuple[str, str], ...], list[bytes]]:
    """The headers as curl sends them after Host, its own first; and the lines to tell it.

    Told by us, because curl tells it only to a callback that sees every byte of the body too.
    """
    ours = (("User-Agent", agent), ("Accept-Encoding", ACCEPT_ENCODING), *headers)
    names = {name.lower() for name, _ in ours}
    sent = ours if "accept" in names else (("Accept", "*/*"), *ours)
    return sent, [_line(name, value) for name, value in ours]


def _line(name: str, value: str) -> bytes:
    line = f"{name}: {value}"
    if not _HEADER.fullmatch(line):
        raise ValueError(f"not a header that can be sent: {line!r}")
    return line.encode("latin-1")
