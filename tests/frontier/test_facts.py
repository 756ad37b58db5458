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
