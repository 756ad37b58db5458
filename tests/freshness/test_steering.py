from gossamer.freshness.steering import host_factor, steered


def test_looks_that_are_behind_make_the_price_higher_within_bounds() -> None:
    assert steered(0, 20) == 1
    assert 1 < steered(5, 20) < steered(10, 20) <= steered(1e9, 20) <= 4
    assert 1 / 4 <= steered(-1e9, 20) < steered(-5, 20) < 1


def test_a_host_with_too_little_time_has_a_price_of_its_own_until_it_has_enough() -> None:
    factor = 1.0
    for _ in range(20):  # what is asked falls as the price rises
        factor = host_factor(factor, asked=100 / factor, possible=20)
    assert 4.5 < factor < 5.5
    for _ in range(20):
        factor = host_factor(factor, asked=10 / factor, possible=20)
    assert factor == 1
