from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gossamer.config import Config, Crawl
from gossamer.crawling.progress import Progress
from gossamer.crawling.stops import Stops, limits_of
from gossamer.data import DataFolder
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Limits

from .cases import NOW

NOBODY: Any = None  # the limits of a run ask nobody


def stops(folder: Path, *, after: float = 0, received: int = 0, **limits: Any) -> Stops:
    config = Config(crawl=Crawl(**{"min_free_disk": 0, **limits}))
    progress = Progress(NOW, received=received)
    moment = NOW + timedelta(seconds=after)
    return Stops(config, DataFolder(folder), NOBODY, NOBODY, NOBODY, progress, lambda: moment)


@pytest.mark.parametrize(
    ("kind", "found", "limits"),
    [
        (None, {"after": 59, "received": 1000}, {}),
        (None, {"after": 59}, {"max_time": timedelta(minutes=1)}),
        (EndKind.TIME, {"after": 60}, {"max_time": timedelta(minutes=1)}),
        (None, {"received": 1023}, {"max_bytes": 1024}),
        (EndKind.BYTES, {"received": 1024}, {"max_bytes": 1024}),
        (EndKind.DISK, {}, {"min_free_disk": 1 << 60}),
    ],
)
def test_the_limits_of_a_run(
    kind: EndKind | None, found: dict[str, Any], limits: dict[str, Any], tmp_path: Path
) -> None:
    over = stops(tmp_path, **found, **limits).over()
    assert (over and over.kind) == kind


def test_the_sentence_names_the_limit(tmp_path: Path) -> None:
    assert (over := stops(tmp_path, after=60, max_time=timedelta(minutes=1)).over())
    assert over.why == "The time is up: 1min."
    assert (over := stops(tmp_path, received=2000, max_bytes=1024).over())
    assert over.why == "The limit of 1KiB received is reached, with 2,000 bytes."
    assert (over := stops(tmp_path, min_free_disk=1 << 60).over())
    assert over.why == "The disk has less room left than 1073741824GiB."


def test_what_the_frontier_keeps_of_the_limits() -> None:
    crawl = Crawl(depth=1, max_pages=2, pages_per_host=3, pages_per_site=4)
    assert limits_of(Config(crawl=crawl)) == Limits(depth=1, pages=2, per_host=3, per_site=4)
