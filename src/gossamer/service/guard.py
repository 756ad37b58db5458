"""Access to the service: our names, pages of other sites, the token; headers on every answer.

A page of another site can have a browser send us requests. It cannot read our answers, unless its
name is made to lead to this machine (so the name that is asked for is checked), and it cannot know
the token, so it changes nothing. Nor does the cookie of a login help it: browsers send that along
with requests of our own pages alone, and say which these are. All that such a page may do is lead a
tab to one of our pages; it cannot have us work, by script, frame or picture, unless it is named.

The rules are those of the configuration now (`InForce`): a change, made here or with `gossamer config set`,
is seen when the next request comes, before anything is decided about it. So a token that was replaced is
void at once.

`X-Forwarded-For` counts where the connection comes from `service.trusted_proxies`, and from right to left:
each server adds whom it heard it from, so the first address that is not trusted is the last one that
somebody we trust has seen.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from types import MappingProxyType
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.config import Service
from gossamer.crawl.reconfigure import is_live_in_service
from gossamer.errors import ConfigError, GossamerError
from gossamer.fetch.guard import Network, allowed_networks
from gossamer.folder.data import DataFolder
from gossamer.http.asgi import GONE
from gossamer.http.listening import own_name
from gossamer.service.browsers import (
    Sender,
    is_named,
    is_preflight,
    names_another_site,
    preflight_answer,
    sender_of,
    show_to,
)
from gossamer.service.errors import Complain, ProblemError, as_json
from gossamer.service.tokens import Guesses, Sessions, is_same_origin
from gossamer.settings.in_force import in_force_record, settings_look, take_up
from gossamer.settings.runtime import Settle
from gossamer.settings.sources import Settings

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
# Where we listen, and for how many, is decided once.
_AT_START: Final = tuple(
    each.name for each in fields(Service) if not is_live_in_service(f"service.{each.name}")
)
_networks = lru_cache(4)(allowed_networks)


@dataclass(frozen=True, slots=True)
class Door:
    """The rules of access: names, origins and the token."""

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
        if is_preflight(method, headers):
            return None  # browsers send it without the token
        if guessed := self._guess(headers, client):
            return guessed
        if not self.is_loopback and not is_open and not self.knows(headers):
            return self.token_wanted()
        return None

    def is_our_name(self, host: str) -> bool:
        """Whether somebody who meant us would ask for this: no other site can go by an address."""
        return own_name(host, self.service.hosts) is not None

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
        """The error for requests without the token."""
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
        """The error for one wrong token of many; None for the right one."""
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
        if is_preflight(method, headers):
            return not is_named(origins, headers.get("origin"))
        if method not in SAFE:
            return names_another_site(headers, origins)
        match sender_of(headers, origins):
            case Sender.OURSELVES:
                return False
            case Sender.LINK:
                return not is_page or method != "GET"
        return True


@dataclass(slots=True, kw_only=True)
class InForce:
    """The section, replaced as a whole when it changes, and who was let in by it."""

    data: DataFolder
    service: Service
    settings: Settings  # in force in this process
    settle: Settle  # the configuration from all its sources; called in any thread
    is_loopback: bool  # only this machine gets to us
    written: Callable[[], Settings] | None = None  # the same by the user's file as it is now
    sessions: Sessions = field(default_factory=Sessions)
    guesses: Guesses = field(default_factory=Guesses)
    waits: tuple[str, ...] = ()  # keys whose change is taken up when the service starts again
    _seen: object = None  # how the files looked when they were read last
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        """Begin with what is there now."""
        self._seen = settings_look(self.data)

    async def door(self) -> Door:
        """The rules of access as they are now."""
        await self.look()
        return Door(self.service, self.is_loopback, self.sessions, self.guesses)

    async def look(self) -> None:
        """Take up what has changed since the last look."""
        if settings_look(self.data) == self._seen:
            return
        async with self._reading:
            seen = settings_look(self.data)
            if seen == self._seen:
                return  # somebody else was faster
            with suppress(GossamerError):  # of which whoever changed it was told
                self._take_up(await asyncio.to_thread(self.settle, None))
            self._seen = seen

    async def record(self) -> dict[str, Any]:
        """Each value in force in this process and its source, and what waits."""
        await self.look()
        written = self.written or partial(self.settle, None)
        return await asyncio.to_thread(in_force_record, self.settings, written, is_live_in_service)

    def checked(self, runtime: Mapping[str, object] | None) -> Settings:
        """What changes come to, where we can go by that; raises `ConfigError`."""
        settings = self.settle(runtime)
        if not self.is_loopback and settings.config.service.token is None:
            raise ConfigError(
                "Others than this machine get to us, so there has to be a token. Set another "
                "one in its place."
            )
        return settings

    def _take_up(self, wanted: Settings) -> None:
        self.settings = take_up(self.settings, wanted, is_live_in_service)
        if wanted.config.service.token != self.service.token:
            self.sessions.end_all()
        kept = {name: getattr(self.service, name) for name in _AT_START}
        self.waits = tuple(
            f"service.{name}"
            for name, value in kept.items()
            if getattr(wanted.config.service, name) != value
        )
        self.service = replace(wanted.config.service, **kept)


@dataclass(slots=True)
class Guard:
    """ASGI middleware that refuses what the rules forbid, and puts our headers on every answer."""

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
                show_to(door.service.origins, asked.get("origin"), headers)
            await send(message)

        answer = self._answer(scope, asked, door)
        self._at_once += 1
        try:
            await answer(scope, receive, with_headers)
        finally:
            self._at_once -= 1

    def _answer(self, scope: Scope, asked: Headers, door: Door) -> ASGIApp:
        """The app that answers: ours, or a refusal that needs no app."""
        method, (client, _) = scope["method"], scope.get("client") or ("", 0)
        path = scope["path"]
        refusal = door.refusal(
            method, asked, self.is_open(path), client, is_page=self.is_page(path)
        )
        if refusal is None and self._at_once >= self.most_at_once:
            refusal = FULL
        if refusal is not None:
            return self.complain(scope, refusal)
        return preflight_answer() if is_preflight(method, asked) else self.app


def is_token(service: Service, given: str) -> bool:
    """Whether this is the token; where there is none, nothing is."""
    token = service.token
    return token is not None and secrets.compare_digest(given.strip().encode(), token.encode())


def seen_through(scope: Scope, trusted: Sequence[str]) -> Scope:
    """The request with the client and scheme that it had at the first server that we believe."""
    if not trusted or not scope.get("client"):
        return scope
    networks, (peer, port) = _networks(tuple(trusted)), scope["client"]
    headers = Headers(scope=scope)
    if not _is_in(_address(peer), networks):
        return scope
    client = client_of(peer, headers.getlist("x-forwarded-for"), networks)
    told = headers.get("x-forwarded-proto", "").strip().lower()
    scheme = told if told in ("http", "https") else scope.get("scheme", "http")
    return {**scope, "client": (client, port if client == peer else 0), "scheme": scheme}


def client_of(peer: str, told: Sequence[str], networks: Sequence[Network]) -> str:
    """The client of a request that came from `peer`, whom we believe."""
    client = peer
    for each in reversed(",".join(told).split(",")):
        address = _address(each.strip())
        if address is None:
            break  # whoever wrote this is not one of ours
        client = str(address)
        if not _is_in(address, networks):
            break
    return client


def _brought(headers: Headers) -> str | None:
    """The token that a request says it has."""
    kind, _, given = headers.get("authorization", "").partition(" ")
    return given if kind.lower() == "bearer" else None


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_in(address: IPv4Address | IPv6Address | None, networks: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in networks)
