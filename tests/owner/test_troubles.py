"""Pages that did not go well, of a small crawl that was made by hand."""

from pathlib import Path

import pytest
from tests.owner.test_answers import asked, record

from gossamer.owner.answers import Answers
from gossamer.owner.messages import Record

pytestmark = pytest.mark.timeout(60)


def test_problems_have_what_the_graph_says_of_them(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        pages = (await record(answers, "problems"))["pages"]
        assert {page["kind"]: page["url"] for page in pages} == {
            "failed": "http://a.test/failed",
            "refused": "http://a.test/refused",
            "problems": "http://a.test/odd",
        }
        (odd,) = (await record(answers, "problems", kinds=("problems",)))["pages"]
        assert odd["problems"] == [{"syntax": "jsonld", "line": 7, "message": "A comma too many."}]
        assert (await record(answers, "problems", host="b.test"))["pages"] == []

    asked(tmp_path, work)


def test_they_come_page_by_page_and_none_is_left_out(tmp_path: Path) -> None:
    async def work(answers: Answers) -> None:
        everything = (await record(answers, "problems"))["pages"]
        seen: list[Record] = []
        after: tuple[str, ...] = ()
        while True:
            page = await record(answers, "problems", limit=1, texts=after)
            seen += page["pages"]
            if page["next"] is None:
                break
            after = (page["next"],)
        assert seen == everything

    asked(tmp_path, work)
