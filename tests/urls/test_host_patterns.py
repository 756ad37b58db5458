import pytest

from gossamer.errors import ConfigError
from gossamer.urls.host_patterns import checked_host_patterns, fits_any

LISTED = ("a.test", "*.b.test", "[::1]")


@pytest.mark.parametrize(
    ("host", "fits"),
    [
        ("a.test", True),
        ("www.a.test", False),
        ("deep.www.b.test", True),
        ("b.test", False),
        ("evilb.test", False),
        ("a.test.evil.test", False),
        ("axtest", False),
        ("[::1]", True),
    ],
)
def test_a_name_is_that_host_and_a_star_those_below(host: str, fits: bool) -> None:
    assert fits_any(LISTED, host) is fits


def test_without_patterns_nothing_fits() -> None:
    assert not fits_any((), "a.test")
    assert not fits_any((), "")


@pytest.mark.parametrize(
    "pattern",
    [
        "shop*.example.org",
        "https://example.org/",
        "bücher.de",
        "A.test",
        "a b",
        "*",
        "a.*.test",
        "",
    ],
)
def test_a_pattern_that_could_never_fit_is_refused_by_the_name_of_its_key(pattern: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^some\.key: .* write example\.org, or \*\.example\.org"
    ):
        checked_host_patterns("some.key", ["a.test", pattern])


@pytest.mark.parametrize(
    "pattern", ["example.org", "*.example.org", "127.0.0.1", "[::1]", "xn--bcher-kva.de"]
)
def test_a_pattern_that_can_fit_is_taken(pattern: str) -> None:
    assert checked_host_patterns("some.key", [pattern]) == (pattern,)
