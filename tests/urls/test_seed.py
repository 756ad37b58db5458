import pytest
from hypothesis import given
from tests.urls.strategies import any_text, urls

from gossamer.model import Refusal, Url
from gossamer.urls.canonical import canonical
from gossamer.urls.seed import plain_forms, seed


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("example.org", "https://example.org/"),
        (" Example.org/path?q#part \n", "https://example.org/path?q"),
        ("example.org:8443/x", "https://example.org:8443/x"),
        ("//example.org/x", "https://example.org/x"),
        ("alice@example.org", "https://example.org/"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
        ("http://example.org", "http://example.org/"),
        ("https://shop.test", "https://shop.test/"),
    ],
)
def test_a_seed_without_scheme_is_https(typed: str, meant: str) -> None:
    assert seed(typed) == meant


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("example.org", "http://example.org/"),
        (" Example.org/path?q#part \n", "http://example.org/path?q"),
        ("//example.org/x", "http://example.org/x"),
        ("example.org:8443/x", "http://example.org:8443/x"),
        ("example.org:443", None),
        ("example.org:80", None),
        ("shop.test", None),
        ("https://example.org", None),
        ("http://example.org", None),
        ("mailto:alice@example.org", None),
        ("/path", None),
    ],
)
def test_only_where_the_scheme_was_left_out_may_http_serve_too(
    typed: str, plain: str | None
) -> None:
    assert plain_forms([typed]) == ({seed(typed): plain} if plain else {})


def test_a_seed_that_is_named_with_its_scheme_too_is_meant_so() -> None:
    typed = ["example.org", "https://Example.org", "example.org/x"]
    assert plain_forms(typed) == {"https://example.org/x": "http://example.org/x"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("localhost:8000", "http://localhost:8000/"),
        ("api.localhost", "http://api.localhost/"),
        ("127.0.0.1:8099/x", "http://127.0.0.1:8099/x"),
        ("[::1]:8000", "http://[::1]:8000/"),
        ("shop.test", "http://shop.test/"),
        ("shop.test.", "http://shop.test./"),
    ],
)
def test_what_seldom_has_a_certificate_is_http(typed: str, meant: str) -> None:
    assert seed(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("example.org:80", "http://example.org/"),
        ("[::1]:80", "http://[::1]/"),
        ("example.org:443", "https://example.org/"),
        ("localhost:443", "https://localhost/"),
    ],
)
def test_a_port_that_belongs_to_a_scheme_names_it(typed: str, meant: str) -> None:
    assert seed(typed) == meant


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("mailto:alice@example.org", "url-scheme"),
        ("tel:5551", "url-scheme"),
        ("ftp://example.org", "url-scheme"),
        ("alice:pass@example.org", "url-scheme"),
        ("/tmp/page.html", "url-invalid"),
        ("./page.html", "url-invalid"),
        ("", "url-invalid"),
        ("two words", "url-invalid"),
        ("ht!tp://foo bar", "url-invalid"),
        ("a!b.test", "url-invalid"),
        ("example.org:99999", "url-invalid"),
        ("a" * 1_000_000, "url-length"),
    ],
)
def test_what_is_no_web_address_is_refused(typed: str, rule: str) -> None:
    answer = seed(typed)
    assert isinstance(answer, Refusal)
    assert answer.rule == rule


def test_a_seed_that_only_fits_without_its_s_is_refused() -> None:
    answer = seed("example.org/" + "a" * (64 * 1024 - len("http://example.org/")))
    assert isinstance(answer, Refusal)
    assert answer.rule == "url-length"


@given(any_text)
def test_a_seed_is_canonical_or_refused_and_never_raises(typed: str) -> None:
    answer = seed(typed)
    if not isinstance(answer, Refusal):
        assert canonical(answer) == answer


@given(urls)
def test_a_canonical_url_is_its_own_seed(url: Url) -> None:
    assert seed(url) == url
