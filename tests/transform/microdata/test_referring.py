from itertools import islice

from tests.transform.demo_pages import problems_of
from tests.transform.microdata.reading import SCHEMA, URL, found, items

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.microdata import microdata_statements

LOOP = "An item is a property of itself, by way of itemref."


def test_two_items_share_what_both_refer_to() -> None:
    markup = """<p itemscope itemid=#1 itemref=x></p><p itemscope itemid=#2 itemref=x></p>
        <p id=x itemprop=a itemscope itemid=#3><b itemprop=c>d</b></p>"""
    assert found(markup) == {
        f"<{URL}#1> <{URL}#a> <{URL}#3>",
        f"<{URL}#2> <{URL}#a> <{URL}#3>",
        f'<{URL}#3> <{URL}#c> "d"',
    }


def test_a_shared_item_takes_over_both_types() -> None:
    markup = f"""<p itemscope itemid=#1 itemtype={SCHEMA}A itemref=x></p>
        <p itemscope itemid=#2 itemtype=http://b.test/B itemref=x></p>
        <p id=x itemprop=a itemscope itemid=#3><b itemprop=c>d</b></p>"""
    assert {f'<{URL}#3> <{SCHEMA}c> "d"', f'<{URL}#3> <http://b.test/c> "d"'} < found(markup)


def test_a_loop_is_a_problem_and_all_its_statements_are_kept() -> None:
    markup = """<p itemscope itemid=#1 itemref=x></p>
        <p id=x itemprop=a itemscope itemid=#2 itemref=y></p>
        <p id=y itemprop=b itemscope itemid=#3 itemref=x></p>"""
    read = items(markup)
    assert problems_of(read) == [LOOP]
    assert {item for item in read if isinstance(item, str)} == {
        f"<{URL}#1> <{URL}#a> <{URL}#2>",
        f"<{URL}#2> <{URL}#b> <{URL}#3>",
        f"<{URL}#3> <{URL}#a> <{URL}#2>",
    }


def test_an_item_may_not_be_its_own_property() -> None:
    markup = "<p itemscope itemref=x></p><p id=x itemprop=a itemscope itemid=#2 itemref=x></p>"
    assert problems_of(items(markup)) != []


def test_chains_of_references_too_long_are_cut_with_a_problem() -> None:
    chain = "".join(f"<p id=x{n} itemprop=a itemscope itemref=x{n + 1}></p>" for n in range(1_000))
    read = items(f"<p itemscope itemref=x0></p>{chain}", Options(max_depth=100))
    assert sum(isinstance(item, str) for item in read) == 100
    assert problems_of(read) == ["Items are nested too deep; the innermost are left out."]


def test_many_references_to_many_properties_are_read_lazily() -> None:
    markup = "<p itemscope itemref=x></p>" * 2_000 + f"<p id=x>{'<b itemprop=a>c</b>' * 2_000}</p>"
    document = Document(URL, markup.encode())
    # All of it would be four million statements.
    assert len(list(islice(microdata_statements(document), 5_000))) == 5_000
