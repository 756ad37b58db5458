import pytest
from ada_url import join_url
from tests.demo.walker import Client

from gossamer.demo.malice.redirects import LONG_CHAIN, NAME, REDIRECTS
from gossamer.demo.resources import Moved

HERE = f"http://{NAME}"


@pytest.mark.parametrize("path", REDIRECTS.exhibits)
def test_every_location_leads_to_its_target(malice_client: Client, path: str) -> None:
    moved = REDIRECTS.at(path)
    assert isinstance(moved, Moved)
    response = malice_client.get(HERE + path)
    assert response.status == moved.status
    assert response.headers["Location"] == moved.location
    if moved.target is not None:
        assert moved.location is not None
        assert join_url(HERE + path, moved.location).partition("#")[0] == moved.target


def follow(client: Client, url: str, most: int) -> list[str]:
    steps = [url]
    while len(steps) <= most and 300 <= (response := client.get(steps[-1])).status < 400:
        steps.append(join_url(steps[-1], response.headers["Location"]))
    return steps


@pytest.mark.parametrize(
    ("path", "hops", "end"),
    [
        ("/301", 1, "/landed/301"),
        ("/308", 1, "/landed/308"),
        ("/relative", 1, "/landed/relative"),
        ("/short/3", 3, "/landed/short"),
        (f"/long/{LONG_CHAIN}", LONG_CHAIN, "/landed/long"),
    ],
)
def test_good_ones_and_chains_land_on_a_page(
    malice_client: Client, path: str, hops: int, end: str
) -> None:
    steps = follow(malice_client, HERE + path, most=LONG_CHAIN + 1)
    assert len(steps) == hops + 1
    assert steps[-1] == HERE + end
    assert malice_client.get(steps[-1]).status == 200


def test_loops_never_land(malice_client: Client) -> None:
    assert len(follow(malice_client, HERE + "/loop/a", most=20)) == 21
    assert malice_client.get(HERE + "/self").headers["Location"] == "/self"


def test_a_chain_has_no_other_entrance() -> None:
    assert REDIRECTS.at("/long/16") is None
    assert REDIRECTS.at("/short/0") is None
