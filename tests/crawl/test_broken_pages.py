"""A site with broken pages among good ones: these are had without waiting for those."""

import asyncio
from datetime import timedelta
from pathlib import Path

from tests.crawl.crawls import PATIENCE, Crawled, hurried, left_behind, opened, reaching
from tests.crawl.sites import Sent
from tests.fetch.servers import Conversation, serving

from gossamer.events import Event, Parked, Requested, RequestFailed
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Ended, HostState
from gossamer.model import Cause, Url

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
CLOSE = {"Connection": "close"}
BROKEN = {
    "/reset": b"",
    "/cut": HEAD + b"Content-Length: 999\r\n\r\n<p>half a",
    "/chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello",
    "/404": Sent("nothing", 404, CLOSE).written(),
    "/500": Sent("sorry", 500, CLOSE).written(),
    "/501": Sent("never", 501, CLOSE).written(),
    "/garbage": b"\x00\x01\x02 this is not HTTP \xff\xfe\r\n\r\n",
    "/wrong-type": Sent(b"\x89PNG\r\n", headers={"Content-Type": "image/png", **CLOSE}).written(),
}
TRIED_AGAIN = {"/reset", "/cut", "/chunks", "/500"}
GOOD = [f"/{number}" for number in range(15)]
# The broken ones come first: everything else of the host is behind them.
INDEX = Sent("".join(f'<a href="{path}">x</a>' for path in [*BROKEN, *GOOD])).written()
ROBOTS = Sent("", headers={"Content-Type": "text/plain"}).written()


async def answer(conversation: Conversation) -> None:
    """Answer well or badly, by the path; what is broken ends its connection."""
    path = conversation.request.split()[1].decode()
    said = {"/": INDEX, "/robots.txt": ROBOTS, **BROKEN}.get(path, Sent("<p>good</p>").written())
    await conversation.say(said)
    if path == "/reset":
        conversation.reset()
    elif path in BROKEN:
        conversation.hang_up()


def test_good_pages_are_had_without_waiting_for_the_broken_ones_of_their_host(
    tmp_path: Path,
) -> None:
    # A back-off of the host, or a retry, would be past our patience, and end the crawl before them.
    config = hurried(backoff_first=timedelta(minutes=10), patience=timedelta(minutes=5))
    events: list[Event] = []

    async def run() -> tuple[Crawled, HostState | None]:
        async with (
            serving(answer) as server,
            opened(
                tmp_path,
                reaching(config, f"127.0.0.1:{server.port}"),
                ["http://a.test/"],
                events=events,
            ) as running,
            asyncio.timeout(PATIENCE),
        ):
            ended = await running.crawl.run()
            host = await running.frontier_thread.do(running.frontier.host, "a.test")
            return await left_behind(running, ended, events), host

    crawled, host = asyncio.run(run())
    had = {url for url, page in crawled.pages.items() if page.ended is Ended.CONTENT}
    assert had == {Url(f"http://a.test{path}") for path in ("/", *GOOD)}
    waiting = {url for url, page in crawled.pages.items() if page.state == "waiting"}
    assert waiting == {Url(f"http://a.test{path}") for path in TRIED_AGAIN}
    assert crawled.ended.kind is EndKind.PARKED  # what is left are retries, past our patience
    assert crawled.counts.left == len(TRIED_AGAIN)
    requests = [each for each in events if isinstance(each, Requested | RequestFailed)]
    # What is lost with a kept connection is sent once more at once: it may have been idle too long.
    once = [each.url for each in requests if getattr(each, "cause", None) != Cause.CLOSED]
    assert len(once) == len(set(once)) == 2 + len(BROKEN) + len(GOOD)
    assert {each.url for each in requests} == {*once}
    assert {each.delay for each in requests} == {timedelta(0)}
    assert not [each for each in events if isinstance(each, Parked)]
    assert host is not None
    assert (host.delay, host.failures) == (timedelta(0), 0)
