"""A shop that was crawled on two days, and what had changed on the second."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.crawl.crawls import PATIENCE, hurried, opened, reaching
from tests.crawl.sites import Sent, served

from gossamer.crawl.progress import Summary

SHOP = "http://shop.test"
HOSTILE = 'Pot <script>alert(1)</script> & "more"'


def product(name: str, price: str, **more: object) -> str:
    """A page about a product."""
    offer = {"@type": "Offer", "price": price, "priceCurrency": "EUR"}
    said = {"@type": "Product", "name": name, "offers": offer, **more}
    text = json.dumps({"@context": "https://schema.org", **said}).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


FRONT = "".join(f'<a href="/{each}">x</a>' for each in ("tea", "cup", "pot", "old", "bowl"))
DAYS: tuple[Mapping[str, Sent | str], ...] = (
    {
        "/": FRONT,
        "/tea": product("Tea", "10.00", brand={"@type": "Brand", "name": "Acme"}),
        "/cup": product("Cup", "3.00"),
        "/old": product("Saucer", "1.00") + "<p>You are visitor 1",
        "/bowl": product("Bowl", "7.00"),
    },
    {
        "/": FRONT,
        "/tea": product("Tea", "12.50", brand={"@type": "Brand", "name": "Acme"}),
        "/pot": product(HOSTILE, "20.00"),
        "/old": product("Saucer", "1.00") + "<p>You are visitor 2",
        "/bowl": Sent("busy", 501),
    },
)


def crawl_twice(folder: Path) -> tuple[Summary, Summary]:
    """Crawl the shop on both days."""
    return crawl_on(0, folder), crawl_on(1, folder)


def crawl_on(day: int, folder: Path, **changed: Any) -> Summary:
    """Crawl the shop on a day, with these sections of the configuration; all of it again on the second."""

    def answer(url: str, _: object) -> Sent | None:
        page = DAYS[day].get(url.removeprefix(SHOP))
        return Sent(page) if isinstance(page, str) else page

    async def run() -> Summary:
        async with served(answer) as site:
            config = replace(reaching(hurried(), site.address), **changed)
            async with opened(folder, config, [f"{SHOP}/"]) as running:
                if day:
                    await running.again(datetime.now(UTC))
                async with asyncio.timeout(PATIENCE):
                    ended = await running.crawl.run()
                return await running.summary(ended)

    return asyncio.run(run())
