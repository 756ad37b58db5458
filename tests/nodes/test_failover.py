"""PostgreSQL with a standby: when the server dies, the crawl goes on at the standby, and keeps all that was confirmed."""

from contextlib import ExitStack
from pathlib import Path

import psycopg
from psycopg import conninfo
from tests.crawl.commands import CrawlCommand
from tests.crawl.comparing import assert_manners, assert_outcomes, assert_quads
from tests.crawl.door import Door
from tests.crawl.nodes import CASE, demo, ended, folders, order, result
from tests.crawl.test_many_nodes import elsewhere
from tests.frontier.server import running
from tests.ports import free_port


def settled(address: str) -> set[str]:
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT url FROM gossamer.pages WHERE settled_at IS NOT NULL")
        return {url for (url,) in rows}


def test_the_crawl_goes_on_at_the_standby(tmp_path: Path) -> None:
    data = folders(tmp_path, 2)
    with running() as primary, ExitStack() as life:
        second = life.enter_context(primary.standby("127.0.0.1", free_port()))
        with psycopg.connect(primary.dsn, autocommit=True) as connection:
            connection.execute("CREATE DATABASE crawl")
        first, other = (
            conninfo.make_conninfo(each.dsn, dbname="crawl") for each in (primary, second)
        )
        one, two = conninfo.conninfo_to_dict(first), conninfo.conninfo_to_dict(other)
        both = conninfo.make_conninfo(
            first,
            host=f"{one['host']},{two['host']}",
            port=f"{one.get('port', 5432)},{two['port']}",
            target_session_attrs="read-write",
        )
        web = life.enter_context(demo(CASE, tmp_path))
        doors, crawls = [life.enter_context(Door(web.address)) for _ in data], []
        for folder, door in zip(data, doors, strict=True):
            door.close(holds=elsewhere(CASE))
            crawls.append(life.enter_context(CrawlCommand(folder, *order(CASE, door, both))))
        for door in doors:
            door.wait()  # each node has asked for a page, and waits for the answer
        before = settled(first)
        primary.stop()
        second.promote()
        assert before <= settled(other)
        assert before
        for door in doors:
            door.open()
        summaries = ended(crawls)
        assert not any("Traceback" in crawl.words for crawl in crawls)
        found = result(CASE, web, both, data, summaries[0])
        primary.restart()  # for its end
    assert {each["ended"] for each in summaries} == {"done"}
    assert_outcomes(found)
    assert_quads(found)
    assert_manners(found)
