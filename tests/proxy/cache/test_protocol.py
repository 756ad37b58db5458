from gossamer.proxy.cache.protocol import Counters


def test_figures_are_numbers_alone() -> None:
    counters = Counters(hits=3, trouble="disk full")
    assert counters.figures()["hits"] == 3
    assert "trouble" not in counters.figures()
