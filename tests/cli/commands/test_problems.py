import json

import pytest
from tests.cli.conftest import Gossamer

from gossamer.cli.commands import problems

pytestmark = pytest.mark.usefixtures("small_crawl")


def test_each_page_has_its_reason(here: Gossamer) -> None:
    done = here("problems")
    assert done.returncode == 0
    lines = {line.split(maxsplit=2)[1]: line for line in done.stdout.splitlines()[1:]}
    assert "status-500: The server answered 500." in lines["http://a.test/failed"]
    assert lines["http://a.test/refused"].startswith("refused")
    assert lines["http://a.test/odd"].endswith("jsonld, line 7: A comma too many.")
    assert "http://a.test/good" not in lines


def test_kind_and_limit_narrow_it(here: Gossamer) -> None:
    failed = json.loads(here("problems", "--kind", "failed", "--json").stdout)
    assert [(page["url"], page["status"]) for page in failed] == [("http://a.test/failed", 500)]
    done = here("problems", "--limit", "1")
    assert len(done.stdout.splitlines()) == 2
    assert "latest 1 page" in done.stderr


def test_a_host_without_problems_is_a_sentence(here: Gossamer) -> None:
    done = here("problems", "--host", "b.test")
    assert (done.returncode, done.stdout) == (0, "")
    assert "No page of b.test" in done.stderr


def test_problems_of_a_page_that_another_node_has_are_counted() -> None:
    page = {"kind": "problems", "url": "http://a.test/", "why": "", "problems": []}
    (row,) = problems._rows({**page, "problem_count": 2})
    assert row == (
        "problems",
        "http://a.test/",
        "2 problems, which this folder's graph does not have",
    )
