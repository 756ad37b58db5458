import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extracted import NOWHERE, Extracted, PageJob, Targets
from gossamer.model import Detection, Evidence, Link, Refusal, Syntax, Url
from gossamer.urls import canonical

HTML = Detection(
    media_type="text/html",
    evidence=(Evidence(Syntax.RDFA, "typeof"),),
    encoding="utf-8",
    encoding_why="declared",
)


def test_quads_are_read_from_the_bytes() -> None:
    page = ox.NamedNode("https://site.test/")
    quad = ox.Quad(page, ox.NamedNode("https://site.test/p"), ox.Literal("x"), page)
    extracted = Extracted(page.value, HTML, f"{quad} .\n".encode(), 1)
    assert list(extracted.quads) == [quad]
    assert extracted.syntaxes == (Syntax.RDFA,)


def test_jobs_do_not_share_their_contexts() -> None:
    one, two = PageJob("https://site.test/1", b""), PageJob("https://site.test/2", b"")
    assert one.contexts == two.contexts == {}
    assert one.contexts is not two.contexts


BASE = Url("https://user.site.test:8443/a/b?c")
REFERENCES = st.one_of(
    st.text(),
    st.text().map("http://".__add__),
    st.sampled_from(["//[::1]/é", "http://ü.test/ü?ü#ü", "http://a:b@c.test/@?@", '?{|}^`"', "'"]),
)


@given(st.lists(st.builds(Link, REFERENCES.map(Url), nofollow=st.booleans())))
def test_targets_are_the_addresses_of_links_in_their_order(links: list[Link]) -> None:
    found = [(canonical(link.url, BASE), link.nofollow) for link in links]
    known = [Link(url, nofollow=no) for url, no in found if not isinstance(url, Refusal)]
    targets = Targets.of(known)
    assert targets.are_addresses
    vouched = [link.url for link in known if not link.nofollow]
    assert targets.urls == (vouched, [link.url for link in known if link.nofollow])


def test_a_page_that_leads_nowhere_has_no_targets() -> None:
    assert Targets.of(()) == NOWHERE
    assert NOWHERE.are_addresses
    assert NOWHERE.urls == ([], [])


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "http://",
        "http://a.test",
        "http:///x",
        "ftp://a.test/",
        "http://a.test/#x",
        "http://a@b.test/",
        "http://a.test/x y",
        "http://a.test/é",
        "http://a.test/\r",
        "http://a.test/\n",
        "\nhttp://a.test/",
        "http://a.test?/",
    ],
)
def test_a_line_that_is_no_canonical_url_is_found_out(line: str) -> None:
    assert not Targets(f"http://a.test/\n{line}\nhttp://a.test/".encode()).are_addresses
    assert not Targets(unvouched=line.encode()).are_addresses
