import asyncio
from datetime import timedelta

from gossamer.model import Url
from gossamer.proxy.permits import Denied, HandedOverError, Permit, Permits, Wish
from gossamer.sending.rights import Destination

WISH = Wish(Url("http://a.test/"), timedelta(seconds=9), "anna", timedelta(seconds=1))
THERE = Destination("a.test", "http://a.test", None)


class Leaving:
    """An owner that goes while somebody waits."""

    async def ask(self, wish: Wish) -> Permit | Denied:
        raise HandedOverError("gone")

    def ask_at_once(self, wish: Wish, there: Destination) -> Permit | None:
        return None


class Other:
    def __init__(self) -> None:
        self.wishes: list[Wish] = []

    async def ask(self, wish: Wish) -> Permit | Denied:
        self.wishes.append(wish)
        return Denied("clock", "Not now.")

    def ask_at_once(self, wish: Wish, there: Destination) -> Permit | None:
        self.wishes.append(wish)
        return None


def test_those_who_wait_wait_on_where_the_folder_goes() -> None:
    other = Other()
    permits = Permits(other, Leaving())
    assert asyncio.run(permits.ask(WISH)) == Denied("clock", "Not now.")
    assert permits.own is None
    assert other.wishes[0].patience <= WISH.patience


def test_the_owner_is_asked_where_we_are_it() -> None:
    own, other = Other(), Other()
    asyncio.run(Permits(other, own).ask(WISH))
    assert (len(own.wishes), len(other.wishes)) == (1, 0)


def test_nobody_but_ourselves_gives_a_permit_at_once() -> None:
    own, other = Other(), Other()
    assert Permits(other, own).ask_at_once(WISH, THERE) is None
    assert Permits(other).ask_at_once(WISH, THERE) is None
    assert (len(own.wishes), len(other.wishes)) == (1, 0)


def test_a_folder_that_changes_hands_is_waited_for() -> None:
    class Coming(Other):
        """An owner that is not there at first."""

        async def ask(self, wish: Wish) -> Permit | Denied:
            await super().ask(wish)
            return Denied("away" if len(self.wishes) < 3 else "clock", "Not now.")

    coming = Coming()
    assert asyncio.run(Permits(coming).ask(WISH)) == Denied("clock", "Not now.")
    assert len(coming.wishes) == 3
    hurried = WISH._replace(patience=timedelta(0))
    assert asyncio.run(Permits(Coming()).ask(hurried)) == Denied("away", "Not now.")


def test_a_host_is_wanted_while_somebody_waits_for_it() -> None:
    class Slow(Other):
        async def ask(self, wish: Wish) -> Permit | Denied:
            asked.set()
            await called.wait()
            return Denied("clock", "Not now.")

    async def work() -> None:
        waiting = asyncio.create_task(permits.ask(WISH))
        await asked.wait()
        assert permits.is_wanted("a.test")
        assert not permits.is_wanted("b.test")
        called.set()
        await waiting
        assert not permits.is_wanted("a.test")

    asked, called = asyncio.Event(), asyncio.Event()
    permits = Permits(Slow())
    asyncio.run(work())


def test_what_the_proxy_is_at_is_known_where_there_is_one() -> None:
    permits = Permits(Other())
    assert permits.shown() is None
    permits.proxy = lambda: {"address": "here"}
    assert permits.shown() == {"address": "here"}
