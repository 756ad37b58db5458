from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.rdfa.html_tree import html_elements
from gossamer.transform.rdfa.tree import Element, with_ancestors

TAGS = st.recursive(
    st.sampled_from(["<i property=a>t</i>", "<i>t</i>", "<i lang=en></i>"]),
    lambda inner: st.builds(
        lambda start, parts: f"<{start}>{''.join(parts)}</b>",
        st.sampled_from(["b", "b lang=de", "b typeof=x", "b about=y", "b class=z"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@given(TAGS)
def test_parents_come_first_and_are_the_nearest_that_matter(page: str) -> None:
    seen: list[Element[LexborNode]] = []
    for element in html_elements(LexborHTMLParser(page), b"vocab"):
        assert element.parent is None or element.parent in seen
        assert element.depth == (element.parent.depth + 1 if element.parent else 1)
        above = element.node.parent
        known = {each.node.mem_id: each for each in seen}
        while above is not None and above.mem_id not in known:
            above = above.parent
        assert element.parent is (known[above.mem_id] if above else None)
        seen.append(element)


def test_every_ancestor_is_looked_at_once_however_many_share_it() -> None:
    page = "<div>" * 300 + "<i property=a></i>" * 50
    asked: Counter[int] = Counter()
    nodes = LexborHTMLParser(page).css("[property]")

    def look(node: object, _: object) -> None:
        asked[node.mem_id] += 1  # type: ignore[attr-defined] # Lexbor nodes all of them

    assert with_ancestors(nodes, lambda n: n.mem_id, lambda n: n.parent, look) == []
    assert set(asked.values()) == {1}
    assert len(asked) > 350
