"""Pages that say little, again and again: work has a limit, and what was said before it is kept."""

import pytest

from gossamer import Page, extract
from gossamer.config import Transform
from gossamer.transform.microdata.skeleton import MOST_VISITS

OPTIONS = Transform(max_quads=1_000, max_nquads_bytes=1 << 20)


def read(body: bytes, *syntaxes: str, media_type: str = "text/html") -> Page:
    return extract(
        body, url="http://h.test/", content_type=media_type, syntaxes=syntaxes, options=OPTIONS
    )


def messages(found: Page) -> str:
    return " ".join(problem.message for problem in found.problems)


def test_statements_that_repeat_count_towards_the_limit() -> None:
    line = b"<http://h.test/a> <http://h.test/b> <http://h.test/c> .\n"
    found = read(line * 5_000, "turtle", media_type="text/turtle")
    assert found.count == 1
    assert "repeats itself without end" in messages(found)


def test_a_long_statement_may_be_repeated_less_often() -> None:
    line = b'<http://h.test/a> <http://h.test/b> "%b" .\n' % (b"x" * 10_000)
    assert "repeats itself" in messages(read(line * 150, "turtle", media_type="text/turtle"))
    assert "repeats itself" not in messages(read(line * 50, "turtle", media_type="text/turtle"))


REL = b" ".join(b"http://h.test/p%d" % i for i in range(100))


@pytest.mark.parametrize("lists", [b"", b"inlist"])
def test_links_that_wait_meet_a_limit_before_their_objects_are_made(lists: bytes) -> None:
    children = b'<i about="http://h.test/o"></i>' * 100
    found = read(b'<div rel="%b" %b>%b</div>' % (REL, lists, children), "rdfa")
    assert found.count
    assert "wait for too many objects" in messages(found)


def test_many_properties_with_one_long_text_meet_a_limit() -> None:
    text = b"x" * 100_000
    found = read(b'<p property="%b">%b</p>' % (REL, text), "rdfa")
    assert 1 <= found.count <= 20
    assert "bytes" in messages(found)


@pytest.mark.parametrize(
    ("syntax", "tag"),
    [
        ("rdfa", b'<b property="http://h.test/p">'),
        ("microdata", b'<b itemprop="http://h.test/p">'),
        ("microdata", b'<time itemprop="http://h.test/p">'),
    ],
)
def test_text_within_text_is_repeated_to_a_limit(syntax: str, tag: bytes) -> None:
    found = extract(
        b"<div itemscope>" + tag * 300 + b"x" * 50_000,
        url="http://h.test/",
        content_type="text/html",
        syntaxes=[syntax],
    )
    assert found.count
    assert "repeat too much text" in messages(found)


def test_a_block_that_many_items_refer_to_is_looked_through_so_often() -> None:
    # Properties without names say nothing, so no limit on statements would help.
    block = b"<div id=b>" + b'<a itemprop=""></a>' * 1_000 + b"</div>"
    items = b'<p itemscope itemref="b"></p>' * (MOST_VISITS // 1_000 + 10)
    found = read(block + items, "microdata")
    assert "too many elements by itemref" in messages(found)
