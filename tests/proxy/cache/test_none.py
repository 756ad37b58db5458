from gossamer.proxy.cache.none import NoCache, Unkept
from gossamer.proxy.cache.protocol import CacheAnswer, Request

ASKED = Request("GET", "http://a.test/", ((b"Accept", b"*/*"),))


def test_every_request_goes_to_its_origin_as_it_is() -> None:
    cache = NoCache()
    for _ in range(2):
        with forwarded(cache) as forward:
            assert forward.fields == ASKED.fields
            got = forward.answered(200, ((b"ETag", b'"1"'),))
            assert got.status == 200
            assert got.added == ((b"Cache-Status", b"gossamer; fwd=bypass"),)
            assert not got.is_kept
    assert cache.counters.bypasses == 2


def test_nothing_stands_in_for_an_origin_that_fails() -> None:
    with forwarded(NoCache()) as forward:
        assert forward.failed("timeout") is None


def forwarded(cache: NoCache) -> Unkept:
    asked = cache.ask(ASKED)
    assert isinstance(asked, Unkept)
    return asked


def test_nothing_goes_to_an_origin_where_the_client_forbids_it() -> None:
    cache = NoCache()
    answer = cache.ask(Request("GET", ASKED.url, ((b"Cache-Control", b"only-if-cached"),)))
    assert isinstance(answer, CacheAnswer)
    assert answer.status == 504
    assert not cache.counters.bypasses
