from pathlib import Path

import pytest

from gossamer.crawling.opening import Running
from gossamer.model import BodyState, Fetched

from .cases import PAGE, answered
from .sites import Site, on_site


def read(folder: Path, *answers: Fetched) -> list[object]:
    async def work(running: Running, site: Site) -> list[object]:
        return [await running.crawl.reader.read(each) for each in answers]

    return on_site(folder, {}, work)


def test_an_answer_is_read_with_what_its_headers_say(tmp_path: Path) -> None:
    turtle = answered(body=b"<> a <http://n.test/T> .", content_type="text/turtle")
    (said,) = read(tmp_path, turtle)
    assert getattr(said, "nquads", b"").decode().startswith(f"<{PAGE}> ")


@pytest.mark.parametrize("state", [state for state in BodyState if state is not BodyState.WHOLE])
def test_nothing_but_a_whole_answer_is_read(tmp_path: Path, state: BodyState) -> None:
    assert read(tmp_path, answered(state=state)) == [None]


def test_nothing_but_content_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, *(answered(status) for status in (304, 404, 500, 301))) == [None] * 4
