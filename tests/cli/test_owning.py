from datetime import timedelta
from pathlib import Path

from tests.proxy.proxied import NO_DELAY, run

from gossamer.cli.owning import AT_START, crawl_permits, keeping_client, waiting
from gossamer.config import Config
from gossamer.crawling.changes import LIVE
from gossamer.data import DataFolder
from gossamer.owner.opening import answering
from gossamer.proxy.own_permits import OwnPermits
from gossamer.settings import keys


def test_hosts_stay_with_a_client_that_keeps_them(tmp_path: Path) -> None:
    async def work() -> None:
        data = DataFolder(tmp_path)
        with data.owned(timedelta(0)):
            async with keeping_client("proxy", data, Config(politeness=NO_DELAY)) as (
                client,
                keeper,
            ):
                async with client.holding("a.test", timedelta(seconds=5)) as wait:
                    assert wait is None
                assert keeper.at_hand("a.test") is not None

    run(work())


def test_a_crawl_gives_permits_and_says_whom_they_are_for(tmp_path: Path) -> None:
    async def work() -> None:
        data, config = DataFolder(tmp_path), Config(politeness=NO_DELAY)
        with data.owned(timedelta(0)):
            async with (
                keeping_client("crawl", data, config) as (client, _),
                answering("crawl", data, config) as answers,
                crawl_permits(client, answers) as permits,
            ):
                assert isinstance(permits.own, OwnPermits)
                assert answers.proxy is not None
                assert answers.proxy() is None
                permits.proxy = lambda: {"address": "here"}
                assert answers.proxy() == {"address": "here"}

    run(work())


def test_what_is_opened_once_waits_for_the_next_start() -> None:
    at_once = ["politeness.delay", "politeness.delays", "proxy.max_wait", "proxy.users"]
    fetch = ["fetch.allow_net", "fetch.ca", "fetch.connect_timeout", "fetch.connect_to"]
    proxy = ["proxy.authority", "proxy.cache_max_entry", "proxy.cache_size", "proxy.intercept"]
    assert waiting([*at_once, *proxy, "proxy.keep_anyway", *fetch, "fetch.name_servers"]) == [
        *fetch,
        "fetch.name_servers",
        *proxy,
        "proxy.keep_anyway",
    ]


def test_whatever_is_said_to_wait_is_a_key() -> None:
    assert keys().keys() >= AT_START
    assert {name.partition(".")[0] for name in keys()} > LIVE
