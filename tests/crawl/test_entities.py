"""What the entities of a crawl are, beside what the demo web knows of its own."""

import asyncio
import json
from collections import Counter
from pathlib import Path

from tests.crawl.comparing import Case, run

from gossamer.demo.entities import counts_by_type, known_entities
from gossamer.demo.world import World
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.query import GraphExport

WORLD = World(seed=2, pages=150, hosts=13, crawl_delay=0.05)
SECURE, PLAIN = "https://schema.org/", "http://schema.org/"


async def exported(folder: Path) -> list[str]:
    """All entities, a line each."""
    async with GraphProcess(folder) as graph:
        return (await graph.export(GraphExport("entities")).read()).decode().splitlines()


def test_a_crawl_knows_the_things_that_the_world_speaks_of(tmp_path: Path) -> None:
    said = run(Case(WORLD, (WORLD.front(0),)), tmp_path).said
    lines = asyncio.run(exported(tmp_path / "data" / "graph"))
    found = {record["home"]: record for record in map(json.loads, lines)}
    known = known_entities(said)
    named = {home: entity for home, entity in known.items() if not entity.is_blank}
    assert len(found) == len(lines) == len(known)
    assert {home for home in found if not home.startswith("_:")} == named.keys()
    for home, entity in named.items():
        assert set(found[home]["pages"]) == entity.pages
        assert entity.label in (None, found[home]["label"])
    types = Counter(
        type_
        for record in found.values()
        for type_ in {each.replace(SECURE, PLAIN) for each in record["types"]}
    )
    assert types == counts_by_type(known)
