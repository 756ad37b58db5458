import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.index.words.small_graph import page, thing
from tests.owner.small_crawl import made

from gossamer.cli.commands.search import marked, result_lines, summary_lines
from gossamer.folder.data import DataFolder
from gossamer.index.graph.client import GraphProcess

A, B = "http://a.test/good", "http://www.b.test/"


@pytest.fixture
def people(tmp_path: Path) -> DataFolder:
    """A crawl that speaks of a few people."""
    data = asyncio.run(made(tmp_path / "gossamer-data"))
    same = "<http://www.wikidata.org/entity/Q7259>"

    async def say() -> None:
        async with GraphProcess(data.graph_folder) as graph:
            ada = thing(f"{A}#ada", name="Ada Lovelace", sameAs=same, description="First of all")
            king = thing("_:x", name="Ada King", sameAs=same)
            hotel = thing(f"{B}#hotel", "Hotel", name="Hotel Ada", address="\x1b[31mRed\x07")
            assert not await graph.replace([page(A, *ada), page(B, *king, *hotel)])

    asyncio.run(say())
    return data


@pytest.mark.usefixtures("people")
def test_what_is_found_is_shown_to_people(here: Gossamer) -> None:
    done = here("search", "ada")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "*Ada* King  Person",
        "  *Ada* Lovelace",
        "  http://www.wikidata.org/entity/Q7259  2 pages of 2 hosts",
        "",
        "Hotel *Ada*  Hotel",
        f"  {B}#hotel  1 page",
        "",
    ]
    told = done.stderr.splitlines()
    assert told[0].startswith("2 results, in ")
    assert told[1] == "types: Hotel 1, Person 1"
    assert told[2] == "hosts: www.b.test 2, a.test 1"


@pytest.mark.usefixtures("people")
def test_options_narrow_it_down_and_json_is_a_value(here: Gossamer) -> None:
    done = json.loads(here("search", "ada", "--type", "Person", "--json").stdout)
    assert done["total"] == 1
    assert done["results"][0]["names"] == ["Ada King", "Ada Lovelace"]
    assert done["results"][0]["pages"] == [A, B]
    assert done["facets"]["hosts"] == {"a.test": 1, "www.b.test": 1}
    assert json.loads(here("search", "--host", "a.test", "ada", "--json").stdout)["total"] == 1
    assert json.loads(here("search", "ada", "-hotel", "--json").stdout)["total"] == 1
    assert json.loads(here("search", "ada", "--pages", "--json").stdout)["total"] == 0
    assert json.loads(here("search", "--limit", "1", "--json").stdout)["total"] == 3


@pytest.mark.usefixtures("people")
def test_what_makes_no_sense_is_a_sentence(here: Gossamer) -> None:
    done = here("search", "ada", "--since", "soon")
    assert (done.returncode, "write a day such as 2024-05-17" in done.stderr) == (1, True)
    done = here("search", "ada", "--tpye", "Person")
    assert (done.returncode, "--tpye" in done.stderr) == (2, True)
    done = here("search", "x" * 2_000)
    assert (done.returncode, "1,000 characters" in done.stderr) == (1, True)
    assert "Nothing has all of these words" in here("search", "ada", "unicorn").stderr


@pytest.mark.usefixtures("people")
def test_words_that_are_off_are_not_searched(here: Gossamer) -> None:
    done = here("search", "ada", "--config", "index.words=false")
    assert (done.returncode, "index.words" in done.stderr) == (1, True)
    # Those of a graph on a server are, and they are not those of the folder's own graph.
    done = here("search", "ada", "--config", "index.url=http://127.0.0.1:1/")
    assert (done.returncode, "does not answer" in done.stderr) == (1, True)


@pytest.mark.usefixtures("people")
def test_another_spelling_is_named_where_something_has_it(here: Gossamer) -> None:
    hint = "With another letter there is something: lovlace~ has 1 result."
    done = here("search", "lovlace")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, hint)
    assert here("search", "lovlace~").stdout.startswith("Ada King")
    assert "king~ lovlace~ has 1 result" in here("search", "king", "lovlace").stderr
    for none in (["unicorn"], ["lovelace"], ["lovlace", "--type", "Hotel"]):
        assert "another letter" not in here("search", *none).stderr


@pytest.mark.usefixtures("people")
def test_a_type_that_nothing_has_is_told_with_the_one_that_was_meant(here: Gossamer) -> None:
    told = here("search", "ada", "--type", "Persn").stderr.splitlines()
    assert told[-1] == "Nothing that was crawled is of type Persn. Did you mean Person (1)?"
    told = here("search", "ada", "--type", "Zebra").stderr.splitlines()
    assert told[-1] == "Nothing that was crawled is of type Zebra."
    assert "is of type" not in here("search", "unicorn", "--type", "Person").stderr


def test_what_is_forgotten_is_found_no_more(here: Gossamer, people: DataFolder) -> None:
    assert "Hotel" in here("search", "ada").stdout
    done = here("forget", A)
    assert done.returncode == 0, done.stderr
    found = json.loads(here("search", "lovelace", "--json").stdout)
    assert found["total"] == 0
    assert people.words_folder.exists()


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer, tmp_path: Path) -> None:
    done = here("search", "ada")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr
    assert not (tmp_path / "gossamer-data").exists()


def test_nothing_that_was_crawled_reaches_the_terminal_as_a_command() -> None:
    result = {
        "id": "http://a.test/\x1b]0;x\x07",
        "label": "\x1b[31mRed",
        "label_marks": [[5, 8]],
        "types": ["http://schema.org/\x1b[2J"],
        "snippet": {"text": "\x9b31m red", "marks": [[5, 8]]},
        "page_count": 1,
        "host_count": 1,
        "pages": [],
        "alike": 0,
    }
    for line in result_lines(result, 80, styled=False):
        assert line.isprintable()


def test_marks_are_bold_on_a_terminal_and_stars_elsewhere() -> None:
    assert marked("Ada King", [[0, 3]], styled=False) == "*Ada* King"
    assert marked("Ada King", [[4, 8]], styled=True) == "Ada \x1b[1mKing\x1b[0m"


def test_the_summary_says_what_is_not_shown() -> None:
    facets = {"types": {f"T{number}": 9 - number for number in range(7)}, "hosts": {"a.test": 5}}
    found = {
        "total": 1_234,
        "relaxed": True,
        "documents": 5_000,
        "seconds": 0.0123,
        "results": [{"alike": 0}] * 10,
        "facets": facets,
        "unknown_types": [],
    }
    assert list(summary_lines(found, 10)) == [
        "Nothing has all of these words; these have some.",
        "1,234 results, 11 to 20 shown, in 0.012 s",
        "types: T0 9, T1 8, T2 7, T3 6, T4 5, …",
    ]
    several = {**found, "relaxed": False, "facets": {}, "results": [{"alike": 3}, {"alike": 0}]}
    assert list(summary_lines(several, 10)) == [
        "1,234 results, 11 to 12 shown, 3 more look the same (--all), in 0.012 s"
    ]
    assert list(summary_lines({**several, "total": 5}, 0)) == [
        "5 results, 2 shown: 3 look the same (--all), in 0.012 s"
    ]
    empty = {**found, "documents": 0}
    assert "no words yet" in "".join(summary_lines(empty, 0))
    past = {**found, "relaxed": False, "total": 3, "results": [], "facets": {}}
    assert list(summary_lines(past, 100)) == [
        "3 results, of which --skip 100 leaves none, in 0.012 s"
    ]
