"""A crawl of many hosts as Scrapy does it, with a slot of its downloader for each host.

Usage: scrapy_slots.py SECONDS VISITS DELAY TIMEOUT @SEEDS

Runs in an environment of its own. Requests at once, delay and time-out as given, one request at once per host, robots.txt
obeyed, and the queue that Scrapy's documentation advises for crawling many hosts. Every name is this machine's.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "RANDOMIZE_DOWNLOAD_DELAY": False,
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "CRITICAL",
    "DNS_RESOLVER": f"{__name__}.Loopback",
}


class Loopback(CachingThreadedResolver):
    """Every name is this machine."""

    def getHostByName(self, name: str, timeout: object = ()) -> defer.Deferred[str]:  # noqa: N802 (Twisted's name)
        """The address of a name."""
        return defer.succeed("127.0.0.1")


class Links(scrapy.Spider):
    """Follows links."""

    name = "links"
    extractor = LinkExtractor()
    pages = 0

    def __init__(self, seeds: list[str]) -> None:
        super().__init__()
        self.start_urls = seeds

    def parse(self, response: TextResponse) -> Iterator[scrapy.Request]:  # type: ignore[override]
        """Count a page, and go on."""
        type(self).pages += 1
        for link in self.extractor.extract_links(response):
            yield scrapy.Request(link.url)


def main(seconds: str, visits: str, delay: str, timeout: str, seeds: str) -> None:
    settings = {
        **SETTINGS,
        "CLOSESPIDER_TIMEOUT": float(seconds),
        "CONCURRENT_REQUESTS": int(visits),
        "DOWNLOAD_DELAY": float(delay),
        "DOWNLOAD_TIMEOUT": float(timeout),
    }
    process = CrawlerProcess(settings)
    process.crawl(Links, seeds=Path(seeds.removeprefix("@")).read_text().split())
    process.start()
    print(json.dumps({"pages": Links.pages}))


if __name__ == "__main__":
    main(*sys.argv[1:])
