from gossamer.proxy.wire.fields import indexed
from gossamer.proxy.wire.hops import (
    REQUEST_DROPS,
    RESPONSE_DROPS,
    has_been_here,
    passed_on,
    via,
)


def test_what_is_for_this_hop_goes_no_further() -> None:
    fields = (
        (b"Accept", b"*/*"),
        (b"Connection", b"X-Mine, close"),
        (b"X-Mine", b"1"),
        (b"Proxy-Authorization", b"Basic eA=="),
        (b"TE", b"trailers"),
        (b"Upgrade", b"websocket"),
        (b"X-Gossamer-Max-Wait", b"1"),
    )
    assert passed_on(fields, indexed(fields), REQUEST_DROPS) == ((b"Accept", b"*/*"),)


def test_a_client_cannot_have_us_drop_what_the_origin_relies_on() -> None:
    fields = ((b"Connection", b"Cookie, Cache-Control"), (b"Cookie", b"a"), (b"X", b"1"))
    assert passed_on(fields, indexed(fields), RESPONSE_DROPS) == ((b"Cookie", b"a"), (b"X", b"1"))


def test_via_tells_who_was_on_the_way() -> None:
    fields = ((b"Via", b"1.0 far"), (b"Via", b"1.1 near"))
    assert via(indexed(fields), 1, b"us") == b"1.0 far, 1.1 near, 1.1 us"
    assert via({}, 0, b"us") == b"1.0 us"


def test_we_know_ourselves_among_others() -> None:
    assert has_been_here({b"via": [b"1.0 far, 1.1 us (gossamer)"]}, b"us")
    assert not has_been_here({b"via": [b"1.1 usual"]}, b"us")
