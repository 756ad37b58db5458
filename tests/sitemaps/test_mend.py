import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Problem
from gossamer.sitemaps.mend import MAX_SLIPS, mend
from gossamer.sitemaps.unpack import Cut


def mended(*texts: str) -> str:
    return "".join(part for part in mend(texts) if isinstance(part, str))


def problems(*texts: str) -> list[Problem]:
    return [part for part in mend(texts) if isinstance(part, Problem)]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("?a=1&b=2&c", "?a=1&amp;b=2&amp;c"),
        ("&&", "&amp;&amp;"),
        ("&lt=3", "&amp;lt=3"),
        ("&nbsp;&lol9;", "&amp;nbsp;&amp;lol9;"),
        ("&#;&#x;&#xg;&#X41;", "&amp;#;&amp;#x;&amp;#xg;&amp;#X41;"),
        ("a < b <3 <", "a &lt; b &lt;3 &lt;"),
        ("<![CDATA[a&b<3]]>&c", "<![CDATA[a&b<3]]>&amp;c"),
        ("<!x </ ></3>", "&lt;!x &lt;/ >&lt;/3>"),
    ],
)
def test_slips_become_text(text: str, result: str) -> None:
    assert mended(text) == result
    assert len(problems(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "&amp;&lt;&gt;&quot;&apos;&#38;&#x26;",
        "<a b='c'><d:e/></a><é/><_x/>",
        "<!-- c --><!DOCTYPE a><?pi?><![CDATA[&]]>",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert mended(text) == text
    assert problems(text) == []


def test_the_first_slip_is_told_with_its_line() -> None:
    [problem] = problems("<a>\n&amp;\n", "<![CDATA[&\n]]>\n", "x & y\n &")
    assert problem.line == 5


def test_work_on_junk_has_an_end() -> None:
    blocks = ["&" * 65_536] * (2 * MAX_SLIPS // 65_536)
    parts = list(mend(blocks))
    assert len(parts) < len(blocks)
    assert any(isinstance(part, Cut) for part in parts)


@given(
    st.lists(
        st.sampled_from(
            ["&", "amp;", "<", "![CDATA[", "]", "]>", "a", "#x2", "6;", "\n", "!", "--"]
        ),
        max_size=30,
    )
)
def test_where_a_text_is_cut_does_not_matter(pieces: list[str]) -> None:
    whole = "".join(pieces)
    assert mended(*pieces) == mended(*whole) == mended(whole)
    assert problems(*pieces) == problems(whole)


@given(st.text())
def test_mending_twice_is_mending_once(text: str) -> None:
    assert mended(mended(text)) == mended(text)
