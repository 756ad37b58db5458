"""The history: exact between two states of its own, silent about first crawls and readers, bounded, forgotten."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gossamer.config import MIB, KeptHistory
from gossamer.errors import DataFolderError
from gossamer.history.asking import ChangeFilter
from gossamer.history.finding import HistoryReader, Run
from gossamer.history.store import ChangeHistory
from gossamer.history.visit import PageVisit

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TEA, CUP = "http://shop.test/tea", "http://shop.test/cup"
OURS, OLDER = b"now.", b"old."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "changes.db"


@pytest.fixture
def history(file: Path) -> Iterator[ChangeHistory]:
    with closing(ChangeHistory.open(file)) as opened:
        yield opened


def visit(
    url: str,
    price: str | None,
    at: datetime = NOW,
    *,
    readers: bytes = OURS,
    was_known: bool = False,
    is_whole: bool = True,
) -> PageVisit:
    """A visit of a page that says one price, or nothing at all."""
    said = None if price is None else readers + price.encode().rjust(12)
    triple = f'<{url}#it> <http://schema.org/price> "{price}" <{url}> .\n'
    host = url.split("/")[2]
    nquads = b"" if price is None else triple.encode()
    return PageVisit(url, host, at, said, nquads, was_known, is_whole)


def told(file: Path, **asked: object) -> list[tuple[str, str, list[str], list[str]]]:
    with HistoryReader.open(file) as reader:
        found = reader.find(ChangeFilter(**asked), NOW + 10 * DAY)  # type: ignore[arg-type]
    return [
        (
            each.page.rpartition("/")[2],
            each.kind,
            [said["value"] for said in each.added],
            [said["value"] for said in each.removed],
        )
        for each in found
    ]


def end(history: ChangeHistory, at: datetime = NOW) -> None:
    history.end_run(Run(at, {}, at), nothing_left=True)


def test_a_first_crawl_is_no_news_and_what_comes_after_it_is(
    history: ChangeHistory, file: Path
) -> None:
    history.note([visit(TEA, "1")])
    end(history)
    assert told(file) == []
    later = NOW + DAY
    history.note([visit(TEA, "2", later), visit(CUP, "3", later)])
    history.note([visit(CUP, None, later + DAY)])
    assert told(file) == [
        ("cup", "gone", [], ["3"]),
        ("cup", "new", ["3"], []),
        ("tea", "changed", ["2"], ["1"]),
    ]


def test_a_first_crawl_that_was_stopped_goes_on(history: ChangeHistory, file: Path) -> None:
    history.note([visit(TEA, "1")])
    history.end_run(Run(NOW, {}, NOW), nothing_left=False)
    history.note([visit(CUP, "3", NOW + DAY)])
    assert told(file) == []
    history.begin_news(NOW + DAY)
    history.note([visit("http://shop.test/pot", "9", NOW + 2 * DAY)])
    assert told(file) == [("pot", "new", ["9"], [])]


def test_the_same_visit_twice_is_told_once(history: ChangeHistory, file: Path) -> None:
    history.note([visit(TEA, "1")])
    for _ in range(2):  # whoever dies before the page is settled fetches it again
        history.note([visit(TEA, "2", NOW + DAY)])
    assert len(told(file)) == 1


def test_a_page_that_comes_back_is_new_again(history: ChangeHistory, file: Path) -> None:
    for day, price in enumerate(["1", None, None, "1"]):
        history.note([visit(TEA, price, NOW + day * DAY)])
    assert [kind for _, kind, *_ in told(file)] == ["new", "gone"]


def test_a_difference_that_other_readers_made_is_not_told(
    history: ChangeHistory, file: Path
) -> None:
    history.note([visit(TEA, "1", readers=OLDER)])
    history.note([visit(TEA, "2", NOW + DAY)])
    assert told(file) == []
    history.note([visit(TEA, "3", NOW + 2 * DAY)])
    assert told(file) == [("tea", "changed", ["3"], ["2"])]


def test_what_could_not_be_read_as_a_whole_is_compared_when_it_can_be(
    history: ChangeHistory, file: Path
) -> None:
    history.note([visit(TEA, "1")])
    history.note([visit(TEA, "", NOW + DAY, readers=b"part", is_whole=False)])
    history.note([visit(TEA, "2", NOW + 2 * DAY)])
    assert told(file) == [("tea", "changed", ["2"], ["1"])]


def test_a_page_that_was_known_before_there_was_a_history_is_no_news(
    history: ChangeHistory, file: Path
) -> None:
    history.note([visit(TEA, "1", was_known=True)])
    history.note([visit(CUP, "2", NOW + DAY)])  # but its host was crawled before
    assert told(file) == [("cup", "new", ["2"], [])]


def test_pages_that_were_read_anew_are_compared_with_that(
    history: ChangeHistory, file: Path
) -> None:
    history.note([visit(TEA, "1", readers=OLDER)])
    history.replace_states([visit(TEA, "2")])
    history.note([visit(TEA, "3", NOW + DAY)])
    assert told(file) == [("tea", "changed", ["3"], ["2"])]


def test_what_is_asked_for_is_found_page_by_page(history: ChangeHistory, file: Path) -> None:
    other = "http://other.test/"
    first = [visit(TEA, "1"), visit(CUP, "1"), visit(other, "1")]
    history.note(first)
    for day in (1, 2, 3):
        history.note([visit(url, f"{day}{day}", NOW + day * DAY) for url in (TEA, CUP, other)])
    assert len(told(file)) == 9
    assert {page for page, *_ in told(file, hosts=("other.test",))} == {""}
    assert [each[0] for each in told(file, page=TEA)] == ["tea"] * 3
    assert len(told(file, since="2026-03-06")) == 6
    assert len(told(file, since="8d")) == 6  # from ten days later
    assert len(told(file, until="2026-03-06")) == 3
    assert told(file, kinds=("gone",)) == []
    assert len(told(file, properties=("price",))) == 9
    assert told(file, properties=("name",)) == []
    found, after = [], None
    while True:
        with HistoryReader.open(file) as reader:
            some = reader.find(ChangeFilter(limit=4, after=after), NOW)
        found += some
        if len(some) < 4:
            break
        after = str(some[-1].place)
    assert len({each.place for each in found}) == 9


def test_what_is_old_or_too_much_goes_and_states_stay(history: ChangeHistory, file: Path) -> None:
    for day in range(5):
        history.note([visit(TEA, str(day), NOW + day * DAY)])
    assert history.prune(KeptHistory(keep=2 * DAY), NOW + 4 * DAY) == 1
    assert len(told(file)) == 3
    history.note([visit(TEA, "last", NOW + 5 * DAY)])
    assert told(file)[0] == ("tea", "changed", ["last"], ["4"])
    for count in range(8):
        history.note([visit(TEA, f"{count}" + "x" * count, NOW + (6 + count) * DAY)])
    kept = KeptHistory(keep=90 * DAY, max_bytes=MIB)
    assert history.prune(kept, NOW) == 0
    small = KeptHistory.__new__(KeptHistory)
    object.__setattr__(small, "keep", 90 * DAY)
    object.__setattr__(small, "max_bytes", 1_000)
    history.prune(small, NOW)
    assert 1 <= len(told(file)) <= 4
    assert told(file)[0][2] == ["7xxxxxxx"]  # the oldest go first


def test_what_is_forgotten_is_in_no_byte_of_the_file(history: ChangeHistory, file: Path) -> None:
    other = "http://other.test/"
    for price in ("Zanzibar", "Xanadu"):
        history.note([visit(TEA, price), visit(CUP, price), visit(other, "1")])
        end(history)
    assert history.forget(page=CUP) > 0
    assert {page for page, *_ in told(file)} == {"tea"}
    assert history.forget(host="shop.test") > 0
    history.compact()
    left = b"".join(each.read_bytes() for each in file.parent.iterdir())
    assert b"shop.test" not in left
    assert b"other.test" in left


def test_a_file_of_somebody_else_is_left_alone(file: Path) -> None:
    file.write_bytes(b"this is no database, and long enough to be looked at as one" * 20)
    with pytest.raises(DataFolderError, match=r"changes\.db"):
        ChangeHistory.open(file)
