from datetime import timedelta
from pathlib import Path

from tests.proxy.proxied import NO_DELAY, run

from gossamer.cli.listeners import crawl_permits, proxy_handlers
from gossamer.cli.own_folder import keeping_client
from gossamer.config import Config
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import ask
from gossamer.owner.opening import answer_with, read_folder
from gossamer.owner.questions import ProxyState
from gossamer.politeness.ledger import Wait
from gossamer.proxy.permits import OwnRights


def test_hosts_stay_with_a_client_that_keeps_them(tmp_path: Path) -> None:
    async def work() -> None:
        data = DataFolder(tmp_path)
        with data.owned(timedelta(0)):
            async with keeping_client("proxy", data, Config(politeness=NO_DELAY)) as (
                client,
                keeper,
            ):
                assert client.hosts is keeper
                used = await keeper.acquire("a.test", timedelta(seconds=5))
                assert not isinstance(used, Wait)
                used.let_go()
                assert keeper.at_hand("a.test") is not None

    run(work())


def test_a_crawl_gives_permits_and_says_whom_they_are_for(tmp_path: Path) -> None:
    async def work() -> None:
        data, config = DataFolder(tmp_path), Config(politeness=NO_DELAY)
        with data.owned(timedelta(0)):
            async with (
                keeping_client("crawl", data, config) as (client, _),
                read_folder("crawl", data, config) as folder,
                crawl_permits(client, folder) as permits,
                answer_with(folder, proxy_handlers(permits)) as answers,
            ):
                assert isinstance(permits.own, OwnRights)
                assert await ask(answers, ProxyState()) == {"proxy": None}
                permits.proxy = lambda: {"address": "here"}
                assert await ask(answers, ProxyState()) == {"proxy": {"address": "here"}}

    run(work())
