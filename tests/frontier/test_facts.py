from gossamer.frontier.facts import FactStore

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
