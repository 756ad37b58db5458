from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import any_text, urls

from gossamer.config import Scope
from gossamer.errors import ConfigError
from gossamer.model import Refusal, Url
from gossamer.urls.expressions import MAX_EXPRESSION
from gossamer.urls.scope import SeedScope

SEED = Url("https://www.shop.test/start")
Kind = Literal["page", "host", "site", "any"]


def rule_for(url: str, scope: Scope) -> str | None:
    refusal = SeedScope(scope, [SEED]).admits(Url(url))
    return refusal.rule if refusal else None


@pytest.mark.parametrize(
    ("kind", "inside", "outside"),
    [
        ("page", "https://www.shop.test/start", "https://www.shop.test/start?x"),
        ("host", "http://www.shop.test:8080/other", "https://shop.test/"),
        ("site", "http://forum.shop.test/", "https://www.shops.test/"),
    ],
)
def test_each_kind_of_scope_reaches_as_far_as_its_name(
    kind: Kind, inside: str, outside: str
) -> None:
    assert rule_for(inside, Scope(kind=kind)) is None
    assert rule_for(outside, Scope(kind=kind)) == f"scope-{kind}"


@given(urls)
def test_the_scope_any_admits_every_url(url: Url) -> None:
    assert SeedScope(Scope(kind="any"), [SEED]).admits(url) is None


@given(urls, st.sampled_from(["page", "host", "site", "any"]))
def test_a_seed_is_in_its_own_scope(url: Url, kind: Kind) -> None:
    assert SeedScope(Scope(kind=kind), [url]).admits(url) is None


def test_a_seed_that_is_added_later_widens_the_scope() -> None:
    scope = SeedScope(Scope(), [SEED])
    page = Url("https://new.test/page")
    assert scope.admits(page)
    scope.add_seed(Url("https://new.test/"))
    assert scope.admits(page) is None


def test_only_what_an_include_expression_matches_is_admitted() -> None:
    scope = Scope(kind="any", include=("/news/", r"\.pdf$"))
    assert rule_for("https://a.test/news/1", scope) is None
    assert rule_for("https://a.test/x.pdf", scope) is None
    assert rule_for("https://a.test/x.pdf?y", scope) == "scope-include"


def test_exclude_wins_over_include() -> None:
    scope = Scope(kind="any", include=("/news/",), exclude=("/news/old/",))
    assert rule_for("https://a.test/news/1", scope) is None
    assert rule_for("https://a.test/news/old/1", scope) == "scope-exclude"


def test_a_seed_needs_no_include_expression_but_can_be_excluded() -> None:
    assert rule_for(SEED, Scope(include=("/news/",))) is None
    assert rule_for(SEED, Scope(exclude=("start",))) == "scope-exclude"


def why(url: str, scope: Scope) -> str:
    refusal = SeedScope(scope, [SEED]).admits(Url(url))
    assert isinstance(refusal, Refusal)
    return refusal.why


def test_a_refusal_names_what_kept_the_url_out() -> None:
    assert '"other.test"' in why("https://other.test/", Scope())
    assert '"/old/"' in why("https://www.shop.test/old/", Scope(exclude=("/new/", "/old/")))
    assert '"/a/", "/b/"' in why("https://www.shop.test/", Scope(include=("/a/", "/b/")))
    assert why("https://www.shop.test/", Scope(include=tuple("qyz!" * 9))).endswith("….")


def test_a_refusal_of_an_endless_host_stays_a_line() -> None:
    assert len(why("https://" + "a." * 30_000 + "test/", Scope())) < 120


@pytest.mark.parametrize(
    "expression",
    [
        "(",
        "*",
        "[z-a]",
        r"a(?=b)",
        r"(?<!a)b",
        r"(a)\1",
        "(?P<x>a)(?P=x)",
        "a{9999}",
        "((a{90}){90}){90}",
        "\ud800",
        "\x1b[31m(",
        "x" * (MAX_EXPRESSION + 1),
        "(.{1,990}){1}" * 9,
    ],
)
@pytest.mark.parametrize("key", ["include", "exclude"])
def test_an_expression_that_cannot_be_used_is_a_configuration_error(
    key: str, expression: str
) -> None:
    scope = Scope(include=(expression,)) if key == "include" else Scope(exclude=(expression,))
    with pytest.raises(ConfigError) as raised:
        SeedScope(scope, [SEED])
    said = str(raised.value)
    assert said.startswith(f'scope.{key}: "')
    assert said.isprintable()
    assert "give several" in said or "no look-around and no back-references" in said


def test_an_expression_that_would_be_slow_on_every_url_is_refused() -> None:
    # Linear, but with a factor of hundreds of microseconds a byte if it were let in.
    slow = "|".join(f"a{{1,500}}Q{n}" for n in range(20))
    with pytest.raises(ConfigError, match="too large"):
        SeedScope(Scope(exclude=(slow,)))


def test_a_long_list_of_hosts_is_an_expression_that_fits() -> None:
    hosts = "|".join(rf"host{n}\.shop\.test" for n in range(150))
    scope = Scope(kind="any", exclude=(hosts,))
    assert rule_for("https://host149.shop.test/", scope) == "scope-exclude"
    assert rule_for("https://host150.shop.test/", scope) is None


@given(any_text)
def test_an_expression_is_taken_or_refused_and_nothing_else(expression: str) -> None:
    try:
        scope = SeedScope(Scope(kind="any", exclude=(expression,)))
    except ConfigError:
        return
    scope.admits(SEED)


@pytest.mark.parametrize("expression", ["(x+x+)+y", "(a|a)*$b", "(a*)*b", "^(([a-z])+.)+[A-Z]$"])
def test_an_expression_that_explodes_elsewhere_is_answered_here(expression: str) -> None:
    # With backtracking these take longer than the universe has; the time limit would end the test.
    url = Url("https://www.shop.test/" + "a" * 30_000 + "x" * 30_000)
    assert SeedScope(Scope(exclude=(expression,)), [SEED]).admits(url) is None


def test_many_seeds_are_looked_up_not_searched(full_size: bool) -> None:
    # Searched one by one, these would be ten thousand million comparisons.
    count = 1_000_000 if full_size else 100_000
    scope = SeedScope(Scope(), (Url(f"https://h{n}.test/") for n in range(count)))
    assert all(scope.admits(Url(f"https://h{n}.test/x")) is None for n in range(count))


def test_a_scope_grows_with_seeds_that_widen_it_and_has_another_fingerprint_then() -> None:
    scope = SeedScope(Scope(kind="host"), [SEED])
    size, mark = scope.size, scope.fingerprint()
    scope.add_seed(Url("https://www.shop.test/other"))
    assert (scope.size, scope.fingerprint()) == (size, mark)
    scope.add_seed(Url("https://shop.test/"))
    assert scope.size > size
    assert scope.fingerprint() != mark
    again = SeedScope(Scope(kind="host"), [Url("https://shop.test/x"), SEED])
    assert again.fingerprint() == scope.fingerprint()
    assert SeedScope(Scope(kind="site"), [SEED]).fingerprint() != mark
