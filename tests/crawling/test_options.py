from contextlib import closing
from pathlib import Path

import pytest

from gossamer.crawling.options import CrawlOrder, keep_order, stored_order
from gossamer.frontier.facts import FactStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.settings import keys


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "frontier.db"


def test_options_are_taken_up_again_and_later_ones_win(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        facts = FactStore(store)
        assert stored_order(facts) == CrawlOrder()
        first = CrawlOrder().with_options({"crawl.depth": "2", "scope.exclude": ("x", "y")})
        keep_order(facts, first)
    with closing(SqliteStore(folder)) as store:
        again = stored_order(FactStore(store)).with_options({"crawl.depth": "3"})
    assert dict(again.options) == {"crawl.depth": "3", "scope.exclude": ["x", "y"]}


def test_secrets_are_not_written_down(folder: Path) -> None:
    (secret,) = [name for name, key in keys().items() if key.secret]
    with closing(SqliteStore(folder)) as store:
        keep_order(FactStore(store), CrawlOrder().with_options({secret: "http://me:pass@proxy"}))
        assert stored_order(FactStore(store)) == CrawlOrder()
    assert b"pass" not in folder.read_bytes()
