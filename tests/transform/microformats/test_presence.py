import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.document import Document
from gossamer.transform.microformats.json_model import microformats_json
from gossamer.transform.microformats.presence import may_hold_microformats
from gossamer.transform.microformats.vocabulary import VOCABULARY


def may_hold(page: str, encoding: str = "utf-8") -> bool:
    return may_hold_microformats(
        Document("http://a.test/", page.encode(encoding), encoding=encoding)
    )


@pytest.mark.parametrize(
    "page",
    [
        '<p class="h-card">',
        "<p class='x h-entry y'>",
        "<p class=vcard>",
        "<p class=vcard id=x>",
        '<p CLASS = "hentry">',
        "<p Class='\n\tgeo\n'>",
        '<p class="[&>svg]:size-4 h-event">',
        '<p class="a"><p class="h-review-aggregate">',
    ],
)
def test_a_page_that_names_a_microformat_is_looked_into(page: str) -> None:
    assert may_hold(page)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "h-card vcard",
        '<p class="h-4 h-full h-screen h-px min-h-card">',
        '<p class="vcard-x xvcard h-cards geography">',
        "<style>.h-entry, .vcard { color: red }</style>",
        '<script>x = "class=\\"h-card\\""</script>',
        '<p id="h-card" data-x="vcard">',
        "<p class=h-4><a href=/h-card>",
    ],
)
def test_a_page_that_only_looks_like_it_is_not(page: str) -> None:
    assert not may_hold(page)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "iso-8859-1", "shift_jis"])
def test_the_encoding_does_not_matter(encoding: str) -> None:
    assert may_hold('<p class="h-card">x', encoding)


names = st.sampled_from([*VOCABULARY, "vcard", "hentry", "h-full", "h-4", "p-name", "x", "value"])
attributes = st.builds(
    lambda words, blank, quote, equals: f"class{equals}{quote}{blank.join(words)}{quote}",
    st.lists(names, max_size=4),
    st.sampled_from([" ", "\n", "\t ", "\f"]),
    st.sampled_from(['"', "'"]),
    st.sampled_from(["=", " = ", "\n="]),
)


@given(st.lists(attributes, max_size=4))
def test_nothing_that_means_something_is_overlooked(tags: list[str]) -> None:
    document = Document("http://a.test/", "".join(f"<p {tag}>" for tag in tags).encode())
    types = {type_ for item in microformats_json(document)["items"] for type_ in item["type"]}
    assert may_hold_microformats(document) == bool(types & VOCABULARY.keys())


def test_bytes_that_are_no_utf_8_may_stand_before_a_name() -> None:
    assert may_hold('<p class="café h-card">', "cp1252")
