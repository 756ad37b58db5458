from gossamer.cli.text import counted, example, table


def test_columns_line_up() -> None:
    assert table([("a", "bb", "c"), ("aaa", "b", "ccc")]) == "a    bb  c\naaa  b   ccc"


def test_a_long_cell_is_cut_so_that_the_last_column_stays_in_sight() -> None:
    cut = table([("k", "x" * 200, "source")], width=80)
    assert "…" in cut
    assert cut.endswith("source")
    assert len(cut) <= 80


def test_the_last_column_is_never_cut() -> None:
    assert table([("a", "z" * 200)], width=40).endswith("z" * 200)


def test_examples_keep_their_lines() -> None:
    assert example("one", "two") == "\b\nExamples:\n  one\n  two"


def test_one_is_no_plural() -> None:
    assert [counted(n, "page") for n in (0, 1, 2000)] == ["0 pages", "1 page", "2,000 pages"]
