import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gossamer.frontier.protocol import Ended
from gossamer.index.folder import GraphError
from gossamer.model import Url

from .crawls import hurried, opened
from .sites import Pages, Sent, crawled_site

SEED = Url("http://a.test/")
WWW = Url("http://www.a.test/")
MOVED = Sent("", 301, {"Location": WWW})


def test_a_seed_may_lead_to_another_host_and_the_crawl_goes_on_there(tmp_path: Path) -> None:
    pages: Pages = {SEED: MOVED, WWW: '<a href="/x">x</a><a href="http://b.test/">b</a>'}
    found, site = crawled_site(tmp_path, pages, [SEED], hurried(scope="host"))
    assert found.pages[SEED].ended is Ended.REDIRECTED
    assert found.pages[WWW].ended is Ended.CONTENT
    assert "http://www.a.test/x" in site.asked
    assert found.refusals == {"scope-host": 1}


def test_a_later_run_knows_where_the_seeds_led(tmp_path: Path) -> None:
    links = "".join(f'<a href="/{number}">x</a>' for number in range(3))
    crawled_site(tmp_path, {SEED: MOVED, WWW: links}, [SEED], hurried(scope="host"))

    async def scope() -> object:
        async with opened(tmp_path, hurried(scope="host")) as running:
            admission = running.crawl.judge.admission
            return admission.scope.admits(Url("http://www.a.test/0"))

    assert asyncio.run(scope()) is None


def test_seeds_are_kept_before_anything_can_go_wrong(tmp_path: Path) -> None:
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "format").write_text("of somebody else")
    with pytest.raises(GraphError):
        crawled_site(tmp_path, {SEED: "<p>"}, [SEED])
    shutil.rmtree(tmp_path / "graph")
    found, _ = crawled_site(tmp_path, {SEED: "<p>"}, [])
    assert found.pages[SEED].ended is Ended.CONTENT


@pytest.mark.parametrize("keep", [True, False])
def test_the_archive_is_kept_where_it_is_wanted(tmp_path: Path, keep: bool) -> None:
    config = hurried()
    config = replace(config, archive=replace(config.archive, keep=keep))
    crawled_site(tmp_path, {SEED: "<p>"}, [SEED], config)
    assert bool(list(tmp_path.glob("archive/*.warc.gz"))) == keep
