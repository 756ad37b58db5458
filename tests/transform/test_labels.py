import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.labels import Labels


def labels(markup: str) -> list[str]:
    known = Labels()
    return [known.of(node) for node in LexborHTMLParser(markup).css("a")]


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        ("<a> the <b>tea</b>\n pot </a>", "the tea pot"),
        ("<a><img alt=''><img alt=' a\n b '><img alt=c></a>", "a b"),
        ("<a>x<img alt=y></a>", "x"),
        ("<a></a>", ""),
    ],
)
def test_a_label_is_the_text_of_a_link_or_of_its_picture(markup: str, label: str) -> None:
    assert labels(markup) == [label]


def test_a_link_within_a_link_has_none() -> None:
    assert labels("<svg><a>x<g><a>y</a></g></a><a>z</a></svg>") == ["xy", "", "z"]


def test_links_ten_thousand_deep_are_read_once(full_size: bool) -> None:
    count = 100_000 if full_size else 20_000
    # Each from the bottom anew would be 200 million texts.
    found = labels("<svg>" + "<a>x" * count)
    assert found == ["x" * count, *[""] * (count - 1)]
