import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.rdfa.saying import items, problems, said

from gossamer.config import Transform as Options
from gossamer.transform.rdfa.names import declared_prefixes


def objects(value: str, attributes: str = "") -> list[str]:
    page = f"<p {attributes}><a property='dc:source' resource='{value}'>x</a></p>"
    return [line.removeprefix("<> dc:source ") for line in said(page)]


def predicates(value: str, attributes: str = "") -> list[str]:
    return [line.split(" ")[1] for line in said(f"<p {attributes}><b property='{value}'>x</b></p>")]


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("x/y", "<http://page.test/dir/x/y>"),
        ("", "<>"),
        ("dc:title", "dc:title"),
        ("[dc:title]", "dc:title"),
        ("DC:title", "dc:title"),
        (":next", "xhv:next"),
        ("http://other.test/", "<http://other.test/>"),
        ("mailto:a@b.test", "<mailto:a@b.test>"),
        ("dc://title", "<dc://title>"),  # two slashes: an IRI, whatever prefixes there are
        ("_:a", "_:1"),
    ],
)
def test_a_resource_is_a_curie_if_its_prefix_is_known_and_else_an_iri(
    value: str, meant: str
) -> None:
    assert objects(value) == [meant]


def test_a_safe_curie_with_an_unknown_prefix_names_nothing() -> None:
    assert objects("[unknown:x]") == ['"x"']
    page = '<b property="dc:source" resource="[unknown:x]">x</b>'
    assert problems(page) == ['The prefix of "[unknown:x]" is not defined.']


def test_blank_nodes_are_numbered_as_they_appear_and_keep_their_labels() -> None:
    page = "<p about=_:z property=dc:source resource=_:a></p><p about=_:a property=dc:source resource=_:z>"
    assert said(page) == ["_:1 dc:source _:2", "_:2 dc:source _:1"]


def test_labels_that_are_no_words_do_no_harm() -> None:
    assert said("<p about='_:a b. <>\"' property=dc:title>t</p>") == ['_:1 dc:title "t"']


def test_predicates_are_terms_curies_or_absolute_iris() -> None:
    assert predicates("license dc:title http://p.test/q relative/no _:no") == [
        *("xhv:license", "dc:title", "<http://p.test/q>")
    ]


def test_terms_are_found_in_any_case_but_as_written_in_a_vocabulary() -> None:
    assert predicates("LICENSE") == ["xhv:license"]
    assert predicates("Name", "vocab='http://schema.org/'")[1:] == ["s:Name"]


def test_a_term_that_nobody_defines_is_a_problem_once() -> None:
    page = "<p property=nonsense>x</p><p property=nonsense>y</p>"
    assert problems(page) == ['The term "nonsense" is not defined here.']


def test_link_types_of_html_are_no_problem() -> None:
    assert problems('<a rel="nofollow author" href="/">x</a><p property="dc:title">t</p>') == []


def test_what_one_page_declares_means_nothing_on_another() -> None:
    page = "<p prefix='mine: http://{}.test/'><b property='mine:x'>1</b></p>"
    assert said(page.format("one")) == ['<> <http://one.test/x> "1"']
    assert said(page.format("two")) == ['<> <http://two.test/x> "1"']
    assert predicates("mine:x") == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("article:published_time", "<http://ogp.me/ns/article#published_time>"),
        ("Article:section", "<http://ogp.me/ns/article#section>"),
        ("fb:app_id", "<http://ogp.me/ns/fb#app_id>"),
        ("dct:title", "dc:title"),
        ("urn:isbn:1", "<urn:isbn:1>"),
        ("tag:page.test,2020:x", "<tag:page.test,2020:x>"),
        ("odd://page.test/x", "<odd://page.test/x>"),
    ],
)
def test_an_undeclared_prefix_has_its_usual_meaning(name: str, meant: str) -> None:
    assert predicates(name) == [meant]
    assert problems(f"<b property='{name}'>x</b>") == []


def test_a_declared_prefix_comes_before_the_usual_one() -> None:
    assert predicates("article:x", "prefix='article: http://own.test/'") == ["<http://own.test/x>"]


def test_an_unknown_prefix_is_a_problem_and_no_statement() -> None:
    page = "<p property='sailthru:date dc:title'>x</p>"
    assert said(page) == ['<> dc:title "x"']
    assert problems(page) == ['The prefix of "sailthru:date" is not defined.']


def test_names_of_twitter_cards_are_left_to_the_reader_of_meta_elements() -> None:
    page = "<meta property='twitter:card' content='summary'>"
    assert said(page) == []
    assert problems(page) == []


def test_by_the_letter_an_undeclared_prefix_is_a_scheme() -> None:
    page = "<p property='article:author'>x</p>"
    assert said(page, options=Options(strict=True)) == ['<> <article:author> "x"']
    assert said(page) == ['<> <http://ogp.me/ns/article#author> "x"'], "the cache is not shared"


def test_a_bad_iri_is_left_out_with_a_problem() -> None:
    page = '<a property="dc:source" href="http://[bad">x</a>'
    assert said(page) == ['<> dc:source "x"']
    assert len(problems(page)) == 1


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a: http://a.test/ B: http://b.test/", [("a", "http://a.test/"), ("b", "http://b.test/")]),
        ("$bad: http://x.test/ a: y", [("a", "y")]),
        ("a http://a.test/ b: c", [("b", "c")]),
        ("a:", []),
        (": x", []),
        ("", []),
    ],
)
def test_prefixes_are_declared_in_pairs(value: str, found: list[tuple[str, str]]) -> None:
    assert declared_prefixes(value) == found


@given(st.text(alphabet="ab: \n[]_/.#", max_size=30))
def test_no_value_is_too_odd(value: str) -> None:
    page = f'<p property="{value}" about="{value}" typeof="{value}">t</p>'
    for item in items(page):
        if isinstance(item, str):
            subject, predicate, _ = item.split(" ", 2)
            assert subject.startswith(("<", "_:"))
            assert predicate.startswith("<")
