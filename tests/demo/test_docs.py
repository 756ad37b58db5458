from pathlib import Path

from gossamer.demo.links import HUB
from gossamer.demo.malice import MALICE_HOSTS
from gossamer.demo.outcomes import Failed, Refused
from gossamer.demo.robots import KINDS
from gossamer.demo.truth import truth
from gossamer.demo.world import World

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "demo-web.md").read_text(encoding="utf-8")


def test_every_kind_of_robots_txt_is_in_the_docs() -> None:
    for number, kind in enumerate(KINDS):
        assert f"| {number} | {kind} |" in PAGE


def test_every_malicious_host_is_in_the_docs() -> None:
    assert HUB in PAGE
    for name in MALICE_HOSTS:
        assert f"`{name}`" in PAGE or f"`{name.removesuffix('.malice.test')}`" in PAGE


def test_every_cause_and_rule_is_in_the_docs() -> None:
    world = World(malice=True)
    for outcome in truth(world, [world.front(0)], scope="any").outcomes.values():
        if isinstance(outcome, Failed):
            word = "status-…" if outcome.cause.startswith("status-") else outcome.cause
            assert f"`{word}`" in PAGE
        elif isinstance(outcome, Refused):
            assert f"`{outcome.rule}`" in PAGE or outcome.rule.startswith("trap-")
