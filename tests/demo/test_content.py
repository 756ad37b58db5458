from gossamer.demo.content import Rendered
from gossamer.model import Syntax


def test_a_statement_made_in_two_syntaxes_is_one_quad() -> None:
    page = Rendered(
        b"",
        "text/html",
        {
            Syntax.RDFA: frozenset({"<a> <b> <c>", "<a> <b> <d>"}),
            Syntax.PAGE: frozenset({"<a> <b> <c>"}),
        },
    )
    assert page.quads == 2
