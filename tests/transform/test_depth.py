import pytest

from gossamer.transform.depth import DEEPEST, FEW, MANY, is_harmless, shallow


@pytest.mark.parametrize("element", ["div", "SECTION", "table", "custom-x"])
def test_what_nests_without_end_is_cut(element: str) -> None:
    deep = f"<{element}>" * 100_000
    assert shallow(deep) == f"<{element}>" * DEEPEST
    assert shallow(deep + f"</{element}>" * 100_000) == f"<{element}>" * DEEPEST


@pytest.mark.parametrize(
    "page",
    [
        "<p>" * 100_000,
        "<li><img src=x><br>" * 50_000,
        "<div><span>x</span></div>" * 50_000,
        "<div>" * (DEEPEST - 1) + "</div>" * 100_000,
        "</div>" * 100_000 + "<div>" * 10,
        "<" * 100_000,
    ],
)
def test_a_long_page_that_is_not_deep_stays_whole(page: str) -> None:
    assert shallow(page) == page


def test_an_ordinary_page_is_not_looked_into() -> None:
    assert is_harmless(b"<p>x</p>" * (MANY // 2 + 1))
    assert is_harmless(b"<div>" * FEW)
    assert not is_harmless(b"<div>" * (FEW + 1))
    odd = b"<math></math>"
    assert is_harmless(odd + b"<p>x</p>" * (MANY // 2 - 1))
    assert not is_harmless(odd + b"<p>x</p>" * (MANY // 2))
    assert not is_harmless(odd + b"<i a=1>x</i>" * (FEW // 2 + 1))


@pytest.mark.parametrize(
    "unit",
    [
        "<div></x>",
        "<div><marquee></div>",
        "<div><!-- </div> -->",
        "<div><title></div></title>",
        "<div><script></div></script>",
        "<div><script><!--<script></script></div>--></script>",
        "<div a='</div>'>",
        "<svg><option>",
        "<svg><g a='/>'>",
        "<svg><g><![CDATA[></g>]]>",
        "<svg><style></svg><div>",
        "<svg><title></style></svg><div>",
        "<svg><title><style></title></svg><div>",
        "<span><div></span>",
        "<select><title></select><div></title>",
        "<div><![x </div>",
        "<rt>",
        "<optgroup>",
        "<li><dd>",
        "<form><span></form>",
        "<tr><span></tr>",
        "<noscript><div></noscript>",
        "<span><p></span></p>",
        "<li><ul></li>",
        "<image><span></image>",
        "<mi><hgroup></mi>",
    ],
)
def test_no_end_tag_of_nobody_hides_what_is_open(unit: str) -> None:
    assert len(shallow(unit * 10_000)) < len(unit) * 2.5 * DEEPEST


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>x<td>y<tr><td>z</table>" * 5_000,
        "<a name=x>y" * 50_000,
        "<b>x<font size=2>y" * 900,
        "<svg><path d='x'/><path/></svg>" * 10_000,
        "<div><svg><TITLE>x</title ><style>a{}</STYLE><path/></svg></div>" * 10_000,
        "<i class='a'></i>" * 20_000,
        "<script>'<div>'</script>" * 10_000,
        "<ul><li>x<li>y</ul>" * 10_000,
        "<dl><dt>x<dd>y</dl>" * 10_000,
        "<dl><dt><div>x<dd>y</dl>" * 10_000,
        "<p><span>x<div>y</div>" * 10_000,
        "<ruby>x<rp>(</rp><rt>y<rp>)</ruby>" * 10_000,
        "<form><div>x</form></div>" * 10_000,
    ],
)
def test_what_closes_itself_is_not_taken_for_open(page: str) -> None:
    assert shallow(page) == page


def test_formatting_that_nobody_closes_is_cut() -> None:
    unclosed = "".join(f"<b a={i}>" for i in range(1000))
    page = f"<div>{unclosed}</div>" + "<div>x</div>" * 1000
    assert len(shallow(page)) < 1_000
    # Not even where end tags are out of reach.
    assert len(shallow(f"<div>{'<b a=%s><object></b></object>' * 1000}" % (*range(1000),))) < 4_000


def test_a_tag_with_too_many_attributes_is_cut() -> None:
    attributes = " ".join(f"a{i}='<>'" for i in range(50_000))
    page = f"<p>x</p><p {attributes}>y"
    assert not is_harmless(page.encode())
    assert shallow(page) == "<p>x</p>"
    bodies = "".join(f"<body a{i}>" for i in range(5_000))
    assert not is_harmless(bodies.encode())
    assert len(shallow(bodies)) < len(bodies)


@pytest.mark.parametrize(
    "page",
    [
        "<a" * 200_000,
        ("<a " * 900 + ">") * 200,
        "<a b=" + "<a " * 900 + "'" + "x" * 1_000_000,
        "<a b='" * 900 + '"' + "x" * 1_000_000,
    ],
)
def test_tags_in_tags_are_not_looked_at_again_and_again(page: str) -> None:
    # Which takes minutes, where it is done.
    assert not is_harmless(page.encode())
    assert len(shallow(page)) < len(page)


def test_tags_that_a_script_seems_to_hide_are_looked_at() -> None:
    attributes = " ".join(f"a{i}" for i in range(100_000))
    page = f"<script>'<b x=\"'</script><div {attributes} \">"
    assert not is_harmless(page.encode())
    assert shallow(page).endswith("</script>")
