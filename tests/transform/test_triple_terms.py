from gossamer.transform.triple_terms import MOST_NESTED, cut_deep

GOOD = "<s> <p> <o> .\n"


def nested(depth: int, between: str = "") -> str:
    return f"<s> <p> {f'<<( {between}<s> <p> ' * depth}1{' )>>' * depth} .\n"


def test_many_that_are_shallow_stay() -> None:
    text = nested(2) * 5_000
    assert cut_deep(text) == (text, False)


def test_the_text_before_deep_ones_stays() -> None:
    before = GOOD + nested(MOST_NESTED)
    text, is_cut = cut_deep(before + nested(MOST_NESTED + 1) + GOOD)
    assert is_cut
    assert text == f"{before}<s> <p> "


def test_closing_marks_in_comments_and_texts_close_nothing() -> None:
    assert cut_deep(nested(MOST_NESTED + 1, "# )>>\n"))[1]
    assert cut_deep(nested(MOST_NESTED + 1, '" )>> " '))[1]


def test_a_fragment_is_no_comment() -> None:
    text = "<http://h.test/#s> <p> <<( <http://h.test/#s> <p> 1 )>> .\n" * 1_000
    assert cut_deep(text) == (text, False)
