import asyncio
from datetime import timedelta
from pathlib import Path

from tests.proxy.proxied import run, running, until

from gossamer.config import Proxy
from gossamer.proxy.sequence import Sequences

IN_ORDER = "X-Gossamer-Sequential: 1"


def test_answers_come_in_the_order_of_their_requests(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            done: list[str] = []

            async def ask(url: str) -> None:
                await proxied.get(url, IN_ORDER)
                done.append(url)

            slow = asyncio.create_task(ask("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            quick = asyncio.create_task(ask("http://quick.test/"))
            await until(lambda: proxied.web.pages("quick.test"))  # it runs meanwhile
            other = await proxied.get("http://other.test/")  # and who wants no order has none
            assert (other.status, done) == (200, [])
            proxied.web.gate.set()
            await asyncio.gather(slow, quick)
            assert done == ["http://slow.test/gate", "http://quick.test/"]

    run(work())


def test_a_client_may_always_want_it(tmp_path: Path) -> None:
    async def work() -> None:
        proxy = Proxy(sequential=("127.0.0.1",), max_hold=timedelta(seconds=0.2))
        async with running(tmp_path, proxy) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            quick = await proxied.get("http://quick.test/")
            assert quick.headers["x-gossamer-out-of-order"] == "1"  # it was held for long enough
            proxied.web.gate.set()
            assert "x-gossamer-out-of-order" not in (await slow).headers

    run(work())


def test_a_refusal_has_its_place_too(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(sequential=("*",))) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            refused = asyncio.create_task(proxied.get("http://a.test/", method="TRACE"))
            await until(lambda: len(proxied.serving.connections) == 2)
            done, _ = await asyncio.wait([refused], timeout=0.1)
            assert not done
            proxied.web.gate.set()
            assert ((await slow).status, (await refused).status) == (200, 405)

    run(work())


def test_an_answer_is_held_from_when_it_is_there_not_from_when_it_was_asked_for() -> None:
    async def work() -> None:
        sequences = Sequences()
        first, late = sequences.enter("anna", 60), sequences.enter("anna", 0)
        overdue = [late.is_overdue]  # there is no answer so far
        late.hold()
        overdue.append(late.is_overdue)
        assert overdue == [False, True]
        assert not await late.wait()
        first.hold()
        assert await first.wait()

    run(work())


def test_a_large_answer_that_is_held_does_not_fill_the_memory(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(buffer_bytes=64 * 1024)) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate", IN_ORDER))
            await until(lambda: proxied.web.pages("slow.test"))
            large = asyncio.create_task(proxied.get("http://large.test/large/9000000", IN_ORDER))
            await until(lambda: proxied.web.pages("large.test"))
            proxied.web.gate.set()
            assert len((await large).body) == 9_000_000
            await slow

    run(work())


def test_a_place_that_is_left_makes_way() -> None:
    async def work() -> None:
        sequences = Sequences()
        first, second, third = (sequences.enter("anna", 10) for _ in range(3))
        assert sequences.enter("bert", 10).is_first
        waiting = asyncio.create_task(third.wait())
        sequences.leave("anna", second)
        await asyncio.sleep(0)
        assert not waiting.done()
        sequences.leave("anna", first)
        assert await waiting
        sequences.leave("anna", third)
        assert list(sequences._lines) == ["bert"]

    run(work())
