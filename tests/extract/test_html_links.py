import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.html_links import MAX_LABEL, html_links, html_targets
from gossamer.model import Link, Refusal, Url
from gossamer.transform.document import Document
from gossamer.urls import canonical

URL = "http://a.test/dir/page"


def links(markup: str, url: str = URL) -> list[Link]:
    return list(html_links(Document(url, markup.encode())))


@pytest.mark.parametrize(
    ("markup", "link"),
    [
        ("<a href=x#y> the  x </a>", Link(Url("http://a.test/dir/x"), "the x")),
        ("<area href=/x alt=y>", Link(Url("http://a.test/x"), "y", source="area")),
        ("<a href=/x><img alt=' y '></a>", Link(Url("http://a.test/x"), "y")),
        ("<a href=/x title=y></a>", Link(Url("http://a.test/x"), "y")),
        ("<a href=//b.test rel=NoFollow>b</a>",
         Link(Url("http://b.test/"), "b", ("nofollow",), nofollow=True)),
        ("<a href=/x rel='external ugc'>b</a>",
         Link(Url("http://a.test/x"), "b", ("external", "ugc"), nofollow=True)),
        ("<a href=/x rel=sponsored>b</a>",
         Link(Url("http://a.test/x"), "b", ("sponsored",), nofollow=True)),
        ("<a href=/x rel=noopener>b</a>", Link(Url("http://a.test/x"), "b", ("noopener",))),
        ("<link rel='Alternate' title=y href=/x>",
         Link(Url("http://a.test/x"), "y", ("alternate",), source="link")),
        ("<link rel=next href=/x>", Link(Url("http://a.test/x"), None, ("next",), source="link")),
        ("<iframe src=/x></iframe>", Link(Url("http://a.test/x"), source="iframe")),
        ("<frameset><frame src=/x></frameset>", Link(Url("http://a.test/x"), source="frame")),
        ("<meta http-equiv=Refresh content='5; URL=/x'>",
         Link(Url("http://a.test/x"), source="meta")),
        ("<meta http-equiv=refresh content=\"0;url='/x' y\">",
         Link(Url("http://a.test/x"), source="meta")),
        ("<meta http-equiv=refresh content='0, /x'>",
         Link(Url("http://a.test/x"), source="meta")),
        ("<svg><a xlink:href=/x><text>y</text></a></svg>", Link(Url("http://a.test/x"), "y")),
        ("<base href=/other/><a href=x>y</a>", Link(Url("http://a.test/other/x"), "y")),
        ("<base href=http://[x><a href=y>z</a>", Link(Url("http://a.test/dir/y"), "z")),
        ("<base href=data:,x><a href=y>z</a>", Link(Url("http://a.test/dir/y"), "z")),
        ("<a href='http://me:secret@b.test/'>b</a>", Link(Url("http://b.test/"), "b")),
    ],
)  # fmt: skip
def test_a_link_is_read_with_all_that_is_said_of_it(markup: str, link: Link) -> None:
    assert links(markup) == [link]


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        ("<ul><li><a href=/x rel=next>1<li>2<li>3</ul>", "1"),
        ("<p><a href=/x rel=next>one<p>two</a>", "one"),
        ("<p><a href=/x rel=next><p>two</a>", "two"),
        ("<p><a href=/x rel=next>one</p>two</a>", "one"),
    ],
)
def test_a_link_that_the_parser_opens_again_counts_once(markup: str, label: str) -> None:
    assert links(markup) == [Link(Url("http://a.test/x"), label, ("next",))]
    assert list(html_targets(Document(URL, markup.encode()))) == [(Url("http://a.test/x"), False)]


