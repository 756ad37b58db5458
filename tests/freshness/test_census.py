import random
from collections import Counter
from math import exp, isclose

from gossamer.freshness.belief import believe
from gossamer.freshness.bins import bin_of
from gossamer.freshness.census import Census, looks_asked
from gossamer.freshness.evidence import NO_LOOKS, Look, RateEvidence
from gossamer.freshness.prior import OF_THE_WEB, Prior


def some_pages(count: int, prior: Prior, seed: int = 1) -> list[tuple[RateEvidence, float]]:
    chance = random.Random(seed)
    pages = []
    for _ in range(count):
        rate, evidence = chance.lognormvariate(prior.mean, prior.spread), NO_LOOKS
        for _ in range(chance.randrange(9)):
            days = chance.choice([3.0, 10.0, 20.0, 25.0, 60.0])
            evidence = evidence.after(Look(days, chance.random() < 1 - exp(-rate * days)))
        pages.append((evidence, chance.choice([0.5, 1.0, 1.0, 4.0])))
    return pages


def census_of(pages: list[tuple[RateEvidence, float]]) -> Census:
    return Census(Counter(bin_of(*page) for page in pages))


def test_pages_that_leave_take_their_evidence_with_them() -> None:
    pages, others = some_pages(30, OF_THE_WEB), some_pages(30, OF_THE_WEB, 2)
    census = census_of(pages)
    for before, after in zip(pages, others, strict=True):
        census.count(bin_of(*before), -1)
        census.count(bin_of(*after))
    assert census.pages == 30
    assert census.plan(3, OF_THE_WEB) == census_of(others).plan(3, OF_THE_WEB)
    for page in others:
        census.count(bin_of(*page), -1)
    assert census.pages == 0


def test_a_plan_asks_for_as_many_looks_as_there_are() -> None:
    pages = some_pages(3000, OF_THE_WEB)
    kinds = [(1.0, believe(evidence, OF_THE_WEB), weight) for evidence, weight in pages]
    census = census_of(pages)
    for looks in (30, 150, 600):
        plan = census.plan(looks, OF_THE_WEB)
        assert isclose(looks_asked(kinds, plan), looks, rel_tol=0.05)


def test_the_prior_of_all_pages_is_found() -> None:
    for wanted in (Prior(-3.0, 1.5), Prior(-4.1, 2.0)):
        found = census_of(some_pages(4000, wanted)).prior()
        assert abs(found.mean - wanted.mean) < 0.2
        assert abs(found.spread - wanted.spread) < 0.25


def test_without_evidence_the_prior_stays() -> None:
    assert census_of([(NO_LOOKS, 1.0)] * 9).prior() == OF_THE_WEB
    assert Census().plan(10, OF_THE_WEB).longest > 0
