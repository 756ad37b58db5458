import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.rdf_sources import problems, read, statements

from gossamer.model import Problem, Syntax
from gossamer.transform.terms import InGraph
from gossamer.transform.turtle_mend import closed

START = "@prefix : <http://e.test/> .\n"
QUOTED = "A quoted text is not closed; the rest of its statement is left out."


def mended(text: str) -> tuple[str, list[int | None]]:
    better, told = closed(text)
    return better, [problem.line for problem in told]


@pytest.mark.parametrize(
    ("text", "better"),
    [
        (':a :p "one .\n:b :p 2 .', "\n:b :p 2 ."),
        (":a :p 'one .\n:b :p 2 .", "\n:b :p 2 ."),
        (':a :p """one .\n:b :p 2 .', "\n:b :p 2 ."),
        (":a :p '''one .\n:b :p 2 .", "\n:b :p 2 ."),
        (":a :p <one .\n:b :p 2 .", "\n:b :p 2 ."),
        (':a :p "one\n:b :p 2 .', "\n:b :p 2 ."),
        (':a :p "one .\n:b :p "two" .', '\n:b :p "two" .'),
        (':a :p 1 ; :q "one ;\n  :r 3 .\n:b :p 2 .', ":a :p 1 \n .\n:b :p 2 ."),
        (':a :p 1, "one .\n:b :p 2 .', ":a :p 1 .\n:b :p 2 ."),
        (':a :p [ :q 1 ; :r "one ] .\n:b :p 2 .', ":a :p [ :q 1 ] .\n:b :p 2 ."),
        (':a :p [ :r "one ] .\n:b :p 2 .', ":a :p [] .\n:b :p 2 ."),
        (':a :p ( 1 [ ] "one ) .\n:b :p 2 .', ":a :p ( 1 [ ]) .\n:b :p 2 ."),
        ('[ :p 1 ] :q "one .\n:b :p 2 .', "[ :p 1 ] .\n:b :p 2 ."),
        (':g { :a :p "one }\n:b :p 2 .', ":g {}\n:b :p 2 ."),
        (':a :p "one', ""),
        (':a :p 1 ; :q "one', ":a :p 1  ."),
    ],
)
def test_a_statement_ends_before_what_is_not_closed(text: str, better: str) -> None:
    assert mended(text) == (better, [1])


@pytest.mark.parametrize(
    "text",
    [
        ':a :p "one\ntwo"@en, "three\n" ; :q "four\n\n" .',
        """:a :p '''it's\n\\'''', \"\"\"say "so"\n.\"\"\"^^:t .""",
        "# don't\n:a :p 'x' . # \"\n:b.c :p 1.5, <x y> .",
        r""":a :p :b\'c, <<( :a :b 1 )>>, '' , "" .""",
    ],
)
def test_what_can_be_read_stays_as_it_is(text: str) -> None:
    assert mended(text) == (text, [])


def test_turtle_loses_one_statement_and_tells_it_once() -> None:
    text = f'{START}:a :p "one" ; :q "two .\n:b :p "three" .\n_:x :p _:y .'
    items = read(text, Syntax.TURTLE)
    assert [re.sub("<http://e.test/(.)>", r":\1", line) for line in statements(items)] == [
        ':a :p "one"',
        ':b :p "three"',
        "_:t0 :p _:t1",
    ]
    assert problems(items) == [(2, QUOTED)]


def test_trig_goes_on_within_the_graph() -> None:
    text = f"{START}:g {{ :a :p 1 .\n:b :p 'two .\n:c :p :d . }}\n:e :p :f ."
    first, problem, second, third = read(text, Syntax.TRIG)
    assert problem == Problem(QUOTED, Syntax.TRIG, 3)
    assert isinstance(first, InGraph)
    assert isinstance(second, InGraph)
    assert first.graph == second.graph == "<http://e.test/g>"
    assert third == "<http://e.test/e> <http://e.test/p> <http://e.test/f>"


def test_a_list_of_which_nothing_is_said_costs_a_problem_more_and_no_statement() -> None:
    items = read(f'{START}( 1 ) :p "one .\n:b :p :c .', Syntax.TURTLE)
    assert len(statements(items)) == 3
    assert [line for line, _ in problems(items)] == [2, 2]


@given(st.lists(st.text("ab.;,#@<>(){}[]' é", max_size=12), min_size=1, max_size=6), st.data())
def test_a_quote_that_is_missing_costs_its_statement_alone(
    texts: list[str], data: st.DataObject
) -> None:
    lines = [f':s{number} :p "x{text}x" .' for number, text in enumerate(texts)]
    whole = "\n".join([START, *lines])
    assert closed(whole) == (whole, [])
    broken = data.draw(st.integers(0, len(lines) - 1))
    lines[broken] = f':s{broken} :p "x{texts[broken]}x .'
    items = read("\n".join([START, *lines]), Syntax.TURTLE)
    assert problems(items) == [(broken + 3, QUOTED)]
    subjects = [line.partition("> ")[0][-1] for line in statements(items)]
    assert subjects == [str(number) for number in range(len(lines)) if number != broken]


@given(st.text("ab:.;,#@<>(){}[]'\"\\ \n", max_size=60))
def test_lines_stay_where_they_are_whatever_the_text(noise: str) -> None:
    better, told = closed(noise)
    assert better.count("\n") == noise.count("\n")
    lines = [problem.line or 0 for problem in told]
    assert lines == sorted(lines)
    for syntax in (Syntax.TURTLE, Syntax.TRIG):
        read(noise, syntax)


@pytest.mark.parametrize(
    "part",
    [
        *('"\n', "'\"\n", '"a\\"\n', '"""\\"""\n', '"""\n', "x '\n\"\n", "[", "<", '. "', '"x. '),
        *("'''\"\"\"\n", ':a :p """x .\n', '"\\\n', ':a :p "x [ ;\n', '( " ) \n'),
    ],
)
def test_no_text_takes_long(part: str, full_size: bool) -> None:
    # With its square, this would be hours.
    size = 4_000_000 if full_size else 300_000
    closed(part * (size // len(part)))
