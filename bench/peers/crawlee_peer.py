"""A crawl as Crawlee does it, for links alone.

Usage: crawlee_peer.py PAGES ADDRESS SEED...

Runs in an environment of its own. Parsel is its faster parser, memory its faster storage, and
sessions, which cost a third, are for sites that block crawlers. Its HTTP client cannot be told
where a host is, so the server at ADDRESS stands in as the proxy, in the same step.
"""

import asyncio
import json
import logging
import sys

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.http_clients import ImpitHttpClient
from crawlee.storage_clients import MemoryStorageClient

CONCURRENCY = ConcurrencySettings(min_concurrency=20, desired_concurrency=50, max_concurrency=100)


async def crawl(most: int, address: str, seeds: list[str]) -> int:
    """Follow links; how many pages were had."""
    pages = 0
    crawler = ParselCrawler(
        # Not by `proxy_configuration`: robots.txt would be asked for past it.
        http_client=ImpitHttpClient(persist_cookies_per_session=False, proxy=f"http://{address}"),
        storage_client=MemoryStorageClient(),
        concurrency_settings=CONCURRENCY,
        respect_robots_txt_file=True,
        use_session_pool=False,
        configure_logging=False,
        max_requests_per_crawl=most,
        max_request_retries=0,
    )

    async def handle(context: ParselCrawlingContext) -> None:
        nonlocal pages
        pages += 1
        await context.enqueue_links(strategy="all")

    crawler.router.default_handler(handle)
    await crawler.run(seeds)
    return pages


def main(most: str, address: str, *seeds: str) -> None:
    logging.disable(logging.WARNING)
    print(json.dumps({"pages": asyncio.run(crawl(int(most), address, list(seeds)))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
