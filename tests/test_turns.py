"""Turns in virtual time: how they are taken and ended; what clocks decide is tested with them."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from gossamer.config import Config, Fetch, Politeness
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.outcome import Answered
from gossamer.turns import Turn, Turns

from .virtual_time import START, in_virtual_time, now

CONFIG = Config(politeness=Politeness(per_address=1))
SECOND = timedelta(seconds=1)
SOON = timedelta(seconds=5)


def new(config: Config = CONFIG) -> Turns:
    return Turns(config, Ledger(config.politeness), now)


async def taken(
    turns: Turns, host: str = "a.test", address: str | None = None, patience: timedelta = SOON
) -> Turn:
    turn = await turns.take(host, address, patience)
    assert isinstance(turn, Turn)
    return turn


def test_the_next_turn_comes_when_the_last_is_over_and_the_host_has_rested() -> None:
    async def run() -> None:
        turns = new()
        first = await taken(turns)
        assert first.started_at == now()
        assert first.go.ends_by == now() + timedelta(seconds=70)
        await asyncio.sleep(0.5)
        turns.finish(first, now(), SECOND / 2, Answered(200))
        ended_at = now()
        second = await taken(turns)
        assert second.started_at - ended_at == SECOND
        assert second.delay.source == "default"

    in_virtual_time(run())


def test_a_turn_is_had_at_once_or_not_at_all() -> None:
    async def run() -> None:
        turns = new()
        turn = turns.at_once("a.test", "192.0.2.1", now(), SOON)
        assert turn is not None
        assert (turn.started_at, turn.go.ends_by) == (now(), now() + SOON)
        assert turns.at_once("a.test", "192.0.2.2", now(), SOON) is None  # it is being asked
        assert turns.at_once("b.test", "192.0.2.1", now(), SOON) is None  # no room at the address
        turns.finish(turn, now(), SECOND / 2, Answered(200))
        assert turns.at_once("a.test", "192.0.2.1", now(), SOON) is None  # it rests
        assert turns.at_once("b.test", "192.0.2.1", now(), SOON) is not None

    in_virtual_time(run())


def test_whoever_has_less_patience_than_the_host_is_told_when_to_come_again() -> None:
    async def run() -> None:
        turns = new()
        turns.give_back(await taken(turns), now())
        wait = await turns.take("a.test", None, SECOND / 2)
        assert isinstance(wait, Wait)
        assert wait.until == now() + SECOND

    in_virtual_time(run())


def test_an_address_has_room_again_when_a_turn_is_over_however_it_ended() -> None:
    async def run() -> None:
        turns, address = new(), "192.0.2.1"
        for number, end in enumerate(["finish", "give back", "finish"]):
            turn = await taken(turns, f"{number}.test", address)
            waiting = asyncio.ensure_future(turns.take(f"x{number}.test", address, SOON))
            await asyncio.sleep(0.1)
            assert not waiting.done()
            if end == "finish":
                turns.finish(turn, now(), SECOND, Answered(200), 1000)
            else:
                turns.give_back(turn, now())
            next_turn = await waiting
            assert isinstance(next_turn, Turn)
            turns.give_back(next_turn, now())

    in_virtual_time(run())


def test_who_waits_hears_of_a_shorter_delay() -> None:
    async def run() -> None:
        slow = replace(CONFIG, politeness=Politeness(delay=timedelta(minutes=4)))
        turns = new(slow)
        turns.give_back(await taken(turns), now())
        began = now()
        waiting = asyncio.ensure_future(taken(turns, patience=timedelta(minutes=5)))
        await asyncio.sleep(2)
        turns.configure(CONFIG)
        assert (await waiting).started_at - began == 2 * SECOND

    in_virtual_time(run())


def test_whoever_is_cancelled_leaves_the_line() -> None:
    async def run() -> None:
        turns = new()
        first = await taken(turns)
        waiting = asyncio.ensure_future(turns.take("a.test", None, timedelta(minutes=1)))
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        turns.give_back(first, now())
        assert turns.ledger.next_turn("a.test", now()) is None

    in_virtual_time(run())


def test_a_request_may_take_as_long_as_the_configuration_says() -> None:
    async def run() -> None:
        fetch = Fetch(total_timeout=timedelta(seconds=3), connect_timeout=SECOND)
        assert new(replace(CONFIG, fetch=fetch)).longest_request == 4 * SECOND

    in_virtual_time(run())


def test_whoever_is_next_is_called_when_a_turn_ends_sooner_than_was_thought() -> None:
    async def run() -> None:
        turns = new()
        slow = await taken(turns)
        await asyncio.sleep(20)
        turns.finish(slow, now(), 20 * SECOND, Answered(200))  # the next is thought to be as slow
        quick = await taken(turns, patience=timedelta(minutes=1))
        waiting = asyncio.ensure_future(taken(turns, patience=timedelta(minutes=2)))
        await asyncio.sleep(0.1)
        ended = now()
        turns.finish(quick, ended, SECOND / 10, Answered(200))
        assert (await waiting).started_at == ended + SECOND

    in_virtual_time(run())


def test_a_turn_may_be_for_something_that_takes_longer() -> None:
    async def run() -> None:
        turn = await new().take("a.test", None, SOON, lasting=timedelta(hours=1))
        assert isinstance(turn, Turn)
        assert turn.go.ends_by == now() + timedelta(hours=1)

    in_virtual_time(run())


def test_whoever_has_no_patience_goes_if_it_may_go_now() -> None:
    passed = 0

    def ticking() -> datetime:
        nonlocal passed
        passed += 1  # as time does in between
        return START + timedelta(microseconds=passed)

    async def run() -> None:
        turns = Turns(CONFIG, Ledger(CONFIG.politeness), ticking)
        assert isinstance(await turns.take("a.test", None, timedelta(0)), Turn)
        assert isinstance(await turns.take("a.test", None, timedelta(0)), Wait)

    asyncio.run(run())


def test_whoever_has_less_patience_than_it_takes_for_room_leaves_the_line() -> None:
    async def run() -> None:
        turns, address = new(), "192.0.2.1"
        first = await taken(turns, "a.test", address)
        for patience in (timedelta(0), 3 * SECOND):
            began = now()
            assert isinstance(await turns.take("b.test", address, patience), Wait)
            assert now() - began == patience
            assert turns.ledger.next_turn("b.test", now()) is None
        turns.finish(first, now(), SECOND, Answered(200))
        assert isinstance(await turns.take("b.test", address, timedelta(0)), Turn)

    in_virtual_time(run())


def test_a_ceiling_says_when_to_come_again() -> None:
    async def run() -> None:
        turns = new(Config(politeness=Politeness(requests_per_second=0.05)))
        began = (await taken(turns)).started_at
        wait = await turns.take("b.test", None, 4 * SECOND)
        assert isinstance(wait, Wait)
        assert (now() - began, wait.until - began) == (4 * SECOND, 20 * SECOND)

    in_virtual_time(run())