def test_other_links_to_the_same_page_count_each() -> None:
    markup = (
        "<a href=/x class=b>1</a><a href=/x>2</a><p><a href=/y>3</a><p><a href=/x>4<a href=/x>5"
    )
    assert [link.label for link in links(markup)] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    "markup",
    [
        "<a>x</a>",
        "<a href=mailto:a@b.test>x</a>",
        "<a href='javascript:void(0)'>x</a>",
        "<a href='http://[x/'>x</a>",
        "<img src=/x><script src=/y></script><form action=/z></form>",
        "<link rel=stylesheet href=/x><link rel='alternate stylesheet' href=/y>",
        "<link rel=icon href=/x><link itemprop=url href=/y><link rel=preload href=/z>",
        "<meta http-equiv=refresh content=5><meta http-equiv=x content='0;url=/x'>",
        "<meta http-equiv=refresh content='soon; url=/x'>",
        "<template><a href=/x>y</a></template><!-- <a href=/x>y</a> -->",
        "<svg><link rel=next xlink:href=/x></svg>",
    ],
)
def test_what_leads_to_no_page_is_no_link(markup: str) -> None:
    assert links(markup) == []


LEADING = [
    "<a href={} rel=ugc title=t>words</a>", "<a href={} src=/s>words</a>", "<a name={}>w</a>",
    "<area href={} rel='NOFOLLOW x'>", "<link rel=next href={}>", "<link rel=icon href={}>",
    "<link href={}>", "<iframe src={} href=/h></iframe>", "<img src={} href=/h>",
    "<meta http-equiv=refresh content='1;url={}'>", "<svg><a xlink:href={}>w</a></svg>",
]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(LEADING), st.sampled_from(["/x", "/y", "mailto:z"]))))
def test_targets_are_the_addresses_of_links(parts: list[tuple[str, str]]) -> None:
    document = Document(URL, "".join(part.format(address) for part, address in parts).encode())
    assert [*html_targets(document)] == [(each.url, each.nofollow) for each in html_links(document)]


def test_links_come_in_document_order_and_as_often_as_they_stand_there() -> None:
    markup = "<a href=/2>x</a><iframe src=/1></iframe><a href=/2#y>z</a><area href=/3>"
    assert [link.url[-1] for link in links(markup)] == ["2", "1", "2", "3"]


def test_a_page_without_an_address_of_its_own_has_absolute_links() -> None:
    found = links("<a href=x>x</a><a href=http://b.test/>y</a>", url="page.html")
    assert [link.url for link in found] == ["http://b.test/"]


def test_a_label_is_cut_where_it_is_a_text() -> None:
    (link,) = links(f"<a href=/x>{'word ' * 1_000}</a>")
    assert link.label is not None
    assert len(link.label) == MAX_LABEL


@given(st.text(max_size=40))
def test_every_link_has_the_canonical_address_of_its_reference(reference: str) -> None:
    escaped = reference.replace("&", "&amp;").replace('"', "&quot;")
    document = Document(URL, f'<a href="{escaped}">x</a>'.encode(errors="replace"))
    # The parser mends what HTML cannot hold; what it read is what counts.
    (node,) = document.html.css("a")
    expected = canonical(node.attributes["href"] or "", Url(URL))
    found = [link.url for link in html_links(document)]
    assert found == ([] if isinstance(expected, Refusal) else [expected])


@given(st.binary(max_size=200), st.integers(0, 150))
def test_broken_bytes_within_a_page_do_no_harm(noise: bytes, place: int) -> None:
    page = b"<base href=/b><a href=x rel=nofollow>y</a><link rel=next href=?><meta http-equiv="
    page += b"refresh content='1;url=\"z'><area href=//[::1]:99999/><frame src=http:>"
    for link in html_links(Document(URL, page[:place] + noise + page[place:])):
        assert canonical(link.url) == link.url


def test_spaces_without_end_are_no_address() -> None:
    content = "1" * 100_000 + " " * 100_000
    # Tried from every place anew, these would take hours.
    assert links(f"<meta http-equiv=refresh content='{content}'>") == []


def test_a_page_of_nothing_but_links_is_read_in_one_pass(full_size: bool) -> None:
    count = 500_000 if full_size else 20_000
    assert sum(1 for _ in html_links(Document(URL, b"<a href=/x>y" * count))) == count
