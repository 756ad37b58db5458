from tests.transform.rdfa.saying import in_xml, said

PATTERN = '<div resource="#p" typeof="rdfa:Pattern">{}</div>'


def test_a_pattern_is_said_of_whoever_copies_it_and_not_of_itself() -> None:
    page = PATTERN.format("<p property=dc:title>t</p>")
    page += "<p about=#a property=rdfa:copy href=#p></p><p about=#b property=rdfa:copy href=#p>"
    assert said(page) == ['<#a> dc:title "t"', '<#b> dc:title "t"']


def test_a_pattern_that_nobody_copies_is_a_thing_like_others() -> None:
    assert said(PATTERN.format("<i property=dc:title>copy</i>")) == [
        *("<#p> a rdfa:Pattern", '<#p> dc:title "copy"')
    ]


def test_patterns_copy_patterns_even_in_circles() -> None:
    page = PATTERN.format("<p property=dc:title>p</p><p property=rdfa:copy href=#q></p>")
    page += (
        "<div resource=#q typeof=rdfa:Pattern><p property=dc:date>q</p>"
        "<p property=rdfa:copy href=#p></p></div><p about=#a property=rdfa:copy href=#p></p>"
    )
    assert said(page) == ['<#a> dc:title "p"', '<#a> dc:date "q"']


def test_what_is_no_pattern_is_not_copied() -> None:
    page = "<p about=#a property=rdfa:copy href=#pattern></p>"
    assert said(page) == ["<#a> rdfa:copy <#pattern>"]


def test_patterns_are_known_by_any_name() -> None:
    page = (
        '<div prefix="r: http://www.w3.org/ns/rdfa#" resource="#p" typeof="r:Pattern">'
        "<p property=dc:title>t</p><b about=#a property=r:copy href=#p></b></div>"
    )
    assert said(page) == ['<#a> dc:title "t"']


def test_in_other_xml_nothing_is_copied() -> None:
    page = (
        '<a><p about="#p" typeof="rdfa:Pattern"/><q about="#a" property="rdfa:copy" href="#p"/></a>'
    )
    assert in_xml(page) == ["<#p> a rdfa:Pattern", "<#a> rdfa:copy <#p>"]


def test_a_long_chain_of_patterns_ends() -> None:
    page = "".join(
        f"<div resource=#{n} typeof=rdfa:Pattern><p property=rdfa:copy href=#{n + 1}></p></div>"
        for n in range(3_000)
    )
    assert said(f"{page}<p about=#a property=rdfa:copy href=#0></p>") == []
