import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ada_url import join_url
from hypothesis import example, given
from hypothesis import strategies as st
from tests.urls.strategies import any_text, links, urls

from gossamer.model import Refusal, Url
from gossamer.urls.canonical import MAX_LENGTH, canonical, plain_forms, seed
from gossamer.urls.parts import origin_of

BASE = Url("https://example.test/folder/page?query")
SECRET = "hunter2horse"
LABELS = st.sampled_from(
    ["a", "b-c", "1", "x--y", "xn--bcher-kva", "xn--", "-d", "e-", "127", "0x7f", "test", "org", ""]
)
PORTS = st.one_of(st.just(""), st.integers(0, 70_000).map(":{}".format), st.just(":080"))
PIECES = st.sampled_from(
    [
        "/",
        "a",
        "B",
        "1",
        ".",
        "..",
        "-",
        "~",
        "+",
        ",",
        "_",
        "%",
        "%2e",
        "?",
        "=",
        "&",
        "#",
        ":",
        "@",
    ]
)


def rule_of(answer: Url | Refusal) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.rule


# The WHATWG cases

HTTP_CASES, FAILURE_CASES, OTHER_CASES = 247, 257, 253
WHATWG_CASES = HTTP_CASES + FAILURE_CASES + OTHER_CASES
ASCII_CASES = 87


def whatwg_cases(suites: Path) -> Iterator[dict[str, Any]]:
    for case in json.loads((suites / "url" / "urltestdata.json").read_text(encoding="utf-8")):
        if isinstance(case, dict):
            yield case


def answer_to(case: dict[str, Any]) -> Url | Refusal | None:
    """What we make of a case; None where its base is no page that a link could stand on."""
    if case["base"] is None:
        return canonical(case["input"])
    base = canonical(case["base"])
    return None if isinstance(base, Refusal) else canonical(case["input"], base)


def without_user_info_and_fragment(case: dict[str, Any]) -> str:
    query = case["search"] or ("?" if case["href"].partition("#")[0].endswith("?") else "")
    return f"{case['protocol']}//{case['host']}{case['pathname']}{query}"


def test_every_http_case_of_whatwg_gives_its_result(suites: Path) -> None:
    seen = 0
    for case in whatwg_cases(suites):
        if case.get("protocol") in {"http:", "https:"}:
            assert answer_to(case) == without_user_info_and_fragment(case), case["input"]
            seen += 1
    assert seen == HTTP_CASES


def test_every_failure_case_of_whatwg_is_refused(suites: Path) -> None:
    seen = 0
    for case in whatwg_cases(suites):
        answer = answer_to(case) if case.get("failure") else None
        if answer is not None:
            assert rule_of(answer) == "url-invalid", case["input"]
            seen += 1
    assert seen == FAILURE_CASES


def test_every_other_scheme_of_whatwg_is_refused_as_a_scheme(suites: Path) -> None:
    seen = 0
    for case in whatwg_cases(suites):
        other = case.get("protocol", "http:") not in {"http:", "https:"}
        answer = answer_to(case) if other else None
        if answer is not None:
            assert rule_of(answer) == "url-scheme", case["input"]
            seen += 1
    assert seen == OTHER_CASES


def test_every_international_host_of_whatwg_gives_its_ascii_form(suites: Path) -> None:
    cases = json.loads((suites / "url" / "toascii.json").read_text(encoding="utf-8"))
    named = [each for each in cases if isinstance(each, dict)]
    assert len(named) == ASCII_CASES
    for case in named:
        answer = canonical(f"https://{case['input']}/x")
        host = None if isinstance(answer, Refusal) else origin_of(answer)[len("https://") :]
        assert host == case["output"], case["input"]


# What the form unifies, and what it leaves alone


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("HTTP://Example.TEST", "http://example.test/"),
        ("http://example.test:80/", "http://example.test/"),
        ("https://example.test:443/", "https://example.test/"),
        ("http://example.test:443/", "http://example.test:443/"),
        ("http://example.test/a/./b/../c", "http://example.test/a/c"),
        ("http://example.test/a#part", "http://example.test/a"),
        ("http://example.test/?#part", "http://example.test/?"),
        ("http:\\\\example.test\\a\\b", "http://example.test/a/b"),
        ("  http://example.test/a\n\tb ", "http://example.test/ab"),
        ("http://bücher.test/ä?ö", "http://xn--bcher-kva.test/%C3%A4?%C3%B6"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[1:0:0::2]:80/", "http://[1::2]/"),
        ("http://example.test/a\0b", "http://example.test/a%00b"),
        ("http://example.test/\ud800", "http://example.test/%EF%BF%BD"),
    ],
)
def test_spellings_of_one_url_become_one(text: str, form: str) -> None:
    assert canonical(text) == form


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.test/",
        "https://example.test/index.html",
        "https://example.test/?b=2&a=1&b=1&utm_source=x",
        "https://example.test/%7Euser/%2f%2F/%zz/100%",
        "https://example.test/a//b/",
        "https://example.test/?",
        "https://example.test/@user/http://x@y/",
    ],
)
def test_nothing_is_guessed_away(url: str) -> None:
    assert canonical(url) == url


