"""`make soak`: 200,000 pages with no delay. It neither slows down nor swells."""

from pathlib import Path

import pytest
from tests.crawl.soaking import TICKS, Sample, cpu_ms, effort, growth, rate, soak


@pytest.mark.timeout(7200)
def test_a_long_crawl_neither_slows_down_nor_swells(
    full_size: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = 200_000 if full_size else 400
    soaked = soak(pages, tmp_path)
    with capsys.disabled():
        print(f"\n{soaked.line()}" if full_size else "", end="")  # noqa: T201 (figures, for whoever soaks)
    assert (soaked.pages, soaked.ended) == (pages, "pages")
    assert set(soaked.mebibytes) == {"main", "graph", "words", "workers"}
    if full_size:
        assert soaked.steady_ratio >= 0.8
        assert max(soaked.growth.values()) <= 1.25, soaked.growth


def test_the_rate_of_a_part_is_that_of_its_requests() -> None:
    slow, quick = [float(second) for second in range(50)], [50 + each / 10 for each in range(50)]
    assert rate(slow + quick, 0.1, 0.2) == 1
    assert rate(slow + quick, 0.9, 1.0) == pytest.approx(10)


def test_how_fast_the_machine_was_is_known_of_each_part() -> None:
    asked = [second / 10 for second in range(1000)]
    samples = [Sample(float(each), {}, {}, 1 + each // 50) for each in range(100)]
    assert effort(asked, samples, 0.1, 0.2) == 1
    assert effort(asked, samples, 0.9, 1.0) == 2
    assert effort(asked, [], 0.9, 1.0) == 1  # it was over too soon


def test_cpu_time_is_shared_by_the_requests_of_a_part() -> None:
    asked = [second / 10 for second in range(1000)]  # ten a second
    samples = [Sample(float(each), {}, {"main": each * TICKS // 2}) for each in range(100)]
    assert cpu_ms(asked, samples, 0.5, 0.7) == {"main": pytest.approx(50)}
    assert cpu_ms(asked, samples, 0.5, 0.51) == {}


def test_growth_compares_the_last_fifth_with_the_second() -> None:
    asked = [float(second) for second in range(100)]
    samples = [Sample(float(second), {"main": 100 + second}, {}) for second in range(100)]
    assert growth(asked, samples) == {"main": pytest.approx(190 / 130, abs=0.01)}
