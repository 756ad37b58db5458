from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import PageState

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
        ended(pages["c"], quads=3, etag='"c"', archived=COPY),
        ended(pages["w"], quads=2, etag='"w"'),
        ended(pages["s"], etag='"s"'),
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


def test_a_copy_that_cannot_be_read_is_none(world: World) -> None:
    frontier = told(world)
    (archived,) = frontier.archived(0, 10)
    frontier.lose([archived.id])
    assert (page(frontier, "c").quads, page(frontier, "c").etag) == (0, None)
    frontier.lose([])
    assert page(frontier, "w").quads == 2
