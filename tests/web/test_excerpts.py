"""Lines at which something is wrong."""

from gossamer.web.excerpts import BEFORE, MOST, Excerpt, excerpt


def test_the_place_that_a_message_names_parts_the_line() -> None:
    text = '{\n  "name": "Ada",,\n}'
    said = "expected a key at line 2 column 17"
    assert excerpt(text, 2, said) == Excerpt('"name": "Ada",', ",", has_place=True)


def test_without_a_place_the_line_as_a_whole_is_meant() -> None:
    assert excerpt("a\n   <p typeof>\r\nb", 2, "No type.") == Excerpt(
        "", "<p typeof>", has_place=False
    )


def test_a_long_line_is_cut_around_its_place() -> None:
    found = excerpt("x" * 100_000, 1, "column 50001")
    assert found == Excerpt("…" + "x" * BEFORE, "x" * (MOST - BEFORE) + "…", has_place=True)


def test_a_line_that_is_not_there_has_no_excerpt() -> None:
    assert excerpt("a", 2, "") is None
    assert excerpt("a", 0, "") is None
    assert excerpt("a\n\n", 2, "") is None
    assert excerpt("a", 1, "column 999999") == Excerpt("a", "", has_place=True)
