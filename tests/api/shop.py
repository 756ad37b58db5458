"""A crawl of two small shops that was never made: products with offers, as pages state them."""

import asyncio
import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import gossamer
from gossamer.config import Politeness
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.pages import PageGraphs
from gossamer.model import Url

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EUROS = {"@type": "Offer", "price": 19.9, "priceCurrency": "EUR"}
PRODUCTS = {
    "http://a.test/lamp": {
        "@type": "Product",
        "@id": "http://a.test/lamp#it",
        "name": "Lamp",
        "sku": "007",
        "releaseDate": "2024-05-17",
        "brand": {"@type": "Brand", "name": "Northwind"},
        "offers": {**EUROS, "seller": {"@type": "Organization", "name": "Shop A"}},
    },
    "http://a.test/chair": {
        "@type": "Product",
        "@id": "http://a.test/chair#it",
        "name": "Chair",
        "sku": "008",
        "releaseDate": "2024-06-01",
        "brand": "Southwind",
        "offers": [{**EUROS, "price": "1,249.00"}, {**EUROS, "price": "1299"}],
    },
    "http://b.test/desk": {
        "@type": "IndividualProduct",
        "@id": "http://b.test/desk#it",
        "name": "Desk <b>",
        "offers": {**EUROS, "price": "99"},
    },
}
CONCERT = {
    "@type": "MusicEvent",
    "@id": "http://b.test/concert#it",
    "name": "A concert",
    "startDate": "2026-03-04T20:00:00+01:00",
}
PAGES = {**PRODUCTS, "http://b.test/concert": CONCERT}


def html(said: object) -> bytes:
    """A page that says this."""
    told = json.dumps({"@context": "https://schema.org", **said}).replace("<", "\\u003c")  # type: ignore[dict-item]
    return f"<title>A page</title><script type='application/ld+json'>{told}</script>".encode()


def make_shop(folder: Path) -> DataFolder:
    """The data folder of the crawl."""
    data = DataFolder(folder)
    data.make()
    with closing(SqliteStore(data.frontier_file)) as store:
        frontier = SqlFrontier(store, "one", Politeness(delay=timedelta(0)))
        frontier.add([NewUrl(Url(url), seed=True) for url in PAGES])
        while leases := frontier.lease(1, pages=10):
            done = [
                Settlement(page=page, ended=Ended.CONTENT, status=200, quads=5)
                for lease in leases
                for page in lease.pages
            ]
            frontier.settle(done, {})
            frontier.release({lease.token: lease.clock for lease in leases})
    asyncio.run(_fill(data))
    return data


async def _fill(data: DataFolder) -> None:
    async with GraphProcess(data.graph_folder) as graph:
        assert await graph.replace([_graphs(Url(url), said) for url, said in PAGES.items()]) == ()


def _graphs(url: Url, said: object) -> PageGraphs:
    page = gossamer.extract(html(said), url=url, content_type="text/html", syntaxes={"jsonld"})
    facts = FetchFacts(
        url=url,
        outcome=FetchOutcome.FETCHED,
        started_at=NOW,
        finished_at=NOW,
        status=200,
        media_type="text/html",
        syntaxes=("jsonld",),
        quads=len([*page.quads]),
    )
    return PageGraphs(url, page.nquads, fetch_nquads(facts))
