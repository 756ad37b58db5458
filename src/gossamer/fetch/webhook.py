"""Posts to an address that the user named (`alerts.webhook`, `changes.webhook`): bounded, signed, and only there.

Nothing is followed: a redirect is a failure. An address that is not on the public Internet is posted to where the
user wrote it down as such (`http://10.0.0.5/…`, `localhost`) or allowed it (`fetch.allow_net`); a name that merely
leads to one is not, since whoever owns the name decides that. Each post has ten seconds.

A receiver checks `Gossamer-Signature: t=SECONDS,v1=HEX`: HEX is the HMAC-SHA256, by the secret (`alerts.secret`,
`changes.secret`), of the seconds, a full stop and the body.
"""

import hashlib
import hmac
import ipaddress
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import pycurl

from gossamer import __version__
from gossamer.config import Fetch
from gossamer.errors import ConfigError
from gossamer.fetch.guard import (
    Network,
    allowed_networks,
    is_loopback_name,
    refused_address,
)

POST_SECONDS: Final = 10
MOST_ANSWER_BYTES: Final = 4096


class WebhookError(Exception):
    """A post that did not arrive; the text says why."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where something is posted to, and how it is signed."""

    url: str
    secret: str | None = None
    allow: Sequence[Network] = ()
    authorities: str | None = None
    clock: Callable[[], float] = time.time
    seconds: float = POST_SECONDS

    @classmethod
    def of(cls, url: str | None, secret: str | None, fetch: Fetch) -> "Webhook | None":
        """The webhook at a configured address, if there is one."""
        if url is None:
            return None
        return cls(url, secret, allowed_networks(fetch.allow_net), fetch.ca)

    def post(self, body: bytes) -> None:
        """Post a body of JSON; raises `WebhookError`."""
        host, port, address = self._place()
        curl = pycurl.Curl()
        try:
            self._prepare(curl, body, f"{host}:{port}:{address}")
            curl.perform()
            status = curl.getinfo(pycurl.RESPONSE_CODE)
        except pycurl.error as error:
            raise WebhookError(_why(error, self.seconds)) from None
        finally:
            curl.close()
        if not 200 <= status < 300:
            raise WebhookError(f"it answered {status}")

    def _prepare(self, curl: pycurl.Curl, body: bytes, resolved: str) -> None:
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.FOLLOWLOCATION, 0)
        curl.setopt(pycurl.NETRC, pycurl.NETRC_IGNORED)
        curl.setopt(pycurl.PROXY, "")
        curl.setopt(pycurl.HTTP09_ALLOWED, 0)
        curl.setopt(pycurl.TIMEOUT_MS, max(1, int(self.seconds * 1000)))
        curl.setopt(pycurl.SSL_VERIFYPEER, 1)
        curl.setopt(pycurl.SSL_VERIFYHOST, 2)
        if self.authorities:
            curl.setopt(pycurl.CAINFO, self.authorities)
        # The address that was looked at is the one that is connected to.
        curl.setopt(pycurl.RESOLVE, [resolved])
        curl.setopt(pycurl.URL, self.url)
        curl.setopt(pycurl.CUSTOMREQUEST, "POST")
        curl.setopt(pycurl.POSTFIELDS, body)
        curl.setopt(pycurl.HTTPHEADER, [*self._headers(body)])
        curl.setopt(pycurl.WRITEFUNCTION, _Answer().take)

    def _headers(self, body: bytes) -> Sequence[str]:
        lines = [
            "Content-Type: application/json",
            f"User-Agent: gossamer/{__version__}",
            "Expect:",
        ]
        if self.secret is not None:
            lines.append(f"Gossamer-Signature: {signature(self.secret, body, int(self.clock()))}")
        return lines

    def _place(self) -> tuple[str, int, str]:
        """The host, the port and the address to connect to, which may be one that others cannot choose."""
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            return host, port, _bracketed(str(ipaddress.ip_address(host)))
        except ValueError:
            pass
        if is_loopback_name(host):
            return host, port, "127.0.0.1,[::1]"
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # the latter where a label is too long
            raise WebhookError("its name is not known") from None
        addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
        for address in addresses:
            if (refused := refused_address(address, self.allow)) is not None:
                raise WebhookError(f"its name leads to an address of a network: {refused.why}")
        return host, port, ",".join(dict.fromkeys(_bracketed(str(each)) for each in addresses))


class _Answer:
    """Takes the first bytes of an answer; one that goes on is broken off."""

    def __init__(self) -> None:
        self._left = MOST_ANSWER_BYTES

    def take(self, part: bytes) -> int | None:
        self._left -= len(part)
        return None if self._left >= 0 else 0


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _why(error: pycurl.error, seconds: float) -> str:
    code = error.args[0] if error.args else 0
    return {
        pycurl.E_COULDNT_CONNECT: "nobody takes the connection",
        pycurl.E_OPERATION_TIMEDOUT: f"it took longer than {seconds:.3g} s",
        pycurl.E_WRITE_ERROR: "its answer is too long",
        pycurl.E_GOT_NOTHING: "it hung up without an answer",
    }.get(code, "the connection failed")  # curl's own words may have the address


def checked_webhook(key: str, url: str) -> str:
    """The address of a webhook; raises `ConfigError`, which names the key, where it is none."""
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right or not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError(
            f"{key}: write an address such as https://hooks.example/{key.split('.')[0]}."
        )
    return url


def signature(secret: str, body: bytes, at: int) -> str:
    """The header by which a receiver knows that a post is ours, and how old it is."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"
