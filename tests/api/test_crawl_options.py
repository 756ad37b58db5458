from datetime import timedelta
from typing import Any

import pytest

import gossamer
from gossamer.api.crawl_options import CrawlKeywords, arguments_of, keywords


def test_every_option_of_the_command_is_a_keyword() -> None:
    assert set(keywords()) | {"data"} == set(CrawlKeywords.__annotations__)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"depth": 2, "max_pages": None}, ["--depth=2"]),
        ({"delay": timedelta(minutes=1)}, ["--delay=60"]),
        ({"connect_to": ["a.test=127.0.0.1:1", "b.test=127.0.0.1:2"]}, 2),
        ({"include": "/a,b/"}, ["--include=/a,b/"]),
        ({"no_archive": True, "again": False, "serve": True}, ["--no-archive", "--serve"]),
        ({"serve": "127.0.0.1:0"}, ["--serve=127.0.0.1:0"]),
        ({"only": ["rdfa", "jsonld"]}, ["--only=rdfa,jsonld"]),
        ({"report": True, "profile": ["dcat-ap"]}, ["--report", "--profile=dcat-ap"]),
        ({"config": {"sitemaps.use": False}}, ["--config=sitemaps.use=false"]),
    ],
)
def test_keywords_become_the_command_line_that_means_them(
    given: dict[str, Any], words: list[str] | int
) -> None:
    found = arguments_of(["example.org"], given)
    assert len(found) == words if isinstance(words, int) else found == words


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"dept": 2}, TypeError, "no option 'dept'. Did you mean 'depth'?"),
        ({"json": True}, TypeError, "no option 'json'"),
        ({"depth": "deep"}, ValueError, "--depth: crawl.depth: 'deep' is not a whole number"),
        ({"depth": [1, 2]}, TypeError, "depth takes one value, not 2"),
        ({"depth": True}, TypeError, "depth takes a value, not True"),
        ({"again": "yes"}, TypeError, "again is True or False"),
        ({"older_than": "7d"}, ValueError, "give both"),
        ({"only": "rdf"}, ValueError, "--only"),
        ({"config": {"crawl.dept": 1}}, ValueError, "crawl.dept"),
    ],
)
def test_what_the_command_would_refuse_is_an_error_with_its_sentence(
    given: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error) as raised:
        arguments_of(["example.org"], given)
    assert sentence in str(raised.value)


def test_seeds_are_checked_too() -> None:
    with pytest.raises(ValueError, match="Only http and https"):
        gossamer.crawl("ftp://a.test/")
    with pytest.raises(TypeError, match="A seed is a str"):
        gossamer.Crawl([1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="Name a seed"):
        gossamer.crawl()
