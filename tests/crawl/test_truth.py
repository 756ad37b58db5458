"""Crawls of the demo web: all kinds of hosts, seeds, sizes, depths, scopes and timings."""

import random
from pathlib import Path

import pytest
from tests.crawl.comparing import Case, assert_truth, run

from gossamer.demo.truth import Rules
from gossamer.demo.world import World
from gossamer.model import Url

WORLD = World(seed=11, pages=150, hosts=13, crawl_delay=0.1)
FRONT = (WORLD.front(0),)

CASES = {
    "all hosts": Case(WORLD, FRONT, delay=0.02, timings=1),
    "sitemaps": Case(WORLD, FRONT, depth=1, delay=0.01, rules=Rules(sitemaps=True)),
    "one host": Case(WORLD, (WORLD.front(2),), scope="host", concurrency=1, strategy="random"),
    "two sites": Case(WORLD, (WORLD.front(3), WORLD.front(9)), scope="site", workers=2, timings=2),
    "few links": Case(WORLD, FRONT, rules=Rules(max_links=3)),
    "no wishes": Case(
        WORLD,
        FRONT,
        depth=3,
        strategy="depth",
        rules=Rules(honour_nofollow=False, forbidden_closes=False),
    ),
    "seeds alone": Case(WORLD, tuple(map(WORLD.front, range(13))), scope="page"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_crawl_is_what_the_world_says(name: str, tmp_path: Path) -> None:
    assert_truth(run(CASES[name], tmp_path))


def drawn(number: int, most_pages: int) -> Case:
    """A crawl like no other."""
    chance = random.Random(number)
    pages = chance.randint(10, most_pages)
    hosts = chance.randint(1, min(pages, 60))
    scope = chance.choice(["any", "any", "host", "host", "site", "page"])
    # Then pages are moved, missing and gone too; beyond the scope things are worse.
    malice = scope != "any" and chance.random() < 0.5
    world = World(seed=number, pages=pages, hosts=hosts, crawl_delay=0.05, malice=malice)
    seeds = [world.url(chance.randrange(pages)) for _ in range(chance.randint(1, 4))]
    if malice:
        seeds.append(Url(f"{world.front(chance.randrange(hosts))}moved/{chance.randrange(9)}"))
    return Case(
        world,
        tuple(dict.fromkeys(seeds)),
        depth=chance.choice([None, None, 0, 1, 2, 3, 6]),
        scope=scope,
        delay=chance.choice([0, 0, 0.005, 0.02]),
        rules=Rules(
            sitemaps=chance.random() < 0.4,
            honour_nofollow=chance.random() < 0.7,
            forbidden_closes=chance.random() < 0.7,
            max_links=chance.choice([None, None, None, 0, 2, 5]),
        ),
        timings=chance.choice([None, number]),
        concurrency=chance.choice([1, 2, 7, 128]),
        workers=chance.choice([1, 2]),
        strategy=chance.choice(["breadth", "depth", "best", "random"]),
    )


def test_whatever_the_seeds_sizes_depths_scopes_and_timings(
    tmp_path_factory: pytest.TempPathFactory, full_size: bool
) -> None:
    for number in range(100) if full_size else range(5):
        case = drawn(number, 1_000 if full_size else 80)
        result = run(case, tmp_path_factory.mktemp("crawl"))
        try:
            assert_truth(result)
        except AssertionError as error:
            raise AssertionError(f"crawl {number}: {case}") from error
