from pathlib import Path

import pytest

from gossamer.config import Frontier
from gossamer.crawling.options import CrawlOrder, change_order, is_shared, keep_order, stored_order
from gossamer.data import DataFolder
from gossamer.node import opened
from gossamer.settings import keys

NOWHERE = Frontier()


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


def test_options_are_taken_up_again_and_later_ones_win(data: DataFolder) -> None:
    with opened(data, NOWHERE) as place:
        assert stored_order(place) == CrawlOrder()
        first = CrawlOrder().with_options({"crawl.depth": "2", "scope.exclude": ("x", "y")})
        keep_order(place, first)
    with opened(data, NOWHERE) as place:
        again = stored_order(place).with_options({"crawl.depth": "3"})
    assert dict(again.options) == {"crawl.depth": "3", "scope.exclude": ["x", "y"]}


def test_secrets_are_not_written_down(data: DataFolder) -> None:
    secrets = {name: "http://me:pass@proxy" for name, key in keys().items() if key.secret}
    assert "fetch.upstream_proxy" in secrets
    with opened(data, NOWHERE) as place:
        keep_order(place, CrawlOrder().with_options(secrets))
        assert stored_order(place) == CrawlOrder()
    for file in data.path.iterdir():
        assert b"pass" not in file.read_bytes()


def test_nodes_share_what_makes_it_one_crawl_and_keep_the_rest_to_themselves(
    tmp_path: Path, database: str
) -> None:
    one, two = (DataFolder(tmp_path / name) for name in ("one", "two"))
    address = Frontier(address=database)
    given = {"crawl.depth": "2", "crawl.workers": "7", "frontier.local_graph": "true"}
    with opened(one, address, joining=True) as place:
        keep_order(place, CrawlOrder().with_options(given))
    with opened(two, address, joining=True) as place:
        order = stored_order(place)
        assert dict(order.options) == {"crawl.depth": "2"}
        keep_order(place, order.with_options({"crawl.depth": "3", "crawl.workers": "1"}))
    with opened(one, NOWHERE) as place:
        assert dict(stored_order(place).options) == {**given, "crawl.depth": "3"}


def test_nodes_that_start_at_the_same_moment_undo_nothing_of_each_other(
    tmp_path: Path, database: str
) -> None:
    address = Frontier(address=database)
    with (
        opened(DataFolder(tmp_path / "one"), address, joining=True) as one,
        opened(DataFolder(tmp_path / "two"), address, joining=True) as two,
    ):
        keep_order(one, CrawlOrder().with_options({"crawl.depth": "2", "scope.kind": "any"}))
        orders = stored_order(one), stored_order(two)
        change_order(one, {"scope.kind": None})
        keep_order(one, orders[0].with_options({"crawl.depth": "3"}))
        keep_order(two, orders[1].with_options({"politeness.delay": "5"}))
        told = {"crawl.depth": "3", "politeness.delay": "5"}
        assert dict(stored_order(one).options) == dict(stored_order(two).options) == told


def test_a_change_of_one_node_is_a_change_for_all_and_can_be_taken_back(
    tmp_path: Path, database: str
) -> None:
    address = Frontier(address=database)
    with (
        opened(DataFolder(tmp_path / "one"), address, joining=True) as one,
        opened(DataFolder(tmp_path / "two"), address, joining=True) as two,
    ):
        change_order(one, {"crawl.depth": "2", "scope.exclude": ("x", "y")})
        change_order(two, {"politeness.delay": "5", "crawl.depth": None})
        change_order(two, {"crawl.max_pages": None})
        told = {"scope.exclude": ["x", "y"], "politeness.delay": "5"}
        assert dict(stored_order(one).options) == dict(stored_order(two).options) == told


def test_limits_and_manners_are_shared_and_what_a_machine_can_do_is_not() -> None:
    shared = ("crawl.max_pages", "scope.kind", "politeness.delay", "transform.only")
    own = ("crawl.workers", "archive.keep", "fetch.ca", "frontier.address", "crawl.max_time")
    assert all(is_shared(name) and name in keys() for name in shared)
    assert not any(is_shared(name) for name in own)
