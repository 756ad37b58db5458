import random
from math import exp, isclose

from gossamer.freshness.bins import bin_of
from gossamer.freshness.evidence import NO_LOOKS, Look
from gossamer.freshness.groups import RateSums, prior_within
from gossamer.freshness.prior import Prior


def pages_at(mean: float, count: int, seed: int) -> list[int]:
    chance = random.Random(seed)
    pages = []
    for _ in range(count):
        rate, evidence = chance.lognormvariate(mean, 0.8), NO_LOOKS
        for _ in range(4):
            days = chance.choice([5.0, 15.0, 40.0])
            evidence = evidence.after(Look(days, chance.random() < 1 - exp(-rate * days)))
        pages.append(bin_of(evidence, 1.0))
    return pages


def sums_of(pages: list[int]) -> RateSums:
    sums = RateSums()
    for page in pages:
        sums.move(None, page)
    return sums


def test_a_fast_and_a_slow_host_have_priors_of_their_own() -> None:
    fast, slow = pages_at(-2.0, 200, 1), pages_at(-5.0, 200, 2)
    parent, everything = Prior(-3.5, 1.7), sums_of(fast + slow)
    for pages, mean in ((fast, -2.0), (slow, -5.0)):
        found = prior_within(parent, everything, sums_of(pages))
        assert abs(found.mean - mean) < 0.5
        assert 0.4 <= found.spread < 1.4


def test_a_host_with_few_looks_stays_near_the_prior_of_all() -> None:
    parent, everything = Prior(-3.5, 1.7), sums_of(pages_at(-3.5, 200, 3))
    assert prior_within(parent, everything, RateSums()) == parent
    found = prior_within(parent, everything, sums_of(pages_at(-1.0, 1, 4)))
    assert abs(found.mean - parent.mean) < 1.2
    assert isclose(found.spread, parent.spread, rel_tol=0.1)


def test_a_page_is_taken_out_as_it_was() -> None:
    pages = pages_at(-3.0, 40, 5)
    sums = sums_of(pages[:20])
    for before, after in zip(pages[:20], pages[20:], strict=True):
        sums.move(before, after)
    wanted = sums_of(pages[20:])
    assert isclose(sums.mean, wanted.mean, rel_tol=1e-6)
    assert isclose(sums.variance, wanted.variance, rel_tol=1e-6, abs_tol=1e-6)
    assert RateSums.unpack(sums.pack()) == sums
    assert RateSums.unpack(None) == RateSums.unpack(b"\x09") == RateSums()
