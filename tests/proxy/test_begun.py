from pathlib import Path

from tests.proxy.proxied import run

from gossamer.config import Proxy
from gossamer.proxy.begun import Begun
from gossamer.proxy.cache.cache import open_cache
from gossamer.proxy.cache.protocol import Answer, Flight, Request
from gossamer.proxy.wire.fields import Malformed


def test_a_request_that_is_dropped_keeps_nobody_waiting_and_nothing_held(tmp_path: Path) -> None:
    async def work() -> None:
        cache = open_cache(tmp_path / "cache.db", Proxy())
        request = Request("GET", "http://a.test/", ())
        found = cache.ask(request)
        flight = cache.ask(request)
        assert isinstance(flight, Flight)
        begun = Begun(Malformed(400, ""), found=found)
        for _ in range(2):  # as happens where its task ends
            begun.drop()
            assert flight.has_landed
        released: list[bool] = []
        answer = Answer(200, b"", release=lambda: released.append(True))
        Begun(Malformed(400, ""), found=answer).drop()
        assert released == [True]
        await cache.close()

    run(work())
