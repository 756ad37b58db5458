from gossamer.cli.text import (
    counted,
    cut,
    cut_middle,
    example,
    shown_width,
    size,
    table,
    tally,
    wrap,
)


def test_columns_line_up() -> None:
    assert table([("a", "bb", "c"), ("aaa", "b", "ccc")]) == "a    bb  c\naaa  b   ccc"


def test_a_long_cell_is_cut_so_that_the_last_column_stays_in_sight() -> None:
    cut = table([("k", "x" * 200, "source")], width=80)
    assert "…" in cut
    assert cut.endswith("source")
    assert len(cut) <= 80


def test_the_last_column_is_never_cut() -> None:
    assert table([("a", "z" * 200)], width=40).endswith("z" * 200)


def test_a_url_is_cut_in_the_middle() -> None:
    url = "https://www.example.org/catalogue/products/a-long-name"
    assert cut_middle(url, 30) == url[:15] + "…" + url[-14:]
    (line,) = table([(url, "reason")], width=50).splitlines()
    assert line.startswith("https://www")
    assert line.endswith("long-name  reason")


def test_a_reason_goes_on_below_and_nothing_of_it_is_lost() -> None:
    why = "the server asked for a pause of two hours, which is more than we have patience for"
    lines = table([("PAGE", "WHY"), ("www.example.org", why)], width=60, wraps=True).splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert [line[17:] for line in lines[1:]] == wrap(why, 43)
    assert " ".join(wrap(why, 43)) == why


def test_where_columns_leave_no_room_a_reason_begins_below() -> None:
    row = ("www.example.org", "waiting", "1,234", "5,678", "1 s", "in 3.2 s")
    why = "the delay that the operator has configured"
    lines = table([(*row, why)], width=60, wraps=True).splitlines()
    assert lines == ["  ".join(row), f"    {why}"]


def test_columns_of_any_number_fit() -> None:
    rows = [("a" * 30, "b" * 30, "c" * 30, "d" * 30)]
    assert len(table(rows, width=60, glance=True)) <= 60


def test_words_longer_than_a_line_are_broken() -> None:
    assert wrap("ab cdefgh i", 4) == ["ab", "cdef", "gh i"]
    assert wrap("蜘蛛", 1) == ["蜘", "蛛"]
    assert wrap("", 4) == []


def test_examples_keep_their_lines() -> None:
    assert example("one", "two") == "\b\nExamples:\n  one\n  two"


def test_one_is_no_plural() -> None:
    assert [counted(n, "page") for n in (0, 1, 2000)] == ["0 pages", "1 page", "2,000 pages"]


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert [shown_width(text) for text in ("abc", "蜘蛛", "e\u0301")] == [3, 4, 1]
    lines = table([("蜘蛛", "x"), ("abcd", "y")]).splitlines()
    assert lines == ["蜘蛛  x", "abcd  y"]


def test_a_text_is_cut_to_the_columns_there_are() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 4) == "abc…"
    assert cut("蜘蛛蜘蛛", 4) == "蜘…"


def test_a_tally_names_the_largest_first_and_sums_up_the_rest() -> None:
    counts = {"a": 1, "b": 2000, "c": 3, "none": 0}
    assert tally(counts) == "2,000 b, 3 c, 1 a"
    assert tally(counts, most=2) == "2,000 b, 3 c, 1 others"


def test_sizes_are_short() -> None:
    sizes = [size(n) for n in (0, 999, 1500, 123_456, 7_654_321, 5_000_000_000)]
    assert sizes == ["0 bytes", "999 bytes", "1.5 kB", "123 kB", "7.7 MB", "5.0 GB"]
