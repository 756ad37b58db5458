import pytest

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, PageState

from .steps import HURRIED, ended, handed, seeds, settle, url
from .worlds import World

COPY = "a.warc.gz:0"


def told(world: World) -> SqlFrontier:
    """A page with a copy, one without, and one that said nothing; all with an ETag."""
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(*(url(name) for name in "cws")))
    pages = {page.url[-1]: page for page in handed(frontier)}
    settle(
        frontier,
        ended(pages["c"], quads=3, etag='"c"', digest=b"c", archived=COPY),
        ended(pages["w"], quads=2, etag='"w"', digest=b"w"),
        ended(pages["s"], etag='"s"', digest=b"s"),
    )
    return frontier


def page(frontier: SqlFrontier, name: str) -> PageState:
    found = frontier.page(url(name))
    assert found is not None
    return found


def test_it_is_known_whether_any_page_said_something(world: World) -> None:
    assert not world.frontier("two").says_something()
    assert told(world).says_something()


def test_what_only_the_graph_kept_is_asked_for_as_for_the_first_time(world: World) -> None:
    frontier = told(world)
    assert frontier.lose_unarchived() == 1
    assert (page(frontier, "w").quads, page(frontier, "w").etag) == (0, None)
    assert (page(frontier, "c").quads, page(frontier, "c").etag) == (3, '"c"')
    assert page(frontier, "s").etag == '"s"'
    assert frontier.lose_unarchived() == 0


@pytest.mark.parametrize("how", [Ended.FAILED, Ended.REFUSED])
def test_a_page_that_kept_what_it_said_is_in_no_other_case(world: World, how: Ended) -> None:
    frontier = told(world)
    world.later(60)
    frontier.again(world.clock.now)
    world.later(70)
    settle(
        frontier,
        *(ended(each, how, etag=each.etag, keep_content=True) for each in handed(frontier)),
    )
    assert [each.url for each in frontier.archived(0, 10)] == [url("c")]
    assert frontier.lose_unarchived() == 1
    assert (page(frontier, "w").quads, page(frontier, "c").quads) == (0, 3)


def test_the_copy_of_a_failure_or_a_redirect_is_none_of_content(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    one, two = handed(frontier)
    settle(
        frontier,
        ended(one, Ended.FAILED, status=404, archived=COPY),
        ended(two, Ended.REDIRECTED, url("3"), status=301, archived=COPY),
    )
    assert frontier.archived(0, 10) == []


def test_a_copy_that_cannot_be_read_is_none(world: World) -> None:
    frontier = told(world)
    (archived,) = frontier.archived(0, 10)
    frontier.lose([archived.id])
    assert (page(frontier, "c").quads, page(frontier, "c").etag) == (0, None)
    frontier.lose([])
    assert page(frontier, "w").quads == 2
