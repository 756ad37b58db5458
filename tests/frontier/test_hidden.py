"""Links that are hard to find, on both engines: remembered last, and counted by what they yield."""

from gossamer.frontier.hidden import HiddenUrl, HiddenWay, HiddenYield
from gossamer.frontier.protocol import NewUrl
from gossamer.model import Url

from .worlds import World

A = "http://a.test/"
SCRIPT, FORM = HiddenWay.SCRIPT, HiddenWay.FORM


def hidden(path: str, way: HiddenWay = SCRIPT) -> HiddenUrl:
    return HiddenUrl(Url(A + path), 1, way)


def test_only_what_nothing_else_led_to_is_a_find(world: World) -> None:
    frontier = world.frontier("one")
    frontier.add([NewUrl(Url(f"{A}known"), 1, 400)])
    assert frontier.add_hidden([hidden("known"), hidden("new"), hidden("form", FORM)]) == 2
    assert frontier.add_hidden([hidden("new", FORM), hidden("more")]) == 1
    assert frontier.hidden_yields() == {SCRIPT: HiddenYield(found=2), FORM: HiddenYield(found=1)}
    assert frontier.add_hidden([]) == 0


def test_pages_are_counted_once_and_with_their_data(world: World) -> None:
    frontier = world.frontier("one")
    frontier.add_hidden([hidden("1"), hidden("2"), hidden("3", FORM)])
    settled = {Url(f"{A}{path}"): path != "2" for path in ("1", "2", "3", "other")}
    frontier.count_hidden(settled)
    frontier.count_hidden(settled)
    frontier.count_hidden({})
    assert frontier.hidden_yields() == {SCRIPT: HiddenYield(2, 2, 1), FORM: HiddenYield(1, 1, 1)}


def test_they_come_after_all_other_pages_of_their_host(world: World) -> None:
    frontier = world.frontier("one")
    frontier.add_hidden([hidden("hidden")])
    frontier.add([NewUrl(Url(f"{A}{path}"), 5, 1) for path in "ab"])
    (lease,) = frontier.lease(1, pages=3)
    assert [page.url.removeprefix(A) for page in lease.pages] == ["a", "b", "hidden"]


def test_what_is_forgotten_is_not_counted_any_more(world: World) -> None:
    frontier = world.frontier("one")
    frontier.add_hidden([hidden("1")])
    frontier.forget(url=Url(f"{A}1"))
    frontier.count_hidden({Url(f"{A}1"): True})
    assert frontier.hidden_yields()[SCRIPT] == HiddenYield(found=1)
