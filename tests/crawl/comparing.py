"""A crawl of the demo web beside what the demo web knows of itself, to the last page and quad."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from tests.crawl.crawls import Crawled, crawled, hurried, reaching

from gossamer.config import Config, Crawl
from gossamer.demo.accesslog import Access, audit
from gossamer.demo.outcomes import Failed, Outcome, Redirected, Refused, Skipped, Truth, Visited
from gossamer.demo.process import DemoServer
from gossamer.demo.rendering import rendered
from gossamer.demo.truth import DEFAULT_RULES, Rules, truth
from gossamer.demo.world import World
from gossamer.frontier.protocol import Ended, PageState
from gossamer.index.graph.names import page_name
from gossamer.model import Url
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob


@dataclass(frozen=True)
class Case:
    """One crawl of one world."""

    world: World
    seeds: tuple[Url, ...]
    depth: int | None = None
    scope: str = "any"
    delay: float = 0.0
    rules: Rules = DEFAULT_RULES
    timings: int | None = None
    concurrency: int = 128
    workers: int = 1
    strategy: str = "breadth"

    def config(self, address: str) -> Config:
        """The crawl's configuration."""
        strategy: Any = self.strategy
        config = hurried(
            delay=self.delay,
            scope=self.scope,
            sitemaps=self.rules.sitemaps,
            crawl=Crawl(
                depth=self.depth,
                concurrency=self.concurrency,
                workers=self.workers,
                strategy=strategy,
            ),
            honour_nofollow=self.rules.honour_nofollow,
            robots_forbidden_closes=self.rules.forbidden_closes,
        )
        if self.rules.max_links is not None:
            limited = replace(config.crawl, links_per_page=self.rules.max_links)
            config = replace(config, crawl=limited)
        return reaching(config, address)

    def truth(self) -> Truth:
        """What a right crawl comes to."""
        scope: Any = self.scope
        return truth(self.world, self.seeds, self.depth, scope, rules=self.rules)


@dataclass(frozen=True)
class Result:
    """A crawl, what the server saw of it, and what it should have been."""

    case: Case
    found: Crawled
    said: Truth
    log: Sequence[Access]


def run(case: Case, folder: Path) -> Result:
    """Crawl a world from an empty folder."""
    with DemoServer(case.world, folder / "access.jsonl") as server:
        config = case.config(server.address)
        found = crawled(folder / "data", config, case.seeds, timings=case.timings)
    return Result(case, found, case.truth(), list(server.accesses()))


# ---- outcomes


def outcomes(said: Truth) -> dict[str, tuple[str, ...]]:
    """The truth in a few words a URL."""
    return {url: _word(outcome) for url, outcome in said.outcomes.items()}


def _word(outcome: Outcome) -> tuple[str, ...]:
    match outcome:
        case Visited():
            return ("content",)
        case Skipped():
            return ("skipped", outcome.content_type)
        case Redirected():
            return ("redirected", outcome.target)
        case Failed():
            return ("failed", outcome.cause)
        case Refused():
            return ("refused", outcome.rule)


def found_outcomes(found: Crawled) -> dict[str, tuple[str, ...]]:
    """A crawl in the same words."""
    links = {str(url): ("refused", _rule(rule)) for url, rule in found.refused_links.items()}
    pages = {str(url): _state(page) for url, page in found.pages.items() if page.state != "beyond"}
    return {**links, **pages}


def _state(page: PageState) -> tuple[str, ...]:
    word, why = (page.why or "").partition(":")[0], page.why or ""
    if page.state == "pending" and page.attempts:
        return ("failed", "parked")  # its host asks for more patience than we have
    match page.ended:
        case Ended.CONTENT:
            return ("content",)
        case Ended.SKIPPED:
            return ("skipped", page.media_type or "")
        case Ended.REDIRECTED:
            return ("redirected", why)
        case Ended.FAILED:
            return ("failed", word)
        case Ended.REFUSED:
            return ("refused", _rule(word))
    return (page.state, word)


def _rule(rule: str) -> str:
    """The demo web has one word for all kinds of scope."""
    return "scope" if rule.startswith("scope-") else rule


def assert_outcomes(result: Result) -> None:
    said, found = outcomes(result.said), found_outcomes(result.found)
    differing = {
        url: (said.get(url), found.get(url))
        for url in said.keys() | found.keys()
        if said.get(url) != found.get(url)
    }
    assert not differing, sorted(differing.items())[:20]
    if result.case.depth is None:
        return  # then nothing depends on depths, and pages keep the one that was known at the time
    depths = {url: page.depth for url, page in result.found.pages.items() if url in said}
    right = {url: result.said.outcomes[url].depth for url in depths}
    assert depths == right


# ---- quads


def assert_quads(result: Result) -> None:
    assert result.found.summary.quads == result.said.quads()
    graphs = by_graph(result.found.nquads)
    right = right_graphs(result.case)
    assert graphs.keys() == right.keys()
    for graph, quads in right.items():
        assert graphs[graph] == quads, graph


def right_graphs(case: Case) -> dict[str, ox.Dataset]:
    """What each page of a crawl says that says anything."""
    return {
        page_name(url): quads
        for url, page in case.truth().visited.items()
        if len(quads := written_quads(case.world, page))
    }


def by_graph(nquads: bytes) -> dict[str, ox.Dataset]:
    """What each page says, its inner graphs with it."""
    pages: dict[str, list[ox.Quad]] = defaultdict(list)
    for quad in ox.parse(nquads, ox.RdfFormat.N_QUADS):
        assert isinstance(quad.graph_name, ox.NamedNode)
        page, _, part = quad.graph_name.value.partition("#")
        if part != "fetch":
            pages[page].append(quad)
    return {page: compared(quads) for page, quads in pages.items()}


def written_quads(world: World, page: Visited) -> ox.Dataset:
    """What a page says, read by itself with nobody in between."""
    if page.noindex or page.holds is None:
        return ox.Dataset()
    written = rendered(world, page.holds)
    said = extract_page(PageJob(page.url, written.body, written.content_type))
    assert said.count == written.quads
    store = ox.Store()  # which writes numbers in its own way, as the graph does
    store.bulk_extend(said.quads)
    return compared(store)


def compared(quads: Iterable[ox.Quad]) -> ox.Dataset:
    """Quads whose blank nodes have names that follow from what is said of them."""
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return dataset


# ---- manners


def assert_manners(result: Result) -> None:
    """No gap under the delay, one request at a time, and nothing that is forbidden."""
    for host, seen in audit(result.log).items():
        assert seen.most_in_flight == 1, host
        if seen.smallest_gap is not None:
            assert seen.smallest_gap >= result.case.delay, (host, seen)
    asked = {f"http://{access.host}{access.path}" for access in result.log}
    allowed = set(result.said.requested)
    others = {url for url in asked - allowed if not _is_overhead(url)}
    assert not others, sorted(others)[:10]
    assert allowed <= asked


def _is_overhead(url: str) -> bool:
    path = "/" + url.split("/", 3)[3]
    return path.endswith("robots.txt") or "sitemap" in path


def assert_once(result: Result) -> None:
    """No page was asked for twice."""
    asked = [f"http://{a.host}{a.path}" for a in result.log]
    pages = [url for url in asked if url in result.said.requested]
    assert len(pages) == len(set(pages))


def assert_truth(result: Result) -> None:
    assert_outcomes(result)
    assert_quads(result)
    assert_manners(result)
    assert_once(result)
