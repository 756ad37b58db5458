from urllib.parse import urljoin

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.iris import join, mended, unusable

BASE = "http://a/b/c/d;p?q"

# RFC 3986 section 5.4, normal and abnormal examples.
EXAMPLES = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "http:g": "http:g",
}


@pytest.mark.parametrize(("reference", "joined"), EXAMPLES.items())
def test_references_are_joined_as_the_rfc_shows(reference: str, joined: str) -> None:
    assert join(BASE, reference) == joined


def test_white_space_around_a_reference_is_no_part_of_it() -> None:
    assert join(BASE, " \n g\t") == "http://a/b/c/g"


def test_an_empty_path_of_the_base_gets_its_slash() -> None:
    assert join("http://a", "g") == "http://a/g"
    assert join("http://a?q", "g") == "http://a/g"


@given(st.text(st.sampled_from("abc/.?#;=")))
def test_it_agrees_with_the_standard_library_where_that_follows_the_rfc(reference: str) -> None:
    # urljoin drops empty segments and empty queries, and treats `//` and `;` its own way.
    if any(odd in reference for odd in ("//", "?#", ";", "/../", "..")) or reference.endswith(
        ("?", "#")
    ):
        return
    assert join("http://a/b/c/d", reference) == urljoin("http://a/b/c/d", reference)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://example.org/{x}|<y>", "http://example.org/%7Bx%7D%7C%3Cy%3E"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/#a#b", "http://example.org/#a%23b"),
        ("http://example.org/é", "http://example.org/é"),
        ("urn:isbn:123", "urn:isbn:123"),
        ("mailto:a@b", "mailto:a@b"),
        ("tag:a,2020:x\n", "tag:a,2020:x%0A"),
        ("relative/path", None),
        ("", None),
        ("http://[oops/", None),
        ("http://a:port/", None),
        ("http://a b/", None),
        ("http://[::1]:80/[x]", "http://[::1]:80/%5Bx%5D"),
        ("http://a/\ud800", None),
        ("http://a@b@c/", None),
    ],
)
def test_an_iri_is_mended_as_browsers_do_or_refused(text: str, good: str | None) -> None:
    assert mended(text) == good


@given(st.text())
def test_what_is_mended_is_an_iri_for_others_too(text: str) -> None:
    for candidate in (text, f"http://a.test/{text}", f"x:{text}", f"http://{text}/"):
        good = mended(candidate)
        if good is not None:
            triple = f"<{good}> <x:p> <x:o> .".encode()
            (quad,) = pyoxigraph.parse(triple, pyoxigraph.RdfFormat.N_TRIPLES)
            assert isinstance(quad.subject, pyoxigraph.NamedNode)
            assert quad.subject.value == good
            assert mended(good) == good


@given(st.text(), st.text())
def test_joining_never_raises(base: str, reference: str) -> None:
    assert isinstance(join(base, reference), str)


def test_a_problem_repeats_nothing_unprintable() -> None:
    assert unusable("a\x00b") == '"a\\u0000b" is no IRI; the statement is left out.'
