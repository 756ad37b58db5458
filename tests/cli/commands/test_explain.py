import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, crawled_site

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.sqlite import SqliteStore
from gossamer.moments import now_utc


def test_group_line_delay_and_source_are_shown(gossamer: Gossamer) -> None:
    with DemoServer(World(pages=60, hosts=12, crawl_delay=2)) as demo_web:
        reach = ("--connect-to", demo_web.connect_to)
        done = gossamer("explain", "http://data.site2.test/private/1", *reach)
        as_json = gossamer("explain", "http://data.site2.test/private/1", "--json", *reach)
    assert done.returncode == 0
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert lines["group"] == "User-agent: *, line 2"
    assert lines["line"] == "3: Disallow: /private/"
    assert lines["delay"] == "2 s (Crawl-delay, line 4)"
    assert lines["verdict"].startswith("forbidden")
    record = json.loads(as_json.stdout)
    assert record["robots"]["line"] == 3
    assert record["delay"]["source"] == "Crawl-delay, line 4"


def test_a_url_that_is_none_is_explained_too(gossamer: Gossamer) -> None:
    done = gossamer("explain", "mailto:somebody@example.org")
    assert done.returncode == 0
    assert "Only http and https" in done.stdout


def lines_of(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, _, rest = line.partition("  ")
        found.setdefault(name or "…", rest.strip())
    return found


def test_what_a_crawl_made_of_a_url_is_told_too(here: Gossamer, small_crawl: DataFolder) -> None:
    with DemoServer(World(pages=60, hosts=12)) as demo_web:
        reach = ("--connect-to", f"*.test={demo_web.address}", "--delay", "0")
        odd = lines_of(here("explain", "http://a.test/odd", *reach).stdout)
        failed = lines_of(here("explain", "http://a.test/failed", *reach).stdout)
        linked = lines_of(here("explain", "http://a.test/nofollow", *reach).stdout)
        query = ("--config", "crawl.follow_query=SELECT ?p {\n ?s ?o ?p }")
        queried = lines_of(here("explain", "http://a.test/odd", *query, *reach).stdout)
        first = (
            "--config",
            "crawl.strategy=best",
            "--config",
            'crawl.priority={"a,b" = 1, odd = 9}',
        )
        form = ("--config", "urls.drop_parameters=utm_*", "--config", "urls.sort_query=true")
        formed = lines_of(here("explain", "http://a.test/odd?utm_x=1", *form, *reach).stdout)
        ranked = lines_of(here("explain", "http://a.test/odd", *first, *reach).stdout)
        record = json.loads(here("explain", "http://a.test/refused", "--json", *reach).stdout)
    assert odd["crawl"].startswith("content (200) at ")
    assert odd["crawl"].endswith("at depth 0, a seed")
    assert odd["scope"] == "yes, by --scope host and 4 seeds"
    assert odd["found"] == "turtle, in no media type"
    assert (odd["quads"], odd["problems"]) == ("1", "1")
    assert odd["…"] == "jsonld, line 7: A comma too many."
    assert "links" not in odd
    assert odd["order"] == "breadth (crawl.strategy)"
    assert "form" not in odd
    assert formed["form"] == "utm_x dropped, as the keys of urls ask for"
    assert (formed["canonical"], formed["crawl"]) == ("http://a.test/odd", odd["crawl"])
    assert ranked["order"] == "best (crawl.strategy); +9 points by crawl.priority (odd +9)"
    assert queried["links"] == "those that the crawl's query names: SELECT ?p { ?s ?o ?p }"
    assert failed["crawl"].startswith("failed (500) at ")
    assert failed["why"] == "status-500: The server answered 500."
    assert linked["crawl"] == "linked to, and not followed (nofollow)"
    assert (record["page"]["ended"], record["page"]["why"]) == ("refused", "robots: Line 3.")


@pytest.mark.parametrize(("status", "outcome"), [(304, "content (304)"), (500, "failed (500)")])
def test_what_a_page_said_is_told_after_a_visit_that_left_it_as_it_was(
    here: Gossamer, tmp_path: Path, status: int, outcome: str
) -> None:
    page, data = "http://a.test/", DataFolder(tmp_path / "gossamer-data")

    def answer(url: str, headers: Mapping[str, str]) -> Sent | None:
        if url != page:
            return None
        known = "if-none-match" in headers
        return Sent(status=status) if known else Sent("<title>A</title>", headers={"ETag": '"1"'})

    crawled_site(data.path, answer, [page])
    first = lines_of(here("explain", page).stdout)
    with closing(SqliteStore(data.frontier_file)) as store:
        SqlFrontier(store, "test", hurried().politeness).refetch(now_utc())
    crawled_site(data.path, answer)
    again = lines_of(here("explain", page).stdout)
    assert again["crawl"].startswith(outcome)
    assert ("keeps" in again) == (status == 500)
    assert (again["found"], again["quads"]) == (first["found"], first["quads"])
    assert again["found"] == "page, in text/html"
