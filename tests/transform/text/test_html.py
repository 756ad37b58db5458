"""The visible text of HTML pages: what is the main part, and what is not."""

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.text.html import take_text
from gossamer.transform.text.page_text import LEAD_CHARACTERS, PageText

STORY = (
    "The lighthouse keeper counted the ships that passed in the night, and wrote them down. " * 5
)


def text_of(markup: str, *, is_full: bool = False) -> PageText:
    return take_text(LexborHTMLParser(markup), is_full=is_full)


def test_a_page_has_a_title_headings_and_a_main_part() -> None:
    found = text_of(
        f"""<html lang=en-GB><title> The
        keeper </title><body><header>Site of ships</header><nav><a href=/>Home</a></nav>
        <main><h1>The keeper</h1><p>{STORY}</p><h2>Ships</h2><p>None.</p>
        <aside>Buy a lamp!</aside></main><footer>Imprint</footer>"""
    )
    assert found.title == "The keeper"
    assert found.headings == ("The keeper", "Ships")
    assert found.main == f"The keeper {STORY}Ships None."
    assert (found.rest, found.language, found.is_cut) == ("", "en-gb", False)


def test_without_a_main_element_boilerplate_is_told_by_what_it_is_and_is_called() -> None:
    found = text_of(
        f"""<body><div class="cookie-note">We use cookies.</div><div role=navigation>Menu</div>
        <div class="page has-sidebar"><ul><li><a href=/a>One</a><li><a href=/b>Two</a><li><a href=/c>Three</a></ul>
        <p>{STORY}</p><ul><li>A lamp, of which <a href=/a>more</a><li>A rope<li>A boat</ul>
        <p hidden>Never</p><p data-nosnippet>Do not show</p><script>let never</script></div>
        <div id=footer>All rights reserved</div>"""
    )
    assert found.main == f"{STORY}A lamp, of which more A rope A boat"


def test_an_element_that_has_nearly_all_of_the_text_stays_whatever_it_is_called() -> None:
    assert text_of(f"<body><div class=no-sidebar-footer><p>{STORY}</p></div>").main == STORY.strip()


def test_a_main_element_with_hardly_any_text_is_not_believed() -> None:
    assert text_of(f"<body><main>Loading…</main><div><p>{STORY}</p></div>").main.endswith("down.")


def test_of_several_articles_the_longest_is_the_main_part() -> None:
    found = text_of(f"<article>Short</article><article>{STORY}</article><article>Brief</article>")
    assert found.main == STORY.strip()


def test_the_lead_ends_with_a_word_and_all_of_the_text_has_the_rest_too() -> None:
    page = f"<nav>Elsewhere in brass</nav><p>{STORY * 40}</p><p>Sphinx</p>"
    lead, full = text_of(page), text_of(page, is_full=True)
    assert LEAD_CHARACTERS - 100 < len(lead.main) <= LEAD_CHARACTERS
    assert lead.is_cut
    assert (STORY * 40).startswith(lead.main)
    assert full.main.endswith("Sphinx")
    assert full.rest.startswith("Elsewhere in brass")
    assert not full.is_cut


def test_a_page_that_states_no_language_has_it_recognised() -> None:
    assert text_of(f"<p>{STORY}</p>").language == "en"
    assert text_of(f"<html lang='x y'><p>{STORY}</p>").language == "en"


def test_elements_that_match_in_several_ways_and_stand_in_each_other_are_removed_once() -> None:
    nested = "<nav hidden role=menu aria-hidden=true><nav role=navigation hidden>x</nav></nav>"
    assert text_of(f"<body hidden role=dialog>{nested}<p>{STORY}</p>").main == STORY.strip()


PIECES = st.sampled_from(
    [
        "<main>",
        "</main>",
        "<article>",
        "<nav",
        "hidden>",
        "</nav>",
        "<ul>",
        "<li>",
        "<a",
        "href=x>",
        "</a>",
        "word",
        "<table>",
        "<td>",
        "</table>",
        "<header>",
        "<div",
        "class=footer>",
        "</div>",
        "<aside",
        "role=menu>",
        "<h1>",
        "</h1>",
        "<script>",
        "</script>",
        "<svg>",
        "<p>",
        "<template>",
        "</template>",
        "<title>",
        "</title>",
        "<body",
        "role=dialog>",
        "<frameset>",
        "<select>",
        "<option>",
        "<!--",
        "-->",
    ]
)


@given(st.lists(PIECES, max_size=60).map(" ".join), st.booleans())
def test_no_markup_is_beyond_reading(markup: str, is_full: bool) -> None:
    found = text_of(markup, is_full=is_full)
    assert PageText.unpack(found.pack()) == found
