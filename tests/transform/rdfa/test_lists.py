import pyoxigraph as ox
import pytest
from tests.transform.rdfa.saying import said

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements

ITEM = '<li property="dc:title" inlist>{}</li>'


def lists(page: str) -> dict[str, list[str]]:
    """The lists of a page, by subject."""
    dataset = ox.Dataset(
        ox.parse(
            "\n".join(
                f"{item} ." for item in rdfa_statements(Document("http://p.test/", page.encode()))
            ),
            format=ox.RdfFormat.N_TRIPLES,
        )
    )
    triples = {(str(q.subject), str(q.predicate).rpartition("#")[2]): q.object for q in dataset}
    found: dict[str, list[str]] = {}
    for (subject, predicate), cell in list(triples.items()):
        if predicate.endswith("title>"):
            members = found.setdefault(subject, [])
            while (str(cell), "first>") in triples:
                members.append(str(triples[str(cell), "first>"]))
                cell = triples[str(cell), "rest>"]
            assert str(cell).endswith("nil>")
    return found


def test_members_stand_in_document_order() -> None:
    page = ITEM.format("a") + f"<ul>{ITEM.format('b')}</ul>" + ITEM.format("c")
    assert lists(page) == {"<http://p.test/>": ['"a"', '"b"', '"c"']}


def test_a_new_subject_opens_a_list_of_its_own() -> None:
    page = f'{ITEM.format("a")}<div about="#x">{ITEM.format("b")}</div>{ITEM.format("c")}'
    assert lists(page) == {"<http://p.test/#x>": ['"b"'], "<http://p.test/>": ['"a"', '"c"']}


def test_the_object_of_a_link_has_one_list_for_all_its_members() -> None:
    page = f'<div rel="dc:source" resource="#o">{ITEM.format("a")}<b lang="">{ITEM.format("b")}</b></div>'
    assert lists(page) == {"<http://p.test/#o>": ['"a"', '"b"']}


def test_a_list_is_said_as_soon_as_its_element_has_ended() -> None:
    page = f'<div about="#x">{ITEM.format("a")}</div><p property="dc:date">d</p>'
    assert said(page)[-1] == '<> dc:date "d"'


def test_a_list_that_nobody_joins_is_empty() -> None:
    assert said('<p rel="dc:source" inlist></p>') == ["<> dc:source rdf:nil"]


def test_links_that_wait_fill_their_list() -> None:
    page = '<ul rel="dc:source" inlist><li><a href="#a">a</a></li><li><a href="#b">b</a></li></ul>'
    assert said(page) == [
        *("<> dc:source _:2", "_:2 rdf:first <#a>", "_:2 rdf:rest _:3"),
        *("_:3 rdf:first <#b>", "_:3 rdf:rest rdf:nil"),
    ]


@pytest.mark.parametrize("depth", [3, 60])
def test_nested_lists_end_with_their_elements(depth: int) -> None:
    page = "".join(f'<div about="#{n}">{ITEM.format(n)}' for n in range(depth))
    page += "</div>" * depth + ITEM.format("last")
    found = lists(page)
    assert len(found) == depth + 1
    assert found["<http://p.test/>"] == ['"last"']
    assert Options().max_depth > 2 * depth
