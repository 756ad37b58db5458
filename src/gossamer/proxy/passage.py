"""A request that waits for nothing but its server: asyncio's calls carry it, and it has no task.

Most requests are so once a host is in our hands: its rules are known, its clock allows it, the
connection stands, and the answer comes in one piece. Where it does not, a task goes on from there.
"""

from collections.abc import Callable

from gossamer.proxy.cache.protocol import Answer, Forward
from gossamer.proxy.exchange import Exchange
from gossamer.proxy.handling import (
    FROM_CACHE,
    FROM_SERVER,
    Handled,
    Parts,
    go_on,
    send_stored,
    send_whole,
)
from gossamer.proxy.incoming import Incoming
from gossamer.proxy.noting import Note
from gossamer.proxy.permits import Permit
from gossamer.proxy.reply import Reply
from gossamer.proxy.upstream import Upstream


class Passage:
    """One request on its way. It ends when its answer was `heard`, with a task that goes on, or abandoned."""

    __slots__ = (
        "_exchange",
        "_forward",
        "_incoming",
        "_note",
        "_parts",
        "_reply",
        "_stored",
        "_upstream",
    )

    def __init__(
        self,
        parts: Parts,
        incoming: Incoming,
        forward: Forward,
        permit: Permit,
        reply: Reply,
        note: Note,
    ) -> None:
        self._parts = parts
        self._incoming = incoming
        self._forward = forward
        self._reply = reply
        self._note = note
        self._exchange = Exchange(
            parts.config, parts.upstreams, parts.agent, incoming, permit, reply
        )
        self._upstream: Upstream | None = None  # while we listen
        self._stored: Answer | None = None  # what is sent in place of the server's answer

    def send(self, upstream: Upstream, on_news: Callable[[], None]) -> None:
        """Send the request over an idle connection; `on_news` is called once, when something comes."""
        self._parts.upstreams.take(upstream)
        self._upstream, upstream.on_news = upstream, on_news
        self._forward.sent()
        self._exchange.send(upstream, self._forward.fields)

    def heard(self) -> bool:
        """Pass the answer on, if it is here in whole; else a task is to `go_on`."""
        self._listen_no_more()
        received = self._exchange.answer_at_hand()
        if received is None:
            return False
        passed = self._forward.answered(received.head.status, received.head.fields)
        if isinstance(passed, Answer):
            self._exchange.finish(received)
            self._stored = passed
            return False
        send_whole(self._parts, self._incoming.url, passed, self._exchange, received, self._reply)
        self._forward.__exit__(None, None, None)
        self._note.handled = FROM_SERVER
        self._note.write()
        return True

    @property
    def keeps_alive(self) -> bool:
        """Whether another request may follow."""
        return self._reply.keeps_alive

    async def go_on(self) -> None:
        """Wait for the rest, with all that may happen to it."""
        with self._note as note:
            note.handled = await self._gone_on()

    async def _gone_on(self) -> Handled:
        if self._stored is None:
            return await go_on(
                self._parts, self._incoming, self._forward, self._exchange, self._reply
            )
        with self._forward:
            await send_stored(self._stored, self._reply)
        return FROM_CACHE

    def abandon(self) -> None:
        """Nobody waits for it any more, or it is over already."""
        self._listen_no_more()
        self._exchange.let_go()
        self._forward.__exit__(None, None, None)
        if self._stored is not None:
            self._stored.close()
        self._note.write()

    def _listen_no_more(self) -> None:
        if self._upstream is not None:
            self._upstream.on_news = None
            self._upstream = None
