from tests.transform.rdfa.saying import problems, said

from gossamer.transform.rdfa.scope import MOST_PREFIXES


def test_a_vocabulary_is_in_use_and_holds_within() -> None:
    page = "<div vocab=http://schema.org/><p property=name>n</p><p vocab='' property=name>m</p></div><p property=name>o</p>"
    assert said(page) == ["<> rdfa:usesVocabulary <http://schema.org/>", '<> s:name "n"']


def test_a_relative_vocabulary_is_joined_to_the_base() -> None:
    assert said("<p vocab=terms# property=name>n</p>") == [
        "<> rdfa:usesVocabulary <http://page.test/dir/terms#>",
        '<> <http://page.test/dir/terms#name> "n"',
    ]


def test_prefixes_hold_within_and_the_inner_ones_win() -> None:
    page = (
        '<div prefix="a: http://a.test/"><p prefix="a: http://b.test/"><b property="a:x">1</b></p>'
        '<p property="a:x">2</p></div>'
    )
    assert said(page) == ['<> <http://b.test/x> "1"', '<> <http://a.test/x> "2"']


def test_prefix_wins_over_xmlns_and_nobody_takes_the_underscore() -> None:
    page = '<p xmlns:a="http://n.test/" prefix="a: http://p.test/ _: http://u.test/"><b property="a:x" resource="_:y">'
    assert said(page) == ["<> <http://p.test/x> _:1"]


def test_relative_prefixes_are_joined_to_the_page_not_to_its_base() -> None:
    page = '<base href="http://base.test/"><p prefix="a: t#" property="a:x">1</p>'
    assert said(page) == ['<http://base.test/> <http://page.test/dir/t#x> "1"']


def test_a_language_holds_within_until_another_or_none_is_given() -> None:
    page = (
        '<div lang="de"><p property="dc:title">a</p><p lang="fr"><b property="dc:title">b</b></p>'
        '<p lang="" property="dc:title">c</p></div>'
    )
    assert said(page) == ['<> dc:title "a"@de', '<> dc:title "b"@fr', '<> dc:title "c"']


def test_links_wait_until_they_are_completed_by_every_one_that_can() -> None:
    page = "<ul rel=foaf:knows><li about=#a></li><li typeof=foaf:Person></li><li><b property=foaf:name>n</b></li></ul>"
    assert said(page) == [
        "<> foaf:knows <#a>",
        "_:2 a foaf:Person",
        "<> foaf:knows _:2",
        '_:1 foaf:name "n"',
        "<> foaf:knows _:1",
    ]


def test_a_link_is_completed_once_by_what_stands_within_its_object() -> None:
    page = "<p rel=foaf:knows><b property=foaf:name>n<i property=foaf:nick>m</i></b></p>"
    assert said(page).count("<> foaf:knows _:1") == 1


def test_there_is_an_end_to_prefixes() -> None:
    many = " ".join(f"p{n}: http://p.test/{n}" for n in range(MOST_PREFIXES))
    page = (
        f'<p prefix="{many}"><b prefix="more: http://more.test/" property="p7:x more:y">t</b></p>'
    )
    assert said(page) == ['<> <http://p.test/7x> "t"']
    assert problems(page) == [
        "The page declares too many prefixes; further ones are left out.",
        'The prefix of "more:y" is not defined.',
    ]
