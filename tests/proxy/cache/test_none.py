from gossamer.proxy.cache.none import NoCache
from gossamer.proxy.cache.protocol import Cache, Forward, Request

ASKED = Request("GET", "http://a.test/", ((b"Accept", b"*/*"),))


def test_every_request_goes_to_its_origin_as_it_is() -> None:
    cache: Cache = NoCache()
    for _ in range(2):
        forward: Forward | object = cache.ask(ASKED)
        assert isinstance(forward, type(NoCache().ask(ASKED)))
        with forward:
            assert forward.fields == ASKED.fields
            got = forward.answered(200, ((b"ETag", b'"1"'),))
            assert got.status == 200
            assert got.fields == ((b"ETag", b'"1"'), (b"Cache-Status", b"gossamer; fwd=bypass"))
            assert not got.is_kept
    assert cache.counters.bypasses == 2


def test_nothing_stands_in_for_an_origin_that_fails() -> None:
    with NoCache().ask(ASKED) as forward:
        assert forward.failed("timeout") is None
