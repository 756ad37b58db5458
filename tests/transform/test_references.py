import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.transform.iris import join
from gossamer.transform.references import References
from gossamer.transform.terms import iri

BASES = (
    "http://a.test/dir/page?q#f",
    "https://a.test:8080",
    "http://a.test?q",
    "http://user@a.test/",
    "http://\xe4.test/",
    "http://[x/",
    "http://a.test\n/",
    "urn:x:y",
    "file:///x/y",
)


@given(st.sampled_from(BASES), st.text("/.:?#%[]<a1 \n\xe4", max_size=8))
@example(BASES[0], "/a/../b")
@example(BASES[0], "/.")
@example(BASES[0], "//b.test/")
@example(BASES[0], "/a?b=/c#d")
@example(BASES[0], "/a\n")
@example(BASES[0], "/a#b#c")
def test_a_reference_names_what_it_is_joined_to(base: str, reference: str) -> None:
    assert References(base).term(reference) == iri(join(base, reference))


@pytest.mark.parametrize("reference", ["/a", "a", "http://b.test/", "http://[x"])
def test_it_names_the_same_again(reference: str) -> None:
    references = References(BASES[0])
    assert references.term(reference) is references.term(reference)
