"""One host, one page, and who crawls."""

from pathlib import Path

import pytest
from tests.owner.test_opening import asked

from gossamer.moments import now_utc
from gossamer.owner.folder_answers import FolderAnswers
from gossamer.owner.messages import Record, ask
from gossamer.owner.opening import Answers
from gossamer.owner.page_answers import NoSuchUrlError
from gossamer.owner.questions import AboutHost, AboutPage, LinksTo, Nodes, Problems
from gossamer.politeness.robots.record import Meaning, RobotsRecord

RULES = b"User-agent: *\nDisallow: /odd\nCrawl-delay: 7\n"


def keep_rules(folder: FolderAnswers) -> None:
    now = now_utc()
    folder.frontier.robots.keep(
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
        await answers.folder.frontier_thread.do(keep_rules, answers.folder)
        told = await ask(answers, AboutHost("a.test"))
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
        told = await ask(answers, AboutHost("nobody.test"))
        assert (told["host"], told["delay"], told["robots"]) == (None, None, [])

    asked(tmp_path, work)


def test_a_page_is_told_with_what_the_known_robots_txt_says(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        before = await ask(answers, AboutPage("http://a.test/odd"))
        assert before["robots"] is None
        await answers.folder.frontier_thread.do(keep_rules, answers.folder)
        told = await ask(answers, AboutPage("a.test/odd#part"))
        assert (told["url"], told["host"]) == ("http://a.test/odd", "a.test")
        assert told["page"]["told"][0]["line"] == 7
        assert not told["robots"]["allowed"]
        assert (told["robots"]["line"], told["robots"]["text"]) == (2, "Disallow: /odd")
        assert (await ask(answers, AboutPage("http://b.test/none")))["page"] is None

    asked(tmp_path, work)


def test_what_is_no_url_is_said_to_be_none(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        with pytest.raises(NoSuchUrlError):
            await ask(answers, AboutPage("http://"))

    asked(tmp_path, work)


def test_pages_that_link_to_one_are_told(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        told = await ask(answers, LinksTo("http://a.test/odd"))
        assert told == {"pages": [], "more": False}

    asked(tmp_path, work)


def test_nodes_are_told(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        (node,) = (await ask(answers, Nodes()))["nodes"]
        assert (node["node"], node["pages"]) == ("one", 2)

    asked(tmp_path, work)


def test_problems_have_what_the_graph_says_of_them(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        pages = (await ask(answers, Problems()))["pages"]
        assert {page["kind"]: page["url"] for page in pages} == {
            "failed": "http://a.test/failed",
            "refused": "http://a.test/refused",
            "problems": "http://a.test/odd",
        }
        (odd,) = (await ask(answers, Problems(kinds=("problems",))))["pages"]
        assert odd["problems"] == [{"syntax": "jsonld", "line": 7, "message": "A comma too many."}]
        assert (await ask(answers, Problems(host="b.test")))["pages"] == []

    asked(tmp_path, work)


def test_they_come_page_by_page_and_none_is_left_out(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        everything = (await ask(answers, Problems()))["pages"]
        seen: list[Record] = []
        after: str | None = None
        while True:
            page = await ask(answers, Problems(limit=1, after=after))
            seen += page["pages"]
            if page["next"] is None:
                break
            after = page["next"]
        assert seen == everything

    asked(tmp_path, work)
