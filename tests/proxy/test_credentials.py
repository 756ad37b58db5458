import asyncio
import base64
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st
from tests.proxy.proxied import run, until
from tests.slowness import patience

from gossamer.proxy import access
from gossamer.proxy.access import BUSY, MOST_OF_ONE_ADDRESS, WANTED, Cost, Credentials, User

ANNA = User.new("anna", "secret", Cost(10, 1, 1))


def basic(text: str) -> bytes:
    return b"Basic " + base64.b64encode(text.encode())


@dataclass(slots=True)
class Slow:
    """A user whose passwords are looked at when the test says so."""

    name: str = "bert"
    looked_at: list[str] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def has(self, password: str) -> bool:
        self.looked_at.append(password)
        return self.gate.wait(patience(60)) and password == "right"


def with_slow(slow: Slow) -> Credentials:
    users: Mapping[str, User] = {"anna": ANNA, "bert": slow}  # type: ignore[dict-item]  # as good
    return Credentials(users)


def test_a_password_is_looked_at_once_whether_right_or_wrong() -> None:
    async def work() -> None:
        slow = Slow()
        slow.gate.set()
        known = with_slow(slow)
        for _ in range(3):
            assert await known.user("x", basic("bert:right")) == "bert"
            assert await known.user("x", basic("bert:wrong")) is WANTED
            assert await known.user("x", basic("carla:right")) is WANTED
        assert slow.looked_at == ["right", "wrong"]

    run(work())


def test_a_program_with_many_connections_is_looked_at_once() -> None:
    async def work() -> None:
        slow = Slow()
        known = with_slow(slow)
        asking = [asyncio.create_task(known.user("x", basic("bert:right"))) for _ in range(100)]
        await asyncio.sleep(0)
        asking[0].cancel()  # whose question the others wait for
        slow.gate.set()
        names = await asyncio.gather(*asking[1:])
        assert set(names) == {"bert"}
        assert slow.looked_at == ["right"]

    run(work())


def test_whoever_guesses_keeps_nobody_at_another_address_waiting() -> None:
    async def work() -> None:
        slow = Slow()
        known = with_slow(slow)
        guesses = [
            asyncio.create_task(known.user("x", basic(f"bert:{number}")))
            for number in range(MOST_OF_ONE_ADDRESS)
        ]
        assert await known.user("y", basic("anna:secret")) == "anna"
        assert not any(each.done() for each in guesses)
        await until(lambda: bool(slow.looked_at))
        assert len(slow.looked_at) == 1  # one at a time
        assert await known.user("x", basic("bert:more")) is BUSY
        assert await known.user("x", basic("anna:secret")) == "anna"  # who is known
        slow.gate.set()
        assert set(await asyncio.gather(*guesses)) == {WANTED}
        assert await known.user("x", basic("bert:right")) == "bert"
        assert not known._waiting
        assert not known._looking

    run(work())


def test_what_is_remembered_is_bounded_and_wrong_ones_push_no_right_ones_out() -> None:
    async def work() -> None:
        slow = Slow()
        slow.gate.set()
        known = with_slow(slow)
        await known.user("x", basic("bert:right"))
        for number in range(access.MOST_REMEMBERED + 5):
            known._remember(str(number).encode(), None)
        assert len(known._wrong) == 5
        assert await known.user("x", basic("bert:right")) == "bert"
        assert slow.looked_at == ["right"]

    run(work())


@given(st.binary(max_size=40) | st.binary(max_size=40).map(lambda some: b"Basic " + some))
def test_whatever_is_given_is_nobodys(some: bytes) -> None:
    async def work() -> None:
        assert await Credentials({}).user("x", some) is WANTED

    run(work())
