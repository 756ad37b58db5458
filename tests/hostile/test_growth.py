"""No reader of strangers' bytes works more than n^1.3 for n bytes, on more than a hundred shapes."""

import pytest
from tests.hostile.growth import WORST, Growth, exponent, growth_of
from tests.hostile.shapes import MOST_CONTEXT_WORK, SHAPES, TREE_LIMITS

from gossamer.transform import depth
from gossamer.transform.jsonld import limits


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits on trees that are reached at once: growth beyond them is what counts."""
    for name, value in TREE_LIMITS.items():
        monkeypatch.setattr(depth, name, value)
    monkeypatch.setattr(limits, "MOST_WORK", MOST_CONTEXT_WORK)


def test_there_are_more_than_a_hundred_shapes() -> None:
    assert len(SHAPES) > 100


@pytest.mark.parametrize("name", SHAPES)
def test_work_grows_with_the_input_and_hardly_faster(name: str, full_size: bool) -> None:
    shape = SHAPES[name]
    growth = growth_of(shape.read, shape.make, shape.start * (4 if full_size else 1))
    assert growth.worst <= WORST, f"{name}: {growth}"


def quadratic_in_python(body: bytes) -> int:
    return sum(1 for i in range(0, len(body), 8) for _ in map(len, [b""] * (i // 8)))


def quadratic_in_native_code(body: bytes) -> int:
    return sum(body.count(b"y", 0, i) for i in range(0, len(body), 16))


@pytest.mark.parametrize("read", [quadratic_in_python, quadratic_in_native_code])
def test_a_reader_that_is_quadratic_is_found(read: object) -> None:
    assert callable(read)
    growth = growth_of(read, lambda n: b"x" * n, 128, retries=0)
    assert growth.worst > 1.5, str(growth)


def test_a_reader_that_is_linear_is_not() -> None:
    growth = growth_of(lambda body: [chr(each) for each in body], lambda n: b"x" * n, 1024)
    assert growth.worst <= WORST, str(growth)


@pytest.mark.parametrize("power", [1.0, 1.3, 2.0, 3.0])
def test_the_exponent_is_told_whatever_it_costs_to_begin(power: float) -> None:
    work = tuple(7_000 + 3 * n**power for n in (100, 400, 1600))
    assert exponent(work, 1.0) == pytest.approx(power)


def test_hardly_any_work_has_no_exponent() -> None:
    assert Growth(100, (5, 5, 50), (0.0, 0.0, 0.001)).worst == 0
