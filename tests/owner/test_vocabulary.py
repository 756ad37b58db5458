"""What there is to ask, found by asking."""

import asyncio
from pathlib import Path

from tests.owner.small_crawl import made

from gossamer.config import Config
from gossamer.owner.opening import answer_folder
from gossamer.owner.vocabulary import Met, vocabulary


def test_properties_are_counted_and_what_we_say_of_fetches_is_not(tmp_path: Path) -> None:
    async def run() -> None:
        async with answer_folder("test", await made(tmp_path), Config()) as answers:
            found = await vocabulary(answers, None, 60.0)
        assert found.classes == ()
        assert found.properties == (Met("http://v.test/says", "http://v.test/says", 3),)
        assert (found.class_count, found.property_count, found.query) == (0, 1, None)

    asyncio.run(run())
