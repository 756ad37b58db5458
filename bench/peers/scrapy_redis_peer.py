"""One process of a crawl that Scrapy-Redis spreads over many, with one queue and one set of known URLs in Redis.

Usage: scrapy_redis_peer.py SECONDS VISITS DELAY REDIS SEEDS 0|1

Runs in an environment of its own. The settings are those of its documentation, and those that Scrapy's advises for
crawling many hosts; one request at once per host and process. Whoever is told 1 puts the seeds in. Every name is this machine's.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from scrapy_redis.spiders import RedisSpider
from twisted.internet import defer

KEY = "pages:seeds"
SETTINGS = {
    "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
    "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
    "SCHEDULER_PERSIST": True,
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "RANDOMIZE_DOWNLOAD_DELAY": False,
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "CRITICAL",
    "DNS_RESOLVER": f"{__name__}.Loopback",
    "REDIS_START_URLS_BATCH_SIZE": 128,
}


class Loopback(CachingThreadedResolver):
    """Every name is this machine."""

    def getHostByName(self, name: str, timeout: object = ()) -> defer.Deferred[str]:  # noqa: N802 (Twisted's name)
        """The address of a name."""
        return defer.succeed("127.0.0.1")


class Pages(RedisSpider):  # type: ignore[misc]
    """Follows links."""

    name = "pages"
    redis_key = KEY
    extractor = LinkExtractor()
    pages = 0

    def parse(self, response: TextResponse, **_: Any) -> Iterator[scrapy.Request]:  # noqa: ANN401
        """Count a page, and go on."""
        type(self).pages += 1
        for link in self.extractor.extract_links(response):
            yield scrapy.Request(link.url)


def main(seconds: str, visits: str, delay: str, address: str, seeds: str, first: str) -> None:
    if first == "1":
        redis.Redis.from_url(address).lpush(KEY, *Path(seeds).read_text().split())
    settings = {
        **SETTINGS,
        "REDIS_URL": address,
        "CLOSESPIDER_TIMEOUT": float(seconds),
        "CONCURRENT_REQUESTS": int(visits),
        "DOWNLOAD_DELAY": float(delay),
    }
    process = CrawlerProcess(settings)
    process.crawl(Pages)
    process.start()
    print(json.dumps({"pages": Pages.pages}))


if __name__ == "__main__":
    main(*sys.argv[1:])
