from gossamer.tables.preview import as_html, as_text
from gossamer.tables.values import Iri


def test_numbers_stand_to_the_right_and_long_cells_are_cut() -> None:
    text = as_text(("name", "n"), [("x" * 100, 7), (None, 1234)])
    assert text.splitlines() == [
        "name".ljust(40) + "     n",
        "x" * 39 + "…" + "     7",
        " " * 40 + "  1234",
    ]


def test_terminals_obey_nothing_of_it() -> None:
    assert "\x1b" not in as_text(("a",), [("\x1b]0;title\x07",)])


def test_pages_obey_nothing_of_it_and_link_to_the_web_alone() -> None:
    rows = [
        ("<script>alert(1)</script>", Iri("javascript:alert(1)"), Iri("http://a.test/?a=\"'<>"))
    ]
    page = as_html(("a", "<b>", "c"), rows, "1 row & more")
    assert "<script" not in page
    assert "<th>&lt;b&gt;</th>" in page
    assert page.count("<a ") == 1
    assert 'href="http://a.test/?a=&quot;&#x27;&lt;&gt;"' in page
    assert "1 row &amp; more" in page


def test_a_preview_is_bounded() -> None:
    wide = [("x" * 10_000,) * 1_000 for _ in range(1_000)]
    assert len(as_text(("a",) * 1_000, wide)) < 3_000
    assert len(as_html(("a",) * 1_000, wide, "")) < 400_000
