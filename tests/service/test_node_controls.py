import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.service.running import TOKEN, Answered, Client

from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.nodes.store import NodeStore

BEARER = {"Authorization": f"Bearer {TOKEN}"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module", autouse=True)
def nodes(crawl: DataFolder) -> Iterator[None]:
    """Two nodes that nobody runs, beside the one that has left."""
    with closing(SqliteStore(crawl.frontier_file)) as store:
        known = NodeStore(store)
        for name in ("one", "two"):
            known.join(name, "1.0")
        yield
        for name in ("one", "two"):
            known.leave(name)


def post(ask: Client, what: str, *nodes: str) -> Answered:
    body = json.dumps({"nodes": nodes} if nodes else {})
    headers = {**BEARER, "Content-Type": "application/json"}
    return ask(f"/api/nodes/{what}", "POST", body=body, headers=headers)


def test_all_nodes_or_one_are_told_and_how_they_stand_is_answered(ask: Client) -> None:
    told = post(ask, "pause")
    assert told.status == 200
    assert [(each["node"], each["wish"]) for each in told.json["nodes"]] == [
        ("one", "pause"),
        ("two", "pause"),
    ]
    (one,) = post(ask, "drain", "one").json["nodes"]
    assert (one["wish"], one["left"], one["hosts_held"], one["silent_seconds"]) == (
        "drain",
        False,
        0,
        None,
    )
    assert [each["wish"] for each in post(ask, "resume").json["nodes"]] == ["drain", "run"]


def test_a_page_tells_one_node_and_goes_back(ask: Client) -> None:
    headers = {**BEARER, **FORM}
    told = ask("/api/nodes/stop", "POST", body="node=two&next=%2Fnodes%3Fx", headers=headers)
    assert (told.status, told.headers["location"]) == (303, "/nodes?x")


def test_what_is_no_node_is_said_with_those_that_there_are(ask: Client) -> None:
    told = post(ask, "drain", "one", "tow")
    assert told.status == 404
    assert "is called tow. There are: one, test, two." in json.dumps(told.json)
    assert post(ask, "drain").status == 400
    assert ask("/api/nodes/pause", "POST").status in (401, 403)
