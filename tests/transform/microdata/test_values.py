import pytest
from tests.transform.demo_pages import problems_of
from tests.transform.microdata.reading import URL, found, items, said, thing

XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<a itemprop=p href=x>y</a>", "<http://a.test/dir/x>"),
        ("<area itemprop=p href=' /x '>", "<http://a.test/x>"),
        ("<link itemprop=p href=#x>", f"<{URL}#x>"),
        ("<img itemprop=p src=x>", "<http://a.test/dir/x>"),
        ("<video itemprop=p src=x></video>", "<http://a.test/dir/x>"),
        ("<object itemprop=p data=x></object>", "<http://a.test/dir/x>"),
        ("<a itemprop=p href='http://b.test/a b'>y</a>", "<http://b.test/a%20b>"),
        ("<data itemprop=p value=12>x</data>", f'"12"^^<{XSD}integer>'),
        ("<meter itemprop=p value=-1.5e3>x</meter>", f'"-1.5e3"^^<{XSD}double>'),
        ("<data itemprop=p value='12 kg' lang=en>x</data>", '"12 kg"'),
        ("<data itemprop=p lang=en>x</data>", '""'),
        ("<time itemprop=p datetime=2024-05-01>x</time>", f'"2024-05-01"^^<{XSD}date>'),
        ("<time itemprop=p>2024-05</time>", f'"2024-05"^^<{XSD}gYearMonth>'),
        ("<time itemprop=p datetime=soon lang=en>x</time>", '"soon"@en'),
        ("<meta itemprop=p content=x lang=en>", '"x"@en'),
        ("<meta itemprop=p content=''>", '""'),
        ("<span itemprop=p lang=DE> x <b>y</b>\n</span>", '" x y\\n"@de'),
        ("<span itemprop=p content=1.50>1,50</span>", '"1.50"'),
        ("<time itemprop=p datetime=2024-05-01 content=x>y</time>", f'"2024-05-01"^^<{XSD}date>'),
        ("<a itemprop=p href=x content=y>z</a>", "<http://a.test/dir/x>"),
        ('<span itemprop=p>"\\</span>', '"\\"\\\\"'),
    ],
)
def test_the_element_decides_what_the_value_is(element: str, value: str) -> None:
    assert found(thing(element)) == said(value)


def test_a_base_element_counts() -> None:
    assert found("<base href=http://b.test/>" + thing("<a itemprop=p href=x>y</a>")) != said()
    markup = f"<base href=/other/>{thing('<a itemprop=p href=x>y</a>')}".replace("#it", f"{URL}#it")
    assert found(markup) == said("<http://a.test/other/x>")


@pytest.mark.parametrize(
    "element", ["<a itemprop=p>x</a>", "<img itemprop=p>", "<p itemprop>x</p>"]
)
def test_an_element_without_address_or_name_says_nothing(element: str) -> None:
    assert found(thing(element)) == said()


def test_an_address_that_is_none_is_a_problem_beside_what_is_good() -> None:
    read = items(thing("<a itemprop=p href='http://[x/'>x</a><b itemprop=p>y</b>"))
    assert problems_of(read) == ['"http://[x/" is no IRI; the statement is left out.']
    assert sum(isinstance(item, str) for item in read) == 2


def test_a_reverse_property_leads_to_the_item_and_never_from_text() -> None:
    assert found(thing("<a itemprop-reverse=q href=x>y</a>")) == said() | {
        f"<http://a.test/dir/x> <http://schema.org/q> <{URL}#it>"
    }
    assert problems_of(items(thing("<b itemprop-reverse=q>y</b>"))) != []
