from gossamer.proxy.cache.status import Why, forwarded, hit, nothing


def test_a_hit_says_how_long_it_stays_one() -> None:
    assert hit(9.9) == b"Cache-Status: gossamer; hit; ttl=9\r\n"
    assert hit(-0.5) == b"Cache-Status: gossamer; hit; ttl=-1\r\n"


def test_a_miss_says_what_became_of_it() -> None:
    told = forwarded(Why.STALE, 200, is_stored=True, collapsed=True, detail="x")
    assert told == b'gossamer; fwd=stale; fwd-status=200; stored; collapsed; detail="x"'


def test_an_answer_of_our_own_says_why() -> None:
    assert nothing("only-if-cached") == b'Cache-Status: gossamer; detail="only-if-cached"\r\n'
