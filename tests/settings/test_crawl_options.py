from dataclasses import replace
from pathlib import Path

import pytest

from gossamer.config import Frontier
from gossamer.folder.data import DataFolder
from gossamer.settings.crawl_options import (
    CrawlOptions,
    change_options,
    is_shared,
    keep_options,
    stored_options,
)
from gossamer.settings.node import keep_node, open_folder
from gossamer.settings.sources import keys

NOWHERE = Frontier()


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


def test_options_are_taken_up_again_and_later_ones_win(data: DataFolder) -> None:
    with open_folder(data, NOWHERE) as place:
        assert stored_options(place) == CrawlOptions()
        first = CrawlOptions().with_options({"crawl.depth": "2", "scope.exclude": ("x", "y")})
        keep_options(place, first)
    with open_folder(data, NOWHERE) as place:
        again = stored_options(place).with_options({"crawl.depth": "3"})
    assert dict(again.options) == {"crawl.depth": "3", "scope.exclude": ["x", "y"]}


def test_secrets_are_not_written_down(data: DataFolder) -> None:
    secrets = {name: "http://me:pass@proxy" for name, key in keys().items() if key.secret}
    assert "fetch.upstream_proxy" in secrets
    with open_folder(data, NOWHERE) as place:
        keep_options(place, CrawlOptions().with_options(secrets))
        assert stored_options(place) == CrawlOptions()
    for file in data.path.iterdir():
        assert b"pass" not in file.read_bytes()


def test_limits_of_a_run_are_not_kept(data: DataFolder) -> None:
    limits = {"crawl.max_time": "3s", "crawl.max_bytes": "1MiB"}
    with open_folder(data, NOWHERE) as place:
        keep_options(place, CrawlOptions().with_options({**limits, "crawl.max_pages": "5"}))
        assert dict(stored_options(place).options) == {"crawl.max_pages": "5"}


def test_limits_of_a_run_that_earlier_versions_kept_count_no_more(data: DataFolder) -> None:
    with open_folder(data, NOWHERE) as place:
        keep_options(place, CrawlOptions({"crawl.max_time": "3s", "crawl.depth": "2"}))
        of_a_node = {"crawl.max_bytes": "1MiB", "crawl.workers": "2"}
        keep_node(data, replace(place.node, options=of_a_node))
    with open_folder(data, NOWHERE) as place:
        assert dict(stored_options(place).options) == {"crawl.depth": "2", "crawl.workers": "2"}


def test_nodes_share_what_makes_it_one_crawl_and_keep_the_rest_to_themselves(
    tmp_path: Path, database: str
) -> None:
    one, two = (DataFolder(tmp_path / name) for name in ("one", "two"))
    address = Frontier(address=database)
    given = {"crawl.depth": "2", "crawl.workers": "7", "frontier.local_graph": "true"}
    with open_folder(one, address, joining=True) as place:
        keep_options(place, CrawlOptions().with_options(given))
    with open_folder(two, address, joining=True) as place:
        order = stored_options(place)
        assert dict(order.options) == {"crawl.depth": "2"}
        keep_options(place, order.with_options({"crawl.depth": "3", "crawl.workers": "1"}))
    with open_folder(one, NOWHERE) as place:
        assert dict(stored_options(place).options) == {**given, "crawl.depth": "3"}


def test_nodes_that_start_at_the_same_moment_undo_nothing_of_each_other(
    tmp_path: Path, database: str
) -> None:
    address = Frontier(address=database)
    with (
        open_folder(DataFolder(tmp_path / "one"), address, joining=True) as one,
        open_folder(DataFolder(tmp_path / "two"), address, joining=True) as two,
    ):
        keep_options(one, CrawlOptions().with_options({"crawl.depth": "2", "scope.kind": "any"}))
        orders = stored_options(one), stored_options(two)
        change_options(one, {"scope.kind": None})
        keep_options(one, orders[0].with_options({"crawl.depth": "3"}))
        keep_options(two, orders[1].with_options({"politeness.delay": "5"}))
        told = {"crawl.depth": "3", "politeness.delay": "5"}
        assert dict(stored_options(one).options) == dict(stored_options(two).options) == told


def test_a_change_of_one_node_is_a_change_for_all_and_can_be_taken_back(
    tmp_path: Path, database: str
) -> None:
    address = Frontier(address=database)
    with (
        open_folder(DataFolder(tmp_path / "one"), address, joining=True) as one,
        open_folder(DataFolder(tmp_path / "two"), address, joining=True) as two,
    ):
        change_options(one, {"crawl.depth": "2", "scope.exclude": ("x", "y")})
        change_options(two, {"politeness.delay": "5", "crawl.depth": None})
        change_options(two, {"crawl.max_pages": None})
        told = {"scope.exclude": ["x", "y"], "politeness.delay": "5"}
        assert dict(stored_options(one).options) == dict(stored_options(two).options) == told


def test_limits_and_manners_are_shared_and_what_a_machine_can_do_is_not() -> None:
    shared = ("crawl.max_pages", "scope.kind", "politeness.delay", "transform.only")
    own = ("crawl.workers", "archive.keep", "fetch.ca", "frontier.address", "crawl.max_time")
    assert all(is_shared(name) and name in keys() for name in shared)
    assert not any(is_shared(name) for name in own)