@pytest.mark.parametrize(
    ("link", "joined"),
    [
        ("../up", "https://example.test/up"),
        ("?other", "https://example.test/folder/page?other"),
        ("#part", BASE),
        ("", BASE),
        ("//other.test", "https://other.test/"),
        ("https:relative", "https://example.test/folder/relative"),
        ("//alice:pass@other.test/", "https://other.test/"),
    ],
)
def test_a_link_is_joined_as_browsers_do(link: str, joined: str) -> None:
    assert canonical(link, BASE) == joined


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("mailto:alice@example.test", "url-scheme"),
        ("javascript:void(0)", "url-scheme"),
        ("ftp://example.test/", "url-scheme"),
        ("localhost:8000", "url-scheme"),
        ("", "url-invalid"),
        ("no/scheme", "url-invalid"),
        ("http://", "url-invalid"),
        ("http://a b/", "url-invalid"),
        ("http://\0/", "url-invalid"),
        ("http://%zz/", "url-invalid"),
        ("http://[::g]/", "url-invalid"),
        ("http://1.2.3.256/", "url-invalid"),
        ("http://example.test:65536/", "url-invalid"),
        ("http://\udfff.te%st/", "url-invalid"),
        ("http://example.test/" + "a" * 1_000_000, "url-length"),
        ("é" * 1_000_000, "url-length"),
        ("http://example.test/" + "é" * 30_000, "url-length"),
    ],
)
def test_what_names_no_page_is_refused(text: str, rule: str) -> None:
    assert rule_of(canonical(text)) == rule


def test_a_join_that_grows_too_long_is_refused() -> None:
    base = canonical("http://example.test/" + "a" * (MAX_LENGTH - 100) + "/")
    assert not isinstance(base, Refusal)
    assert rule_of(canonical("b" * 100, base)) == "url-length"


def test_a_refusal_names_a_scheme_only_if_it_surely_is_one() -> None:
    mail, unknown = canonical("mailto:a@example.test"), canonical("alice:pass@example.test")
    assert isinstance(mail, Refusal)
    assert isinstance(unknown, Refusal)
    assert "mailto" in mail.why
    assert "alice" not in unknown.why


# Properties


@given(links)
def test_the_canonical_form_is_a_fixed_point(text: str) -> None:
    form = canonical(text, BASE)
    if not isinstance(form, Refusal):
        assert canonical(form) == form
        assert canonical(form, Url("http://elsewhere.test/")) == form


@given(urls, links)
def test_joining_and_then_canonicalising_is_one_step(base: Url, text: str) -> None:
    try:
        joined = join_url(base, text)
    except ValueError:
        return
    assert canonical(text, base) == canonical(joined)


@given(urls)
def test_a_canonical_url_is_plain_ascii_without_fragment_and_user_info(url: Url) -> None:
    assert url.startswith(("http://", "https://"))
    assert url.isascii()
    assert url.isprintable()
    assert not set(" #") & set(url)
    assert "@" not in origin_of(url)


@given(any_text, st.none() | urls)
@example("\ud800" * 10, None)
@example("http://\x00\x7f\ud800:\x00@[", None)
def test_any_text_is_answered_and_never_raises(text: str, base: Url | None) -> None:
    answer = canonical(text, base)
    if isinstance(answer, Refusal):
        assert answer.why.isprintable()
        assert len(answer.why) < 200


@given(
    st.sampled_from(["http://", "https:", "ftp://", "x://", "//", "", "http:\\\\", "\ud800"]),
    st.sampled_from([f"{SECRET}@", f"u:{SECRET}@", f"{SECRET}:p@", f"u:{SECRET}@@", f"{SECRET}:@"]),
    st.sampled_from(["example.test", "", "[::", "a b", "h:99999", "h:x", "\0", "%zz", "\ud800"]),
    st.sampled_from(["", "/", "/path", "?q", "#f"]),
)
def test_user_info_reaches_neither_urls_nor_refusals(
    scheme: str, user: str, host: str, rest: str
) -> None:
    text = scheme + user + host + rest
    answer = canonical(text)
    assert SECRET not in (answer.why if isinstance(answer, Refusal) else answer)


@given(
    st.sampled_from(["http", "https", "HTTP", "ftp"]),
    st.lists(LABELS, min_size=1, max_size=4).map(".".join),
    PORTS,
    st.lists(PIECES, max_size=8).map("".join),
)
def test_a_url_that_looks_canonical_is_read_as_any_other(
    scheme: str, host: str, port: str, rest: str
) -> None:
    text = f"{scheme}://{host}{port}/{rest}"
    # With a space before it, it looks so no more; and URLs are read without that.
    assert canonical(text) == canonical(f" {text}")
    assert canonical(text, BASE) == canonical(f" {text}", BASE)


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
