"""Who may ask: names we go by, pages of other sites, and the token; headers on every answer.

A page of another site can have a browser send us requests. It cannot read our answers, unless its
name is made to lead to this machine (so the name that is asked for is checked), and it cannot know
the token, so it changes nothing. Nor does the cookie of a login help it: browsers send that along
with requests of our own pages alone, and say which these are. All that such a page may do is lead a
tab to one of our pages; it cannot have us work, by script, frame or picture, unless it is named.
"""

import asyncio
import ipaddress
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.config import Service
from gossamer.http.asgi import GONE
from gossamer.service import cors
from gossamer.service.errors import Complain, ProblemError, as_json
from gossamer.service.fetch_metadata import Sender, names_another_site, sender_of
from gossamer.service.forwarded import seen_through
from gossamer.service.guesses import Guesses
from gossamer.service.sessions import Sessions, is_same_origin

MOST_AT_ONCE: Final = 1_000  # requests; each costs memory, and most of them wait for others
FULL: Final = ProblemError(
    503, "busy", "Too many ask at once. Ask again in a moment.", {"Retry-After": "1"}
)
SAFE: Final = ("GET", "HEAD", "OPTIONS")
HEADERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # No inline script or style, and nothing from elsewhere: no pictures either.
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
            "connect-src 'self'; img-src 'self' data:; form-action 'self'; "
            "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        # To us alone: with `no-referrer`, browsers hide the origin of our own forms from us too.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cache-Control": "no-cache",
    }
)


@dataclass(frozen=True, slots=True)
class Door:
    """Whom we let in, where we listen."""

    service: Service
    is_loopback: bool
    sessions: Sessions = field(default_factory=Sessions)
    guesses: Guesses = field(default_factory=Guesses)

    def refusal(
        self,
        method: str,
        headers: Headers,
        is_open: bool,
        client: str = "",
        *,
        is_page: bool = False,
    ) -> ProblemError | None:
        """Why a request goes no further, if it does not; `client` is the address it came from.

        `is_page` where people may be led to what is asked for.
        """
        if not self.is_our_name(headers.get("host", "")):
            return ProblemError(
                421,
                "unknown-host",
                "We do not go by this name. Ask for localhost or a plain address, or add the "
                "name to service.hosts.",
            )
        if self._is_foreign(method, headers, is_page):
            return ProblemError(
                403,
                "other-origin",
                "A page of another site may not have your browser ask this. Type the address "
                "yourself, or name that site in service.origins.",
            )
        if cors.is_preflight(method, headers):
            return None  # browsers send it without the token
        if guessed := self._guess(headers, client):
            return guessed
        if not self.is_loopback and not is_open and not self.knows(headers):
            return self.token_wanted()
        return None

    def is_our_name(self, host: str) -> bool:
        """Whether somebody who meant us would ask for this: no other site can go by an address."""
        name = _name_of(host)
        if name is None:
            return False
        if name == "localhost" or name.endswith(".localhost") or _is_address(name):
            return True
        return name in {each.lower().rstrip(".") for each in self.service.hosts}

    def knows(self, headers: Headers) -> bool:
        """Whether a request brings the token, or comes from a browser that once did."""
        return self.has_token(headers) or self.sessions.knows(headers)

    def may_change(self, headers: Headers) -> bool:
        """Whether a request may change things: a cookie counts only where a page of ours sent it."""
        return self.has_token(headers) or (is_same_origin(headers) and self.sessions.knows(headers))

    def has_token(self, headers: Headers) -> bool:
        """Whether the token comes with a request."""
        given = _brought(headers)
        return given is not None and is_token(self.service, given)

    def token_wanted(self) -> ProblemError:
        """What those hear who come without it."""
        if self.service.token is None:
            return ProblemError(
                403,
                "no-token",
                "Nothing can be changed here, since no token is set. Set service.token, then "
                "send it: Authorization: Bearer TOKEN.",
            )
        return ProblemError(
            401,
            "token-wanted",
            "This needs the token: Authorization: Bearer TOKEN.",
            {"WWW-Authenticate": 'Bearer realm="gossamer"'},
        )

    async def turn(self, headers: Headers, client: str, gone: asyncio.Event | None = None) -> bool:
        """Wait until the token that a request brings may be looked at; False if it is `gone`."""
        if _brought(headers) is None or self.service.token is None:
            return True
        return await self.guesses.turn(client, gone)

    def _guess(self, headers: Headers, client: str) -> ProblemError | None:
        """What whoever brings a wrong token hears, where it is one of many; the right one is none."""
        given = _brought(headers)
        if given is None or self.service.token is None or is_token(self.service, given):
            return None
        self.guesses.wrong(client, given)
        return self.guesses.refusal(client)

    def _is_foreign(self, method: str, headers: Headers, is_page: bool) -> bool:
        """Whether a page of another site has a browser ask, and does more than lead to a page.

        Whoever looks at that page did not ask for any of this: not for a query that takes
        long, nor for a robots.txt to be fetched.
        """
        origins = self.service.origins
        if cors.is_preflight(method, headers):
            return not cors.is_named(origins, headers.get("origin"))
        if method not in SAFE:
            return names_another_site(headers, origins)
        match sender_of(headers, origins):
            case Sender.OURSELVES:
                return False
            case Sender.LINK:
                return not is_page or method != "GET"
        return True


@dataclass(slots=True)
class Guard:
    """Turns away whom the door refuses, and puts our headers on every answer."""

    app: ASGIApp
    door: Callable[[], Awaitable[Door]]  # as it is by now
    is_open: Callable[[str], bool]  # a path that anybody may ask for
    is_page: Callable[[str], bool] = lambda _: False  # one that links elsewhere may lead to
    most_at_once: int = MOST_AT_ONCE
    complain: Complain = as_json
    _at_once: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        asked, door = Headers(scope=scope), await self.door()
        scope = seen_through(scope, door.service.trusted_proxies)
        client, _ = scope.get("client") or ("", 0)
        if not await door.turn(asked, client, scope.get(GONE)):
            return  # nobody is there to be answered

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                cors.show_to(door.service.origins, asked.get("origin"), headers)
            await send(message)

        answer = self._answer(scope, asked, door)
        self._at_once += 1
        try:
            await answer(scope, receive, with_headers)
        finally:
            self._at_once -= 1

    def _answer(self, scope: Scope, asked: Headers, door: Door) -> ASGIApp:
        """Who answers: the app, unless there is no need to bother it."""
        method, (client, _) = scope["method"], scope.get("client") or ("", 0)
        path = scope["path"]
        refusal = door.refusal(
            method, asked, self.is_open(path), client, is_page=self.is_page(path)
        )
        if refusal is None and self._at_once >= self.most_at_once:
            refusal = FULL
        if refusal is not None:
            return self.complain(scope, refusal)
        return cors.preflight_answer() if cors.is_preflight(method, asked) else self.app


def is_token(service: Service, given: str) -> bool:
    """Whether this is the token; where there is none, nothing is."""
    token = service.token
    return token is not None and secrets.compare_digest(given.strip().encode(), token.encode())


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches an address."""
    return address == "localhost" or (_is_address(address) and _address(address).is_loopback)


def _brought(headers: Headers) -> str | None:
    """The token that a request says it has."""
    kind, _, given = headers.get("authorization", "").partition(" ")
    return given if kind.lower() == "bearer" else None


def _name_of(host: str) -> str | None:
    """The name in a Host header, without its port."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.path or parts.query or parts.fragment or parts.username:
        return None
    return parts.hostname.lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        _address(name)
    except ValueError:
        return False
    return True


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(name)
