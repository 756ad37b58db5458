import asyncio
import json
import shlex
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.owner.small_crawl import made

from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.pages import PageGraphs

A = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
NAME, LABEL = "<http://schema.org/name>", "<http://www.w3.org/2000/01/rdf-schema#label>"
HOSTILE = "http://x.test/C'$(touch-x)'"


def told(*lines: str, page: str = "http://www.v.test/p") -> PageGraphs:
    quads = "\n".join(f"{line} <{page}> ." for line in lines)
    return PageGraphs(
        page, quads.encode(), f"<{page}#fetch> <{page}> <{page}> <{page}#fetch> .".encode()
    )


async def crawl(folder: Path, *pages: PageGraphs) -> None:
    data = await made(folder)
    async with GraphProcess(data.graph_folder) as graph:
        assert await graph.replace(pages) == ()


def test_classes_and_properties_are_counted_and_labelled(here: Gossamer, tmp_path: Path) -> None:
    pages = [
        told(
            *(f"<http://www.v.test/{n}> {A} <http://schema.org/Person>" for n in range(3)),
            f'<http://www.v.test/1> {NAME} "Ada"',
            f"<http://www.v.test/1> {A} <http://v.test/Baker>",
            f'<http://v.test/Baker> {LABEL} "B\\u00e4cker"@de',
        ),
        told(
            f"<http://www.v.test/1> {A} <http://schema.org/Person>",  # said twice, but one thing
            f'<http://v.test/Baker> {LABEL} "Liar"@en',
            "_:b <http://v.test/x> _:c",
            f"_:b {A} _:c",
            page="http://evil.test/",
        ),
    ]
    asyncio.run(crawl(tmp_path / "gossamer-data", *pages))
    done = here("vocab")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[:3] == [
        ["THINGS", "CLASS", "LABEL"],
        ["3", "schema:Person"],
        ["1", "http://v.test/Baker", "Bäcker"],
    ]
    assert ["6", "rdf:type"] in lines
    assert ["3", "http://v.test/says"] in lines
    assert not any("prov" in line[1] for line in lines if len(line) > 1)
    record = json.loads(here("vocab", "--json").stdout)
    assert record["classes"][0] == {
        "iri": "http://schema.org/Person",
        "name": "schema:Person",
        "count": 3,
        "label": None,
    }
    assert record["class_count"] == 2
    suggested = shlex.split(done.stdout.splitlines()[-1])
    assert suggested[2] == record["query"]
    assert here(*suggested[1:]).stdout.split()[-1] == "Ada"
    short = here("vocab", "--limit", "1").stdout
    assert "… and 1 other (--limit)." in short
    assert "Baker" not in short


def test_a_hostile_class_cannot_leave_its_quotes(here: Gossamer, tmp_path: Path) -> None:
    page = told(f"<http://a.test/1> {A} <{HOSTILE}>", f'<http://a.test/1> {NAME} "\\u001b[31mred"')
    asyncio.run(crawl(tmp_path / "gossamer-data", page))
    done = here("vocab")
    assert f"<{HOSTILE}>" in shlex.split(done.stdout.splitlines()[-1])[2]
    assert "\x1b" not in done.stdout


@pytest.mark.usefixtures("small_crawl")
def test_a_crawl_without_classes_says_so(here: Gossamer) -> None:
    done = here("vocab")
    assert done.stdout.startswith("No class was met.\n")
    assert "http://v.test/says" in done.stdout
    assert "Try" not in done.stdout


def test_without_a_crawl_there_is_a_sentence(here: Gossamer) -> None:
    done = here("vocab")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr
