from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from gossamer.service.sessions import (
    LASTS_SECONDS,
    MOST,
    Sessions,
    cookie_name,
    is_same_origin,
    way_back,
)

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
    for _ in range(MOST - 1):
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
