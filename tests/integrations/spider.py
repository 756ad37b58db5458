"""A spider that asks Gossamer: `python spider.py SERVICE SITE`; its items go to standard output as JSON lines."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse

from gossamer.integrations.scrapy import StructuredLoader, page_of

SERVICE, SITE = sys.argv[1:]
SETTINGS = {
    "DOWNLOADER_MIDDLEWARES": {"gossamer.integrations.scrapy.PolitenessMiddleware": 950},
    "GOSSAMER_SERVICE": SERVICE,
    "ROBOTSTXT_OBEY": False,
    "DOWNLOAD_DELAY": 0,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "INFO",
}


class People(scrapy.Spider):
    """Follows all links and loads a person from each page."""

    name = "people"
    start_urls = [f"{SITE}/0", f"{SITE}/private"]  # noqa: RUF012 (as Scrapy has it)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """The people of a page, and where it leads."""
        assert isinstance(response, TextResponse)
        for loader in StructuredLoader.each(response, "Person"):
            loader.add_structured("name", "name")
            loader.add_value("url", response.url)
            yield dict(loader.load_item())
        for link in page_of(response).links:
            yield scrapy.Request(link.url)


class Printing:
    """Prints items."""

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        """Print one."""
        print(json.dumps(item), flush=True)  # noqa: T201 (what the test reads)
        return item


if __name__ == "__main__":
    process = CrawlerProcess({**SETTINGS, "ITEM_PIPELINES": {Printing: 1}})
    process.crawl(People)
    process.start()
