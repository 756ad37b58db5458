import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from tests.proxy.proxied import run, running, until

from gossamer.politeness.ledger import Wait
from gossamer.sending.hosts.kept import Kept

SOON = timedelta(seconds=5)


def test_a_host_stays_for_the_next_request_and_then_goes_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            keeper = proxied.keeper
            for _ in range(3):
                await proxied.get("http://a.test/")
            kept = keeper._kept["a.test"]
            assert kept.users == 0
            assert keeper.at_hand("a.test") is not None
            await keeper._give_back_idle()
            assert "a.test" in keeper._kept
            kept.since -= timedelta(minutes=1)
            await keeper._give_back_idle()
            assert "a.test" not in keeper._kept
            assert keeper.at_hand("a.test") is None
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


def test_what_a_host_asked_for_is_known_to_whoever_owns_the_folder_next(tmp_path: Path) -> None:
    async def first() -> None:
        async with running(tmp_path) as proxied:
            await proxied.get("http://a.test/status/503")
            await proxied.keeper.write_down()
            # The process dies here: nothing is given back.
            proxied.keeper._kept.clear()

    async def second() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.get("http://a.test/", "X-Gossamer-Max-Wait: 0")
            assert reply.status == 429
            assert proxied.web.asked == []

    run(first())
    run(second())


def test_many_who_want_a_host_take_it_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            holds = await asyncio.gather(
                *(proxied.keeper.acquire("a.test", SOON) for _ in range(9))
            )
            assert proxied.keeper._kept["a.test"].users == 9
            for hold in holds:
                assert isinstance(hold, Kept)
                hold.let_go()
            assert proxied.keeper._kept["a.test"].users == 0

    run(work())


def test_somebody_who_leaves_while_a_host_is_taken_leaves_nothing_behind(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            leaving = asyncio.create_task(proxied.keeper.acquire("a.test", SOON))
            await asyncio.sleep(0)
            leaving.cancel()
            await until(lambda: "a.test" in proxied.keeper._kept)
            assert proxied.keeper._kept["a.test"].users == 0

    run(work())


@pytest.mark.parametrize("is_in_use", [False, True])
def test_a_host_that_was_lost_is_taken_anew_before_it_is_sent_to(
    tmp_path: Path, is_in_use: bool
) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            keeper, holdings = proxied.keeper, proxied.keeper._holdings
            lost = await keeper.acquire("a.test", SOON)
            assert isinstance(lost, Kept)
            # As if we had slept: it has lapsed, and the frontier can give it to others.
            clock = holdings.ledgers["a.test"].clock
            await holdings.frontier_thread.do(
                holdings.frontier.release, {lost.held.lease.token: clock}
            )
            lost.held.until = holdings.now()
            if not is_in_use:
                lost.let_go()
            newcomer = asyncio.create_task(keeper.acquire("a.test", SOON))
            await until(lambda: lost.held.wanted)
            if is_in_use:
                assert not newcomer.done()
                lost.let_go()
            again = await newcomer
            assert isinstance(again, Kept)
            assert again.held.lease.token != lost.held.lease.token
            assert (lost.users, again.users) == (0, 1)
            again.let_go()
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


def test_a_host_that_another_node_wants_is_given_to_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            hold = await proxied.keeper.acquire("a.test", SOON)
            assert isinstance(hold, Kept)
            hold.held.wanted = True
            assert proxied.keeper.acquire_at_once("a.test", proxied.client.now()) is None
            newcomer = asyncio.create_task(proxied.keeper.acquire("a.test", SOON))
            await proxied.keeper._give_back_idle()
            assert not newcomer.done()
            hold.let_go()
            await proxied.keeper._give_back_idle()
            again = await newcomer
            assert not isinstance(again, Wait)
            assert again is not hold
            again.let_go()

    run(work())


def test_nobody_waits_for_a_host_that_leaves_longer_than_it_has_patience(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            hold = await proxied.keeper.acquire("a.test", SOON)
            assert isinstance(hold, Kept)
            hold.held.wanted = True  # and is being asked for as long as this test wants
            for patience in (timedelta(0), timedelta(milliseconds=300)):
                wait = await proxied.keeper.acquire("a.test", patience)
                assert isinstance(wait, Wait)
                assert wait.until > proxied.client.now()
            reply = await proxied.get("http://a.test/", "X-Gossamer-Max-Wait: 0")
            assert reply.status == 429
            assert "another node" in reply.body.decode()
            assert hold.users == 1
            hold.let_go()

    run(work())
