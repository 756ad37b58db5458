"""A data folder whose pages were kept fresh for some weeks, in a time of its own."""

from datetime import UTC, datetime, timedelta

from tests.frontier.steps import ended, handed, seeds, settle, url

from gossamer.config import Politeness
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.looks import LookRules
from gossamer.frontier.sqlite import SqliteStore

NEWS = [url(f"story/{number}", "news.test") for number in range(6)]
BOOKS = [url(f"book/{number}", "books.test") for number in range(8)]
HOSTILE = url("%3Cscript%3Ealert(1)", "books.test")


def keep_some_fresh(data: DataFolder, days: int = 30) -> None:
    """Two hosts, one of whose pages change with each look; looked at for so many days."""
    data.path.mkdir(parents=True, exist_ok=True)
    now = [datetime(2026, 1, 2, tzinfo=UTC)]
    store = SqliteStore(data.frontier_file, lambda: now[0])
    frontier = SqlFrontier(store, "one", Politeness(delay=timedelta(0)))
    frontier.keep_fresh(LookRules(per_day=5.0, shortest=timedelta(minutes=1)))
    frontier.add(seeds(*NEWS, *BOOKS, HOSTILE))
    for _ in range(20):
        settle(frontier, *(ended(page) for page in handed(frontier)))
        frontier.take_over()
        now[0] += timedelta(seconds=2)
    for _ in range(5 * days):
        now[0] += timedelta(days=0.2)
        frontier.plan_looks()
        frontier.take_due()
        pages = handed(frontier)
        settle(frontier, *(ended(page, changed=page.url in NEWS) for page in pages))
        frontier.take_over()
    frontier.close()
