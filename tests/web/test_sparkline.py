from gossamer.web.sparkline import HEIGHT, WIDTH, sparkline


def test_a_line_goes_from_edge_to_edge_and_is_as_high_as_its_largest_value() -> None:
    drawn = sparkline([0, 10, 20], [0.0, 5.0, 10.0], "Pages")
    assert f'd="M2.0 38.0L{WIDTH / 2:.1f} {HEIGHT / 2:.1f}L{WIDTH - 2:.1f} 2.0"' in drawn
    assert 'aria-label="Pages: 0 to 10"' in drawn


def test_where_nothing_was_heard_the_line_is_broken() -> None:
    moments = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 60.0, 61.0]
    drawn = sparkline(moments, [1.0] * 9, "x")
    assert drawn.count("M2.0") == 1
    assert drawn.count("M") == 3  # the base, and two parts
    assert sparkline([0, 1, 2], [1.0, None, 1.0], "x").count("M") == 3


def test_nothing_known_is_an_empty_chart_and_titles_are_escaped() -> None:
    drawn = sparkline([0, 1], [None, None], "<b>")
    assert 'd=""' in drawn
    assert "&lt;b&gt;: nothing known" in drawn
