from collections.abc import Mapping
from typing import Any

import pytest

from gossamer.duplicates.group import GroupKind
from gossamer.duplicates.sketch import sketch_of
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, Settlement
from gossamer.frontier.store import Row
from gossamer.model import Url

from .steps import HURRIED, seeds, settle, url
from .worlds import World

SAID = b"12345678"


def text(number: int) -> str:
    return " ".join(f"word{number * each % 997}" for each in range(1, 200))


def says(words: str, said: bytes = SAID, **rest: Any) -> dict[str, Any]:
    return {"sketch": sketch_of(words, said, has_data=False).pack(), **rest}


def fetch(
    frontier: SqlFrontier, pages: Mapping[Url, Mapping[str, Any]], *, together: bool = False
) -> None:
    """Have pages settled, which are new or to be fetched again; all others go back."""
    frontier.add(seeds(*pages))
    for leases in iter(lambda: frontier.lease(100, pages=100), []):
        settled = [
            Settlement(page, **{"ended": Ended.CONTENT, **pages[page.url]})
            for lease in leases
            for page in lease.pages
        ]
        for some in [settled] if together else [[each] for each in settled]:
            settle(frontier, *some)
        frontier.release({lease.token: lease.clock for lease in leases})


def group(frontier: SqlFrontier, page: Url) -> set[Url]:
    found = frontier.duplicates_of(page)
    return set() if found is None else {found.representative, *found.others}


def rows(frontier: SqlFrontier, table: str) -> list[Row]:
    return frontier.store.read(lambda txn: txn.rows(f"SELECT * FROM {table}"))


def repeated(frontier: SqlFrontier) -> int:
    sql = "SELECT coalesce(sum(repeated), 0) FROM sites"
    return int(frontier.store.read(lambda txn: txn.rows(sql))[0][0])


@pytest.fixture
def frontier(world: World) -> SqlFrontier:
    return world.frontier(politeness=HURRIED)


ONE, TWO, THREE, OTHER = url("1"), url("two?a=1"), url("three/three"), url("other")


@pytest.mark.parametrize("together", [False, True])
def test_pages_that_are_one_thing_are_one_group(frontier: SqlFrontier, together: bool) -> None:
    near = f"{text(1)} 12 May"
    pages = {ONE: says(text(1)), TWO: says(text(1)), OTHER: says(text(2)), THREE: says(near)}
    fetch(frontier, pages, together=together)
    found = frontier.duplicates_of(ONE)
    assert found is not None
    assert (found.representative, found.why) == (ONE, "its address is shorter")
    assert {group(frontier, each) == {ONE, TWO, THREE} for each in (ONE, TWO, THREE)} == {True}
    assert group(frontier, OTHER) == set()
    assert found.kind is GroupKind.DUPLICATES
    assert repeated(frontier) == found.members - 1


def test_a_page_that_says_something_else_by_now_leaves_its_group(frontier: SqlFrontier) -> None:
    fetch(frontier, {each: says(text(1)) for each in (ONE, TWO, THREE)})
    assert group(frontier, ONE) == {ONE, TWO, THREE}
    for changed, left in ((ONE, {TWO, THREE}), (TWO, set())):
        frontier.refetch(frontier.store.read(lambda txn: txn.here(txn.now + 1)))
        pages = {each: says(text(1)) for each in (ONE, TWO, THREE)}
        gone = {ONE, changed}
        pages |= {each: says(text(5 + place)) for place, each in enumerate(sorted(gone))}
        fetch(frontier, pages)
        assert group(frontier, THREE) == left
    assert repeated(frontier) == 0
    frontier.refetch(frontier.store.read(lambda txn: txn.here(txn.now + 1)))
    fetch(frontier, {each: says(text(1)) for each in (ONE, TWO, THREE)})
    assert group(frontier, ONE) == {ONE, TWO, THREE}


def test_a_page_without_content_is_in_no_group(frontier: SqlFrontier) -> None:
    fetch(frontier, {each: says(text(1)) for each in (ONE, TWO, THREE)})
    frontier.refetch(frontier.store.read(lambda txn: txn.here(txn.now + 1)))
    kept = {"ended": Ended.FAILED, "keep_content": True}
    gone = {"ended": Ended.FAILED, "status": 404}
    fetch(frontier, {ONE: gone, TWO: kept, THREE: says(text(1))})
    assert group(frontier, ONE) == set()
    assert group(frontier, TWO) == {TWO, THREE}


def test_evidence_chooses_the_representative(frontier: SqlFrontier) -> None:
    pages = {ONE: says(text(1)), THREE: says(text(1)), TWO: says(text(1), canonical=THREE)}
    fetch(frontier, pages)
    found = frontier.duplicates_of(ONE)
    assert found is not None
    assert (found.representative, found.why) == (THREE, "others name it as canonical")


def test_a_sitemap_that_lists_a_page_is_evidence(frontier: SqlFrontier) -> None:
    four = url("four")
    fetch(frontier, {ONE: says(text(1)), four: says(text(1))})
    frontier.note_listed([four, url("unknown"), url("", "b.test")])
    found = frontier.duplicates_of(ONE)
    assert found is not None
    assert (found.representative, found.why) == (four, "a sitemap lists it")


def test_one_answer_at_many_addresses_is_told_apart(frontier: SqlFrontier) -> None:
    fetch(frontier, {url(f"{number}"): says("nothing here") for number in range(8)})
    fetch(frontier, {url("", f"{number}.test"): says("for sale") for number in range(8)})
    kinds = {each.kind: each.members for _, each in frontier.duplicates()}
    assert kinds == {GroupKind.SOFT_404: 8, GroupKind.PARKED: 8}
    assert [each.kind for _, each in frontier.duplicates(host="a.test")] == [GroupKind.SOFT_404]
    # Whoever copies another site's page does not stand for it.
    assert group(frontier, url("", "1.test")) == {url("", "1.test")}


def test_what_is_forgotten_is_in_no_group_and_leaves_no_trace(
    frontier: SqlFrontier, world: World
) -> None:
    fetch(frontier, {each: says(text(1)) for each in (ONE, TWO, THREE)})
    frontier.forget(url=ONE)
    assert group(frontier, TWO) == {TWO, THREE}
    frontier.forget(url=TWO)
    assert group(frontier, THREE) == set()
    assert repeated(frontier) == 0
    frontier.forget(host="a.test")
    for table in ("alike", "duplicate_groups", "learned_parameters"):
        assert rows(frontier, table) == []
