"""Every rule, on the cache alone. `tests/proxy/cache/test_over_sockets.py` has them through the proxy."""

from collections.abc import Iterator

import pytest

from .rules import PAGE, RULES, Rule, Step, names, page
from .world import START, Got, Origin, World, fields


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("rules"))
    yield world
    world.close()


@pytest.mark.parametrize(("number", "rule"), [*enumerate(RULES)], ids=names(RULES))
def test_the_rule_holds(shared: World, number: int, rule: Rule) -> None:
    # Each on a host of its own, so that one cache serves them all: to open one takes a while.
    shared.now, shared.answers = START, 0
    for step in rule.story:
        shared.wait(step.after)
        check(step, take(shared, step, f"r{number}"))


def test_the_page_lists_every_rule() -> None:
    assert PAGE.read_text() == page(), "run `python -m tests.proxy.cache.rules`"


def take(world: World, step: Step, below: str) -> Got:
    said = fields(step.say, world.now)
    said_here = [(name.decode(), moved(value.decode("latin-1"), below)) for name, value in said]
    origin = Origin(step.status, said_here, step.body, step.breaks_off)
    url = moved(step.url, below)
    return world.ask(step.ask, origin, method=step.method, url=url, fails=step.fails)


def moved(text: str, below: str) -> str:
    return text.replace("http://", f"http://{below}.")


def check(step: Step, got: Got) -> None:
    told = got["cache-status"]
    match step.expect:
        case "hit" | "refused":
            assert got.is_hit, told
        case "validated":
            assert got.is_validated, told
        case "fetch":
            assert not got.is_hit, told
    assert step.gets in (None, got.status)
    assert step.reads in (None, got.body)
    for name, value in step.has.items():
        assert got[name] == value
    assert not [name for name in step.lacks if name in got]
    sent = {name.lower().decode(): value.decode("latin-1") for name, value in got.sent or ()}
    assert {name: sent.get(name) for name in step.sends} == step.sends
