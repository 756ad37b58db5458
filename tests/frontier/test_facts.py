from gossamer.config import Scope
from gossamer.frontier.facts import FactStore, ScopeExpression, ScopeExpressions, with_expressions

from .worlds import World


def test_a_fact_outlives_its_run_and_is_replaced_by_a_newer_one(world: World) -> None:
    facts = FactStore(world.store())
    assert facts.of("seeds") is None
    facts.keep("seeds", b"\x00one")
    facts.keep("options", b"")
    facts.keep("seeds", b"two\xff")
    assert FactStore(world.store()).of("seeds") == b"two\xff"
    assert facts.of("options") == b""


def test_a_fact_that_is_dropped_is_gone(world: World) -> None:
    facts = FactStore(world.store())
    facts.keep("one", b"1")
    facts.keep("two", b"2")
    facts.drop("one")
    facts.drop("three")
    assert (facts.of("one"), facts.of("two")) == (None, b"2")


def test_facts_are_found_by_how_their_names_begin(world: World) -> None:
    facts = FactStore(world.store())
    for name in ("read b", "read a", "Read c", "reading"):
        facts.keep(name, name.encode())
    assert facts.named("read ") == {"read a": b"read a", "read b": b"read b"}
    assert facts.named("%") == {}


def test_expressions_are_kept_in_the_order_they_were_added(world: World) -> None:
    expressions = ScopeExpressions(world.store())
    assert expressions.all() == []
    assert expressions.add("include", "/zebra/")
    world.later(1)
    assert expressions.add("exclude", "/ape/")
    assert expressions.all() == [
        ScopeExpression("include", "/zebra/"),
        ScopeExpression("exclude", "/ape/"),
    ]


def test_an_expression_is_there_once_and_goes_once(world: World) -> None:
    expressions = ScopeExpressions(world.store())
    assert expressions.add("include", "/a/")
    assert not expressions.add("include", "/a/")
    assert expressions.add("exclude", "/a/")
    assert expressions.remove("include", "/a/")
    assert not expressions.remove("include", "/a/")
    assert expressions.all() == [ScopeExpression("exclude", "/a/")]


def test_every_node_sees_them(world: World) -> None:
    here, there = world.frontier("one"), world.frontier("two")
    here.scope_expressions.add("include", "/a/")
    assert there.scope_expressions.all() == [ScopeExpression("include", "/a/")]


def test_what_was_added_counts_beside_the_configuration_and_once() -> None:
    scope = Scope(kind="site", include=("a",), exclude=("b",))
    added = [ScopeExpression("exclude", "c"), ScopeExpression("include", "a")]
    assert with_expressions(scope, added) == Scope(kind="site", include=("a",), exclude=("b", "c"))
