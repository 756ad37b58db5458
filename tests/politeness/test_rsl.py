"""RSL documents: what they permit, by path and use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Url
from gossamer.politeness.rsl import MAX_RSL_BYTES, RslFile

FILE = Url("http://a.test/license.xml")
HEAD = '<rsl xmlns="https://rslstandard.org/rsl">'


def said(contents: str, path: str = "/x", head: str = HEAD) -> dict[str, str]:
    """The uses that a document speaks of, with what it says of each."""
    file = RslFile.parse(f"{head}{contents}</rsl>".encode(), FILE)
    usage = file.usage_of(Url("http://a.test" + path))
    return dict(each.value.split("=") for each in usage)


def content(licence: str, attributes: str = 'url="/"') -> str:
    return f"<content {attributes}><license>{licence}</license></content>"


def allowed(contents: str, path: str = "/x") -> set[str]:
    return {use for use, value in said(contents, path).items() if value == "y"}


EVERY = {"search", "ai-input", "ai-index", "train-ai", "text-mining"}
AI = {"ai-input", "ai-index", "train-ai"}


@pytest.mark.parametrize(
    ("licence", "uses"),
    [
        ("", EVERY),  # no word of uses, and no payment
        ('<payment type="free"/>', EVERY),
        ('<payment type="attribution"/>', EVERY),
        ('<permits type="usage">search</permits>', {"search"}),
        ('<permits type="usage">search ai-input</permits>', {"search", "ai-input"}),
        ('<permits type="usage">search,ai-input</permits>', {"search", "ai-input"}),
        ('<permits type="usage">search</permits><permits>ai-input</permits>', {"search", "ai-input"}),
        ('<permits type="usage">all</permits>', EVERY),
        ('<permits type="usage">ai-all</permits>', AI),
        ('<permits type="usage">something-new</permits>', set()),
        ('<prohibits type="usage">ai-train</prohibits>', EVERY - {"train-ai"}),
        ('<prohibits type="usage">ai-all</prohibits>', EVERY - AI),
        ('<prohibits type="usage">all</prohibits>', set()),
        ('<permits type="usage">all</permits><prohibits type="usage">search</prohibits>', EVERY - {"search"}),
        ('<payment type="crawl"><amount currency="USD">0.01</amount></payment>', set()),
        ('<payment type="subscription"/>', set()),
        ('<payment type="unheard-of"/>', set()),
        ('<payment type="training"/>', EVERY - {"train-ai"}),
        ('<payment type="use"/>', EVERY - {"ai-input", "ai-index"}),
        ('<permits type="usage">search</permits><payment type="training"/>', {"search"}),
        ('<permits type="usage">search</permits><permits type="user">non-commercial</permits>', set()),
        ('<permits type="geo">US EU</permits>', set()),
        ('<prohibits type="geo">US</prohibits>', set()),
        ('<permits type="usage">search</permits><x:y xmlns:x="urn:x">ai-train</x:y>', {"search"}),
    ],
)  # fmt: skip
def test_what_one_licence_allows(licence: str, uses: set[str]) -> None:
    assert allowed(content(licence)) == uses
    assert set(said(content(licence))) == EVERY


def test_of_several_licences_one_without_payment_is_enough_unless_another_prohibits() -> None:
    free = '<license><permits type="usage">search</permits></license>'
    paid = '<license><permits type="usage">search ai-train</permits><payment type="purchase"/></license>'
    never = '<license><prohibits type="usage">search</prohibits></license>'
    assert allowed(f'<content url="/">{free}{paid}</content>') == {"search"}
    assert allowed(f'<content url="/">{paid}{free}</content>') == {"search"}
    assert allowed(f'<content url="/">{free}{never}</content>') == EVERY - {"search"}


def test_the_content_with_the_longest_path_counts() -> None:
    both = content('<prohibits type="usage">all</prohibits>') + content("", 'url="/open/*"')
    assert allowed(both, "/x") == set()
    assert allowed(both, "/open/x") == EVERY
    assert said(content("", 'url="/open/*"'), "/x") == {}
    assert allowed(content("", 'url="https://a.test/open/"'), "/open/1") == EVERY


@pytest.mark.parametrize(
    "attributes", ['url="/" server="https://olp.test"', 'url="/" encrypted="true"']
)
def test_where_a_token_is_demanded_nothing_is_allowed(attributes: str) -> None:
    assert allowed(content("", attributes)) == set()


def test_why_a_use_is_disallowed_is_told() -> None:
    def note(licence: str) -> str:
        file = RslFile.parse(f"{HEAD}{content(licence)}</rsl>".encode(), FILE)
        return file.usage_of(Url("http://a.test/"))[0].note

    assert note('<payment type="crawl"/>') == "Payment is demanded (crawl)."
    assert note('<permits type="usage">ai-train</permits>') == "No licence permits it."


BOMB = "<!DOCTYPE rsl [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no XML at all",
        b"<html><body>Not found</body></html>",
        b"<rsl>",
        f"{BOMB}{HEAD}{content('')}</rsl>".encode(),
        f"{HEAD}{content('')}{' ' * MAX_RSL_BYTES}</rsl>".encode(),
        f"{HEAD}{'<a>' * 10_000}{'</a>' * 10_000}</rsl>".encode(),
        f"{HEAD}<content url='/'/></rsl>".encode(),
        b'<rss version="2.0"><channel/></rss>',
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_licence_says_nothing(body: bytes) -> None:
    assert RslFile.parse(body, FILE) == RslFile()


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    file = RslFile.parse(
        f"{HEAD}<content url='{text}'><license>{text}".encode(errors="replace"), FILE
    )
    file.usage_of(Url("http://a.test/"))
