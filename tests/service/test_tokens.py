"""Wrong tokens, and the line in which all tokens of an address wait then."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from tests.slowness import patience

from gossamer.config import Service
from gossamer.service.guard import Door
from gossamer.service.tokens import (
    FORGOTTEN_SECONDS,
    FREE,
    LASTS_SECONDS,
    MOST,
    MOST_SESSIONS,
    Guesses,
    Sessions,
    cookie_name,
    is_same_origin,
    way_back,
)

HERE = "192.0.2.1"


class Tried:
    """Guesses, and a clock that goes when it is told."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.guesses = Guesses(clock=lambda: self.now, turn_seconds=0.001)
        self._number = 0

    def guess(self, address: str = HERE, times: int = 1) -> None:
        for _ in range(times):
            self._number += 1
            self.guesses.wrong(address, f"guess {self._number}")

    def is_refused(self, address: str = HERE) -> bool:
        refusal = self.guesses.refusal(address)
        assert refusal is None or refusal.status == 429
        return refusal is not None


def test_a_few_mistakes_cost_nothing() -> None:
    tried = Tried()
    tried.guess(times=FREE)
    assert not tried.is_refused()
    tried.guess()
    assert tried.is_refused()


def test_the_same_token_again_is_no_new_try() -> None:
    tried = Tried()
    for _ in range(100):
        tried.guesses.wrong(HERE, "an old token")
    assert not tried.is_refused()


def test_others_are_not_concerned() -> None:
    tried = Tried()
    tried.guess(times=FREE + 1)
    assert tried.is_refused()
    assert not tried.is_refused("192.0.2.2")


def test_whoever_can_choose_among_addresses_of_a_network_is_one() -> None:
    tried = Tried()
    for last in range(FREE + 1):
        tried.guess(f"2001:db8::{last}")
    assert tried.is_refused("2001:db8::ffff")
    assert not tried.is_refused("2001:db8:0:1::1")


def test_what_was_tried_is_forgotten() -> None:
    tried = Tried()
    tried.guess(times=30)
    tried.now += FORGOTTEN_SECONDS
    tried.guess()
    assert not tried.is_refused()


def test_memory_is_bounded() -> None:
    tried = Tried()
    tried.guess(HERE, FREE + 1)
    for number in range(MOST):
        tried.guess(f"name {number}")
    assert not tried.is_refused()


@given(st.text(), st.text())
def test_nothing_that_is_sent_breaks_it(address: str, token: str) -> None:
    tried = Tried()
    tried.guess(address)
    tried.guesses.wrong(address, token)
    assert not tried.is_refused(address)


def test_tokens_are_looked_at_one_by_one_and_those_who_leave_make_room() -> None:
    async def run() -> None:
        tried = Tried()
        tried.guess(times=FREE)
        tried.guesses.turn_seconds = 3_600
        first = asyncio.create_task(tried.guesses.turn(HERE))
        gone = [asyncio.Event() for _ in range(50)]
        leaving = [asyncio.create_task(tried.guesses.turn(HERE, each)) for each in gone]
        await asyncio.sleep(0)
        assert not any(each.done() for each in (first, *leaving))
        for each in gone:
            each.set()
        assert await asyncio.gather(*leaving) == [False] * 50
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        tried.guesses.turn_seconds = 0
        assert await asyncio.wait_for(tried.guesses.turn(HERE), patience(30))

    asyncio.run(run())


def test_the_right_token_gets_in_after_any_number_of_wrong_ones() -> None:
    async def run() -> None:
        tried = Tried()
        door = Door(Service(token="the-right-token-0"), is_loopback=False, guesses=tried.guesses)

        async def status(token: str) -> int | None:
            asked = Headers({"host": "10.0.0.1", "authorization": f"Bearer {token}"})
            assert await door.turn(asked, HERE)
            refusal = door.refusal("GET", asked, is_open=False, client=HERE)
            return None if refusal is None else refusal.status

        wrong = await asyncio.gather(*(status(f"wrong {number}") for number in range(100)))
        assert sorted(set(map(str, wrong))) == ["401", "429"]
        assert await status("the-right-token-0") is None
        together = [status("wrong again"), status("the-right-token-0"), status("and again")]
        assert await asyncio.gather(*together) == [429, None, 429]

    asyncio.run(run())


HOST = {"host": "127.0.0.1:8717"}


def bringing(value: str) -> Headers:
    return Headers({**HOST, "cookie": f"other=1; gossamer-8717={value}"})


def test_a_browser_is_known_by_what_it_was_given() -> None:
    sessions = Sessions()
    value = sessions.begin()
    assert sessions.knows(bringing(value))
    assert not sessions.knows(bringing(value[:-1]))
    assert not sessions.knows(bringing(""))
    assert not sessions.knows(Headers(HOST))
    assert not Sessions().knows(bringing(value))


def test_a_session_ends_with_a_logout_and_with_its_time() -> None:
    now = [0.0]
    sessions = Sessions(clock=lambda: now[0])
    one, other = sessions.begin(), sessions.begin()
    sessions.end(bringing(one))
    assert not sessions.knows(bringing(one))
    now[0] = LASTS_SECONDS - 1
    assert sessions.knows(bringing(other))
    now[0] += 1
    assert not sessions.knows(bringing(other))


def test_the_oldest_login_makes_room() -> None:
    sessions = Sessions()
    first, second = sessions.begin(), sessions.begin()
    for _ in range(MOST_SESSIONS - 1):
        sessions.begin()
    assert not sessions.knows(bringing(first))
    assert sessions.knows(bringing(second))


def test_services_at_two_ports_keep_cookies_of_their_own() -> None:
    assert cookie_name(Headers(HOST)) == "gossamer-8717"
    assert cookie_name(Headers({"host": "[::1]:9"})) == "gossamer-9"
    assert cookie_name(Headers({"host": "graph.example.org"})) == "gossamer-web"
    assert cookie_name(Headers({"host": "bad:port"})) == "gossamer-web"


def test_only_pages_of_ours_count_as_our_own() -> None:
    def same(**headers: str) -> bool:
        return is_same_origin(
            Headers({**HOST, **{k.replace("_", "-"): v for k, v in headers.items()}})
        )

    assert same(origin="http://127.0.0.1:8717")
    assert same(origin="https://127.0.0.1:8717", sec_fetch_site="same-origin")
    assert same(sec_fetch_site="same-origin")
    assert not same()
    assert not same(origin="http://127.0.0.1:8718")
    assert not same(origin="null")
    assert not same(origin="http://127.0.0.1:8717", sec_fetch_site="cross-site")
    assert not same(sec_fetch_site="same-site")
    assert not same(sec_fetch_site="none")


def test_the_way_back_leads_nowhere_else() -> None:
    assert way_back("/crawl?x=1") == "/crawl?x=1"
    for elsewhere in (
        "//evil.test",
        "/\\evil.test",
        "http://evil.test/",
        "",
        "crawl",
        "/a\r\nX: y",
    ):
        assert way_back(elsewhere, "/usual") == "/usual"
    assert way_back(None, "/usual") == "/usual"


@given(st.text())
def test_whatever_is_given_a_way_back_is_a_path(text: str) -> None:
    back = way_back(text)
    assert back.startswith("/")
    assert not back.startswith("//")
    assert "\\" not in back
