"""What a crawl does and did, asked over a real socket."""

from urllib.parse import urlsplit

import pytest
from tests.service.conftest import WORLD
from tests.service.running import Client, service_on

from gossamer.folder.data import DataFolder


def test_the_status_has_the_counts_of_the_crawl(ask: Client) -> None:
    status = ask("/api/status").json
    assert status["ended"]["content"] > 20
    assert status["graph"]["quads"] > 100
    assert status["hosts"]["idle"] == WORLD.hosts
    assert status["owner"]["command"] == "serve"
    assert status["run"] is None


def test_hosts_come_page_by_page_until_there_are_no_more(ask: Client) -> None:
    everything = ask("/api/hosts").json
    assert everything["next"] is None
    names = [host["host"] for host in everything["hosts"]]
    assert len(names) == WORLD.hosts
    found, link = list[str](), "/api/hosts?limit=3&stage=idle"
    while link:
        page = ask(link)
        found += [host["host"] for host in page.json["hosts"]]
        link = page.headers.get("link", "").partition(">")[0].lstrip("<")
        assert bool(link) is (page.json["next"] is not None)
    assert found == names == sorted(names)


def test_pages_that_did_not_go_well_are_told_with_their_reasons(ask: Client) -> None:
    pages = ask("/api/problems", limit=1000).json["pages"]
    assert {page["kind"] for page in pages} == {"refused", "problems"}
    refused = ask("/api/problems", kind="refused").json["pages"]
    assert refused == [page for page in pages if page["kind"] == "refused"]
    host = urlsplit(refused[0]["url"]).hostname
    assert ask("/api/problems", kind="refused", host=host).json["pages"][0] in refused
    assert ask("/api/problems", host="nobody.test").json == {"pages": [], "next": None}


def test_problems_come_page_by_page(ask: Client) -> None:
    pages = ask("/api/problems", limit=1000).json["pages"]
    found, answer = [], ask("/api/problems", limit=1)
    while answer.json["next"] is not None:
        found += answer.json["pages"]
        path = answer.headers["link"].partition(">")[0].removeprefix("<")
        assert answer.json["next"] in path
        answer = ask(path)
    assert found + answer.json["pages"] == pages
    assert len(pages) > 2
    assert ask("/api/problems", after="nonsense").status == 400


def test_a_service_that_sends_no_requests_explains_nothing(ask: Client) -> None:
    answer = ask("/api/explain", url="http://nobody.test/")
    assert (answer.status, answer.json["code"]) == (503, "not-now")
    assert answer.headers["retry-after"] == "5"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/hosts?stage=asleep", "bad-parameter"),
        ("/api/hosts?limit=0", "bad-parameter"),
        ("/api/hosts?limit=1001", "bad-parameter"),
        ("/api/hosts?after=" + "a" * 300, "bad-parameter"),
        ("/api/problems?kind=odd", "bad-parameter"),
        ("/api/status?x=1", "bad-parameter"),
        ("/api/explain", "bad-parameter"),
        ("/api/explain?url=", "bad-parameter"),
    ],
)
def test_a_bad_request_has_its_status_and_the_one_shape(ask: Client, path: str, code: str) -> None:
    answer = ask(path)
    assert (answer.status, answer.media_type) == (400, "application/problem+json")
    assert answer.json["code"] == code


def test_a_folder_whose_owner_is_gone_is_not_there_now(crawl: DataFolder) -> None:
    nobody = DataFolder(crawl.path.with_name("nobody"))
    with service_on(nobody, beside=True) as ask:
        answer = ask("/api/status")
    assert (answer.status, answer.json["code"]) == (503, "not-now")
