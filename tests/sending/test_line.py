"""The line before hosts in virtual time: how requests start and end; what clocks decide is tested with it."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from tests.virtual_time import START, in_virtual_time, now

from gossamer.config import Config, Fetch, Politeness
from gossamer.politeness.ledger import Go, InLine, InUse, Ledger, Wait
from gossamer.politeness.outcome import Answered
from gossamer.politeness.prospects import Downloading, TimeLeft
from gossamer.sending.line import HostLines, StartedRequest

CONFIG = Config(politeness=Politeness(per_address=1))
SECOND = timedelta(seconds=1)
SOON = timedelta(seconds=5)


def new(config: Config = CONFIG) -> HostLines:
    return HostLines(config, Ledger(config.politeness), now)


async def taken(
    line: HostLines, host: str = "a.test", address: str | None = None, patience: timedelta = SOON
) -> StartedRequest:
    started = await line.take(host, address, patience)
    assert isinstance(started, StartedRequest)
    return started


def finish(line: HostLines, go: Go, took: timedelta, address: str | None = None) -> None:
    line.finish(go, address, now(), took, Answered(200), 1000)


def abandon(line: HostLines, go: Go, address: str | None = None) -> None:
    line.abandon(go, address, now())


def test_the_next_request_starts_when_the_last_is_over_and_the_host_has_rested() -> None:
    async def run() -> None:
        line = new()
        first = await taken(line)
        assert first.at == now()
        assert first.go.ends_by == now() + timedelta(seconds=70)
        await asyncio.sleep(0.5)
        finish(line, first.go, SECOND / 2)
        ended_at = now()
        second = await taken(line)
        assert second.at - ended_at == SECOND
        assert second.delay.source == "default"

    in_virtual_time(run())


def test_a_request_starts_at_once_or_not_at_all() -> None:
    async def run() -> None:
        line = new()
        went = line.at_once("a.test", "192.0.2.1", now(), SOON)
        assert went is not None
        assert went[0].ends_by == now() + SOON
        assert line.at_once("a.test", "192.0.2.2", now(), SOON) is None  # it is being asked
        assert line.at_once("b.test", "192.0.2.1", now(), SOON) is None  # no room at the address
        finish(line, went[0], SECOND / 2, "192.0.2.1")
        assert line.at_once("a.test", "192.0.2.1", now(), SOON) is None  # it rests
        assert line.at_once("b.test", "192.0.2.1", now(), SOON) is not None

    in_virtual_time(run())


def test_whoever_has_less_patience_than_the_host_is_told_when_to_come_again() -> None:
    async def run() -> None:
        line = new()
        abandon(line, (await taken(line)).go)
        wait = await line.take("a.test", None, SECOND / 2)
        assert isinstance(wait, Wait)
        assert wait.until == now() + SECOND

    in_virtual_time(run())


def test_an_address_has_room_again_when_a_request_is_over_however_it_ended() -> None:
    async def run() -> None:
        line, address = new(), "192.0.2.1"
        for number, end in enumerate(["finish", "abandon", "unused", "finish"]):
            go = (await taken(line, f"{number}.test", address)).go
            waiting = asyncio.ensure_future(line.take(f"x{number}.test", address, SOON))
            await asyncio.sleep(0.1)
            assert not waiting.done()
            if end == "finish":
                finish(line, go, SECOND, address)
            elif end == "abandon":
                abandon(line, go, address)
            else:
                line.unused(go, address)
            next_one = await waiting
            assert isinstance(next_one, StartedRequest)
            abandon(line, next_one.go, address)

    in_virtual_time(run())


def test_who_waits_hears_of_a_shorter_delay() -> None:
    async def run() -> None:
        slow = replace(CONFIG, politeness=Politeness(delay=timedelta(minutes=4)))
        line = new(slow)
        abandon(line, (await taken(line)).go)
        began = now()
        waiting = asyncio.ensure_future(taken(line, patience=timedelta(minutes=5)))
        await asyncio.sleep(2)
        line.configure(CONFIG)
        assert (await waiting).at - began == 2 * SECOND

    in_virtual_time(run())


def test_whoever_is_cancelled_leaves_the_line() -> None:
    async def run() -> None:
        line = new()
        first = await taken(line)
        waiting = asyncio.ensure_future(line.take("a.test", None, timedelta(minutes=1)))
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        abandon(line, first.go)
        assert line.ledger.next_turn("a.test", now()) is None

    in_virtual_time(run())


def test_a_request_may_take_as_long_as_the_configuration_says() -> None:
    async def run() -> None:
        fetch = Fetch(total_timeout=timedelta(seconds=3), connect_timeout=SECOND)
        assert new(replace(CONFIG, fetch=fetch)).longest_request == 4 * SECOND

    in_virtual_time(run())


def test_whoever_is_next_is_called_when_a_request_ends_sooner_than_was_thought() -> None:
    async def run() -> None:
        line = new()
        slow = await taken(line)
        await asyncio.sleep(20)
        finish(line, slow.go, 20 * SECOND)  # the next is thought to be as slow
        quick = await taken(line, patience=timedelta(minutes=1))
        waiting = asyncio.ensure_future(taken(line, patience=timedelta(minutes=2)))
        await asyncio.sleep(0.1)
        ended = now()
        finish(line, quick.go, SECOND / 10)
        assert (await waiting).at == ended + SECOND

    in_virtual_time(run())


def test_a_request_may_be_something_that_takes_longer() -> None:
    async def run() -> None:
        started = await new().take("a.test", None, SOON, lasting=timedelta(hours=1))
        assert isinstance(started, StartedRequest)
        assert started.go.ends_by == now() + timedelta(hours=1)

    in_virtual_time(run())


def test_whoever_has_no_patience_goes_if_it_may_go_now() -> None:
    passed = 0

    def ticking() -> datetime:
        nonlocal passed
        passed += 1  # as time does in between
        return START + timedelta(microseconds=passed)

    async def run() -> None:
        line = HostLines(CONFIG, Ledger(CONFIG.politeness), ticking)
        assert isinstance(await line.take("a.test", None, timedelta(0)), StartedRequest)
        assert isinstance(await line.take("a.test", None, timedelta(0)), Wait)

    asyncio.run(run())


def test_whoever_has_less_patience_than_it_takes_for_room_leaves_the_line() -> None:
    async def run() -> None:
        line, address = new(), "192.0.2.1"
        first = await taken(line, "a.test", address)
        for patience in (timedelta(0), 3 * SECOND):
            began = now()
            assert isinstance(await line.take("b.test", address, patience), Wait)
            assert now() - began == patience
            assert line.ledger.next_turn("b.test", now()) is None
        finish(line, first.go, SECOND, address)
        assert isinstance(await line.take("b.test", address, timedelta(0)), StartedRequest)

    in_virtual_time(run())


def test_a_ceiling_says_when_to_come_again() -> None:
    async def run() -> None:
        line = new(Config(politeness=Politeness(requests_per_second=0.05)))
        began = (await taken(line)).at
        wait = await line.take("b.test", None, 4 * SECOND)
        assert isinstance(wait, Wait)
        assert (now() - began, wait.until - began) == (4 * SECOND, 20 * SECOND)

    in_virtual_time(run())


def test_nobody_waits_longer_than_its_patience_for_a_request_that_takes_long() -> None:
    async def run() -> None:
        line = new()
        first = await taken(line)
        finish(line, first.go, 3 * SECOND)  # the next is thought to take as long
        await taken(line)
        began = now()
        answer = await line.take("a.test", None, 10 * SECOND)
        assert isinstance(answer, InUse)
        assert now() - began == 10 * SECOND
        assert answer.until > now()

    in_virtual_time(run())


def test_whoever_waits_in_vain_is_told_as_soon_as_that_is_known() -> None:
    async def run() -> None:
        line = new(replace(CONFIG, politeness=Politeness(delay=SOON)))
        first = await taken(line)
        began = now()
        waiting = asyncio.create_task(line.take("a.test", None, 10 * SECOND))
        await asyncio.sleep(8)
        finish(line, first.go, SECOND)  # and the host rests for 5 s
        answer = await waiting
        assert type(answer) is Wait
        assert now() - began == 8 * SECOND
        assert answer.until == now() + SOON

    in_virtual_time(run())


def test_those_in_line_are_told_how_many_there_are() -> None:
    async def run() -> None:
        line = new(replace(CONFIG, politeness=Politeness(delay=SOON)))
        first = await taken(line)
        finish(line, first.go, SECOND)
        waiting = [asyncio.create_task(line.take("a.test", None, 60 * SECOND)) for _ in range(2)]
        await asyncio.sleep(0)
        answer = await line.take("a.test", None, 6 * SECOND)
        assert isinstance(answer, InLine)
        assert answer.ahead == 2
        for each in waiting:
            each.cancel()

    in_virtual_time(run())


def test_who_waits_for_a_long_download_in_vain_is_told_at_once_and_others_wait() -> None:
    async def run() -> None:
        line = new()
        download = await taken(line)
        short = asyncio.ensure_future(line.take("a.test", None, timedelta(seconds=50)))
        long = asyncio.ensure_future(line.take("a.test", None, timedelta(seconds=500)))
        await asyncio.sleep(3)
        left = TimeLeft(timedelta(seconds=60), timedelta(seconds=180), 1_000_000, 61_000_000)
        line.note_left(download.go, left)
        told = await short
        assert now() == START + timedelta(seconds=3)
        assert isinstance(told, Downloading)
        assert told.left == left
        assert told.until >= now() + timedelta(seconds=181)
        newcomer = await line.take("a.test", None, timedelta(seconds=50))
        assert isinstance(newcomer, Downloading)
        assert not long.done()
        await asyncio.sleep(60)  # three times as fast as it was
        finish(line, download.go, timedelta(seconds=63))
        started = await long
        assert isinstance(started, StartedRequest)
        assert started.at == START + timedelta(seconds=126)  # the host rests as long as it worked
        finish(line, started.go, SECOND)
        assert (await taken(line)).at == now()  # nothing is left of the download

    in_virtual_time(run())


def test_who_is_pushed_back_too_far_is_told_at_once() -> None:
    async def run() -> None:
        ten = replace(CONFIG, politeness=Politeness(delay=timedelta(seconds=10)))
        line = new(ten)
        abandon(line, (await taken(line)).go)

        def ask(client: str, seconds: int) -> "asyncio.Future[StartedRequest | Wait]":
            patience = timedelta(seconds=seconds)
            return asyncio.ensure_future(line.take("a.test", None, patience, client=client))

        first = [ask("greedy", 25), ask("greedy", 25)]
        await asyncio.sleep(1)
        assert not any(each.done() for each in first)
        modest = ask("modest", 25)  # whose turn comes before the other's second
        await asyncio.sleep(0.1)
        refused = first[1].result()
        assert isinstance(refused, InLine)
        assert refused.until == START + timedelta(seconds=30)
        assert not first[0].done()
        assert not modest.done()
        for each in (first[0], modest):
            started = await each
            assert isinstance(started, StartedRequest)
            abandon(line, started.go)

    in_virtual_time(run())
