import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.base import Base
from gossamer.model import Refusal, Url
from gossamer.urls import canonical

BASES = ("http://a.test/", "https://a.test:8443/b/c?d=e", "http://[::1]/x", "http://a.b/")
PIECES = (
    *("/", "//", ".", "..", "a", "B9", "-_~", "+,", "?", "&", "=", ":", "@", "%", "%2e", "%2E"),
    *("#", " ", "\n", "\\", "\0", "é", "'", ";", "*", "|", "^", "http:", "{", "a.b", "/.", "xn--"),
)


@given(st.sampled_from(BASES), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_every_reference_is_joined_to_its_canonical_form(base: str, reference: str) -> None:
    url = Url(base)
    assert Base(url).joined(reference) == canonical(reference, url)


@given(st.sampled_from(BASES), st.text(max_size=20))
def test_any_text_is(base: str, text: str) -> None:
    url = Url(base)
    assert Base(url).joined(f"/{text}") == canonical(f"/{text}", url)


def test_without_a_base_a_reference_leads_nowhere() -> None:
    assert isinstance(Base(None).joined("/x"), Refusal)
    assert Base(None).joined("http://a.test") == "http://a.test/"


@pytest.mark.parametrize("piece", ["a", "a/", "a.", "/", "+"])
def test_a_long_reference_is_read_once(piece: str) -> None:
    url = Url("http://a.test/")
    for length in (1_999, 60_000, 100_000):
        reference = f"/{piece * (length // len(piece))} "
        assert Base(url).joined(reference) == canonical(reference, url)
