import pytest
from tests.transform.rdfa.saying import said


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<p typeof=foaf:Person></p>", ["_:1 a foaf:Person"]),
        ("<p about=#a typeof=foaf:Person></p>", ["<#a> a foaf:Person"]),
        ("<p resource=#a typeof=foaf:Person></p>", ["<#a> a foaf:Person"]),
        ("<a href=#a typeof=foaf:Person></a>", ["<#a> a foaf:Person"]),
        ("<img src=#a typeof=foaf:Image>", ["<#a> a foaf:Image"]),
        (
            "<p property=foaf:knows typeof=foaf:Person></p>",
            ["_:1 a foaf:Person", "<> foaf:knows _:1"],
        ),
        (
            "<p property=foaf:knows typeof=foaf:Person resource=#a></p>",
            ["<#a> a foaf:Person", "<> foaf:knows <#a>"],
        ),
        (
            "<p about=#a property=foaf:name typeof=foaf:Person>n</p>",
            ["<#a> a foaf:Person", '<#a> foaf:name "n"'],
        ),
        (
            "<p property=foaf:name content=n typeof=foaf:Person></p>",
            ["_:1 a foaf:Person", '_:1 foaf:name "n"'],
        ),
        ("<a rel=foaf:knows href=#a typeof=foaf:Person></a>", ["<#a> a foaf:Person", "<> foaf:knows <#a>"]),
        ("<p rel=foaf:knows typeof=foaf:Person></p>", ["_:1 a foaf:Person", "<> foaf:knows _:1"]),
        ("<p about=#s rel=foaf:knows typeof=foaf:Person href=#a>", ["<#s> a foaf:Person", "<#s> foaf:knows <#a>"]),
        ("<a rev=foaf:knows href=#a></a>", ["<#a> foaf:knows <>"]),
        ("<a rel=foaf:knows rev=foaf:made href=#a>", ["<> foaf:knows <#a>", "<#a> foaf:made <>"]),
        ("<p property=foaf:page href=#a>t</p>", ["<> foaf:page <#a>"]),
        ("<a property=foaf:name content=n href=#a>t</a>", ['<#a> foaf:name "n"']),
        ("<a property=foaf:name datatype='' href=#a>t</a>", ['<#a> foaf:name "t"']),
    ],
)  # fmt: skip
def test_who_speaks_of_what(page: str, found: list[str]) -> None:
    assert said(page) == found


@pytest.mark.parametrize("tag", ["html", "head", "body"])
def test_the_outermost_elements_speak_of_the_page(tag: str) -> None:
    assert said(f"<{tag} typeof=foaf:Document property=dc:title>")[0] == "<> a foaf:Document"


def test_a_head_further_in_is_an_element_like_others() -> None:
    page = '<a about="#x"><b about="#y"><body typeof="foaf:Document"/></b></a>'
    xhtml = f'<html xmlns="http://www.w3.org/1999/xhtml">{page}</html>'
    assert said(xhtml, "application/xhtml+xml")[0] == "_:1 a foaf:Document"
