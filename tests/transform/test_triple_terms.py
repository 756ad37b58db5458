from gossamer.transform.triple_terms import MOST_KEPT, MOST_NESTED, cut_deep, is_shallow

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


def test_n_quads_are_shallow_whatever_their_texts_hold() -> None:
    marks = '<s> <p> "<<( \\" <<(" <g#<<(> .\n' * 100
    assert is_shallow((marks + nested(MOST_KEPT)).encode())
    assert not is_shallow((marks + nested(MOST_KEPT + 1)).encode())
    assert not is_shallow(nested(MOST_KEPT + 1, '")>>" ').encode())
