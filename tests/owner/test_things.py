"""What is known of a thing, asked of a graph that was made for it."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.config import Config, Index
from gossamer.folder.data import DataFolder
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.pages import PageGraphs
from gossamer.owner import things
from gossamer.owner.messages import Record
from gossamer.owner.opening import Answers, answer_folder
from gossamer.owner.things import ThingNameError, checked_name, find_thing, record_of_thing

S = "http://schema.org/"
ADA, PAGE, OTHER = "http://a.test/ada", "http://a.test/", "http://b.test/"
WIKIDATA = "http://www.wikidata.org/entity/Q7259"
SAID = {
    PAGE: [
        f"<{ADA}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{S}Person>",
        f'<{ADA}> <{S}name> "Ada Lovelace"@en',
        f"<{ADA}> <{S}sameAs> <{WIKIDATA}>",
        f"<{ADA}> <{S}knows> <http://a.test/charles>",
        f'<http://a.test/charles> <{S}name> "Charles"',
        f"<http://a.test/book> <{S}author> <{ADA}>",
        f"_:sketch <{S}about> <http://a.test/charles>",
        f'_:sketch <{S}name> "Sketch of the Engine"',
        f"<{ADA}> <{S}address> _:x",
        f'_:x <{S}addressLocality> "London"',
    ],
    OTHER: [
        f'<{ADA}> <{S}name> "Ada Lovelace"@en',
        f"_:ada <{S}sameAs> <{WIKIDATA}>",
        f'_:ada <{S}birthDate> "1815-12-10"',
        f'_:ada <{S}name> "A. Lovelace"',
        "<http://b.test/1> <http://b.test/p> <http://b.test/2>",
        f'<http://b.test/claim> <{S}about> <<( _:ada <{S}name> "A."@en--ltr )>>',
        *(f'<http://b.test/many> <http://b.test/n> "{n}"' for n in range(10)),
    ],
}


def graphs(page: str) -> PageGraphs:
    quads = "".join(f"{line} <{page}> .\n" for line in SAID[page])
    fetch = f'<{page}#fetch> <urn:gossamer:outcome> "fetched" <{page}#fetch> .\n'
    return PageGraphs(page, quads.encode(), fetch.encode())


def asked(folder: Path, work: Callable[[Answers], Awaitable[None]], *, words: bool = True) -> None:
    async def run() -> None:
        data = DataFolder(folder)
        async with GraphProcess(data.graph_folder) as graph:
            assert await graph.replace([graphs(page) for page in SAID]) == ()
        async with answer_folder("test", data, Config(index=Index(words=words))) as answers:
            await work(answers)

    asyncio.run(run())


async def record(answers: Answers, name: str) -> Record:
    thing = await find_thing(answers, name, 30.0)
    assert thing is not None
    return await record_of_thing(answers, thing, 30.0)


def values(told: Record, name: str) -> list[dict[str, Any]]:
    (found,) = [each for each in told["properties"] if each["name"] == f"schema:{name}"]
    shown: list[dict[str, Any]] = found["values"]
    return shown


@pytest.mark.parametrize("words", [True, False])
def test_all_that_pages_say_of_a_thing_is_gathered_with_its_sources(
    tmp_path: Path, words: bool
) -> None:
    async def work(answers: Answers) -> None:
        for name in (ADA, WIKIDATA):
            told = await record(answers, name)
            assert told["id"] == WIKIDATA
            assert told["label"] == "Ada Lovelace"
            assert told["types"] == (f"{S}Person",)
            assert len(told["same_as"]) == 2
            assert ADA in told["same_as"]
            assert told["page_count"] == 2
            assert [each["iri"] for each in told["properties"]][:2] == [
                "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
                f"{S}name",
            ]
            both, one = values(told, "name")
            assert (both["value"], both["language"], both["pages"]) == (
                "Ada Lovelace",
                "en",
                [PAGE, OTHER],
            )
            assert (one["value"], one["pages"]) == ("A. Lovelace", [OTHER])
            assert values(told, "knows")[0]["label"] == "Charles"
            assert [(link["id"], link["name"]) for link in told["links_here"]] == [
                ("http://a.test/book", "schema:author")
            ]
            assert told["cut"] is False

    asked(tmp_path, work, words=words)


def test_a_blank_node_leads_on_by_its_name(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        (address,) = values(await record(answers, ADA), "address")
        assert address["type"] == "thing"
        told = await record(answers, address["value"])
        assert values(told, "addressLocality")[0]["value"] == "London"
        shown = f"_:b{address['value'].partition(':')[2]}"
        assert await record(answers, shown) == told
        (link,) = told["links_here"]
        assert link["id"] == ADA

    asked(tmp_path, work)


def test_what_has_no_name_is_told_all_the_same(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        told = await record(answers, "http://b.test/1")
        assert (told["label"], told["pages"], told["types"]) == (None, [OTHER], [])
        assert told["properties"][0]["values"][0]["value"] == "http://b.test/2"

    asked(tmp_path, work)


def test_a_statement_about_a_statement_is_shown_with_its_blank_nodes(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        (value,) = values(await record(answers, "http://b.test/claim"), "about")
        assert value["type"] == "triple"
        assert re.fullmatch(rf'<<\( _:b[0-9a-f]+ <{S}name> "A\."@en--ltr \)>>', value["value"])

    asked(tmp_path, work)


def test_what_links_here_is_named_also_where_it_has_no_address(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        told = await record(answers, "http://a.test/charles")
        assert [link["label"] for link in told["links_here"]] == [
            "Sketch of the Engine",
            "Ada Lovelace",
        ]

    asked(tmp_path, work)


@pytest.mark.parametrize(
    ("name", "uses", "links"),
    [
        (f"{S}Person", {"type": 1, "property": 0}, [ADA]),
        (f"{S}birthDate", {"type": 0, "property": 1}, []),
        ("http://b.test/2", {"type": 0, "property": 0}, ["http://b.test/1"]),
    ],
)
def test_of_what_is_only_named_its_uses_are_told(
    tmp_path: Path, name: str, uses: dict[str, int], links: list[str]
) -> None:
    async def work(answers: Answers) -> None:
        told = await record(answers, name)
        assert (told["id"], told["label"], told["properties"]) == (name, None, [])
        assert told["uses"] == uses
        assert [link["id"] for link in told["links_here"]] == links

    asked(tmp_path, work)


def test_values_are_counted_beyond_those_that_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(things, "ABOUT", things.ABOUT.replace("5000", "4"))
    monkeypatch.setattr(things, "MOST_STATEMENTS", 4)

    async def work(answers: Answers) -> None:
        told = await record(answers, "http://b.test/many")
        assert told["cut"] is True
        (property_,) = told["properties"]
        assert len(property_["values"]) <= 4
        assert property_["value_count"] == 10

    asked(tmp_path, work, words=False)


def test_of_what_nobody_speaks_there_is_nothing(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        for name in ("http://nobody.test/", f"{PAGE}#fetch", "_:b0"):
            assert await find_thing(answers, name, 30.0) is None

    asked(tmp_path, work)


@pytest.mark.parametrize("name", ["", "no iri", "a>b:c", "http://a.test/> } DROP ALL #", "_:b>"])
def test_what_can_be_no_name_never_gets_into_a_query(name: str) -> None:
    with pytest.raises(ThingNameError, match="No thing can have the name"):
        checked_name(name)


def test_a_thing_that_takes_too_long_to_gather_is_shown_without_its_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = re.compile(r"(a|a)*b")
    monkeypatch.setattr(things, "GATHER_SECONDS", 0.1)
    monkeypatch.setattr(things, "entity_of", lambda *_: endless.fullmatch("a" * 64))

    async def work(answers: Answers) -> None:
        told = await record(answers, "http://b.test/1")
        assert told["left_out"] == things.TOOK_TOO_LONG
        assert told["label"] is None
        assert told["properties"]

    asked(tmp_path, work)


def test_a_subject_whose_home_takes_too_long_to_find_is_at_home_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = re.compile(r"(a|a)*b")
    monkeypatch.setattr(things, "GATHER_SECONDS", 0.1)
    monkeypatch.setattr(things, "home_of", lambda *_: endless.fullmatch("a" * 64))

    async def work(answers: Answers) -> None:
        assert (await record(answers, "http://b.test/1"))["id"] == "http://b.test/1"

    asked(tmp_path, work)
