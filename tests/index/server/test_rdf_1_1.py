import pytest

from gossamer.index.server.rdf_1_1 import loss

END = "<http://a.test/> .\n"


@pytest.mark.parametrize(
    ("quad", "statements", "directions"),
    [
        (f'_:a <http://b/> <<( _:a <http://b/> "c" )>> {END}', 1, 0),
        (f'_:a <http://b/> "x"@ar-EG--rtl {END}', 0, 1),
        ('_:a <http://b/> "x"@ar--ltr .\n', 0, 1),
    ],
)
def test_what_a_server_cannot_keep_is_counted(quad: str, statements: int, directions: int) -> None:
    problem = loss((f'_:a <http://b/> "1" {END}' + quad).encode())
    assert problem is not None
    assert f"left out ({statements}), " in problem.message
    assert problem.message.endswith(f"({directions}).")


def test_texts_that_look_like_it_are_no_loss() -> None:
    texts = ["<<( --rtl", r"\"@ar--rtl <http://a.test/> .", "@ar--rtl", "x <http://b/> <<("]
    nquads = "".join(f'_:a <http://b/> "{text}" {END}' for text in texts)
    assert loss(nquads.encode()) is None
