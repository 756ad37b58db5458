"""One host, one page, and who crawls."""

from pathlib import Path

import pytest
from tests.owner.test_answers import asked, record

from gossamer.moments import now_utc
from gossamer.owner.answers import Answers
from gossamer.owner.looking import NoSuchUrlError
from gossamer.politeness.robots.record import Meaning, RobotsRecord

pytestmark = pytest.mark.timeout(60)
RULES = b"User-agent: *\nDisallow: /odd\nCrawl-delay: 7\n"


def keep_rules(answers: Answers) -> None:
    now = now_utc()
    answers.frontier.robots.keep(
        RobotsRecord(
            origin="http://a.test",
            meaning=Meaning.RULES,
            cause="answered 200",
            answered_at=now,
            ask_at=now,
            body=RULES,
            body_at=now,
        )
    )


def test_a_host_is_told_with_its_delay_and_its_robots_txt(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        await answers.clerk.do(keep_rules, answers)
        told = await record(answers, "host", host="a.test")
        assert told["host"]["content"] == 2
        assert told["delay"]["host"] == "a.test"
        (robots,) = told["robots"]
        assert (robots["origin"], robots["crawl_delay"]) == ("http://a.test", 7.0)
        assert robots["body"] == RULES.decode()
        assert (told["agent"], told["usual_delay"]) == ("gossamer", 1.0)
        assert told["user_agent"].startswith("gossamer/")

    asked(tmp_path, work)


def test_of_a_host_that_nobody_met_nothing_is_known(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        told = await record(answers, "host", host="nobody.test")
        assert (told["host"], told["delay"], told["robots"]) == (None, None, [])

    asked(tmp_path, work)


def test_a_page_is_told_with_what_the_known_robots_txt_says(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        before = await record(answers, "page", texts=("http://a.test/odd",))
        assert before["robots"] is None
        await answers.clerk.do(keep_rules, answers)
        told = await record(answers, "page", texts=("a.test/odd#part",))
        assert (told["url"], told["host"]) == ("http://a.test/odd", "a.test")
        assert told["page"]["told"][0]["line"] == 7
        assert not told["robots"]["allowed"]
        assert (told["robots"]["line"], told["robots"]["text"]) == (2, "Disallow: /odd")
        assert (await record(answers, "page", texts=("http://b.test/none",)))["page"] is None

    asked(tmp_path, work)


def test_what_is_no_url_is_said_to_be_none(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        with pytest.raises(NoSuchUrlError):
            await record(answers, "page", texts=("http://",))

    asked(tmp_path, work)


def test_pages_that_link_to_one_are_told(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        told = await record(answers, "linking", texts=("http://a.test/odd",))
        assert told == {"pages": [], "more": False}

    asked(tmp_path, work)


def test_nodes_are_told(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        (node,) = (await record(answers, "nodes"))["nodes"]
        assert (node["node"], node["pages"]) == ("one", 2)

    asked(tmp_path, work)
