"""A crawl as Scrapy does it: links alone, or with extruct and a pyoxigraph store.

Usage: scrapy_peer.py links|extruct PAGES FOLDER SEED...

Runs in an environment of its own. The settings are those that Scrapy's documentation advises for
crawling many hosts fast; no delay, robots.txt obeyed, and every name is this machine's.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import extruct
import pyoxigraph
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 100,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
    "DNS_RESOLVER": f"{__name__}.Loopback",
}
SCHEMA = {"@vocab": "http://schema.org/"}


class Loopback(CachingThreadedResolver):
    """Every name is this machine."""

    def getHostByName(self, name: str, timeout: object = ()) -> defer.Deferred[str]:  # noqa: N802 (Twisted's name)
        """The address of a name."""
        return defer.succeed("127.0.0.1")


class Links(scrapy.Spider):
    """Follows links until enough pages are known."""

    name = "links"
    extractor = LinkExtractor()
    pages = 0
    quads = 0

    def __init__(self, seeds: list[str], most: int, folder: Path) -> None:
        super().__init__()
        self.start_urls = seeds[:most]
        self.known = set(self.start_urls)
        self.most = most
        self.folder = folder

    def parse(self, response: TextResponse) -> Iterator[scrapy.Request]:  # type: ignore[override]
        """Keep a page, and go on."""
        type(self).pages += 1
        self.keep(response)
        for link in self.extractor.extract_links(response):
            if link.url not in self.known and len(self.known) < self.most:
                self.known.add(link.url)
                yield scrapy.Request(link.url)

    def keep(self, response: TextResponse) -> None:
        """Keep nothing."""


class Statements(Links):
    """Keeps what extruct finds, in all its syntaxes, as quads of a store on the disk."""

    def __init__(self, seeds: list[str], most: int, folder: Path) -> None:
        super().__init__(seeds, most, folder)
        self.store = pyoxigraph.Store(folder / "store")

    def keep(self, response: TextResponse) -> None:
        """Keep the page's statements, in a graph of its own."""
        found = extruct.extract(response.text, base_url=response.url, errors="ignore")
        graph = pyoxigraph.NamedNode(response.url)
        self.store.extend(
            pyoxigraph.Quad(quad.subject, quad.predicate, quad.object, graph)
            for document in documents(found)
            for quad in pyoxigraph.parse(
                json.dumps(document), pyoxigraph.RdfFormat.JSON_LD, base_iri=response.url
            )
        )

    def closed(self, _reason: str) -> None:
        """Have all of it on the disk."""
        self.store.flush()
        type(self).quads = len(self.store)


def documents(found: dict[str, list[Any]]) -> Iterator[Any]:
    """What extruct found as JSON-LD that needs no context from elsewhere."""
    yield from ({**each, "@context": SCHEMA} for each in found["json-ld"])
    yield from found["rdfa"]
    yield from ({**item(each), "@context": SCHEMA} for each in found["microdata"])


def item(found: object) -> Any:  # noqa: ANN401 (as JSON has it)
    """A microdata item as JSON-LD."""
    if isinstance(found, list):
        return [item(each) for each in found]
    if not isinstance(found, dict):
        return found
    named = {name: item(value) for name, value in found.get("properties", {}).items()}
    named |= {"@type": found["type"]} if "type" in found else {}
    return named | ({"@id": found["id"]} if "id" in found else {})


def main(kind: str, most: str, folder: str, *seeds: str) -> None:
    spider = {"links": Links, "extruct": Statements}[kind]
    process = CrawlerProcess(SETTINGS)
    process.crawl(spider, seeds=list(seeds), most=int(most), folder=Path(folder))
    process.start()
    print(json.dumps({"pages": spider.pages, "quads": spider.quads}))


if __name__ == "__main__":
    main(*sys.argv[1:])
