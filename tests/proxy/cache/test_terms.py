from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.directives import RequestDirectives
from gossamer.proxy.cache.terms import (
    HEURISTIC_MOST,
    KEPT_ANYWAY,
    Terms,
    Verdict,
    born_at,
    may_stand_in,
    terms_of,
    verdict,
)

from .world import START, Said, fields


def terms(said: Said, status: int = 200, *, keep_anyway: bool = False) -> Terms:
    told = fields(said)
    return terms_of(status, told, START, START, keep_anyway=keep_anyway)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0, 100), st.floats(-1000, 1000))
def test_age_is_at_least_what_any_clock_says(
    stated: int, old: int, took: float, skew: float
) -> None:
    said = fields({"Date": f"@{-old + skew}", "Age": f"{stated}"})
    age = START - born_at(said, START - took, START)
    assert age >= stated + took - 1e-3
    assert age >= old - skew - 1  # dates have whole seconds
    assert age >= 0


@given(st.integers(0, 10**6), st.floats(0, 10**7))
def test_age_grows_with_time_alone(lifetime: int, later: float) -> None:
    made = terms({"Date": "@0", "Cache-Control": f"max-age={lifetime}"})
    assert abs(made.age(START + later) - later) < 1e-3


@given(st.integers(-10, 10**9))
def test_a_guess_is_never_longer_than_a_day(unchanged_for: int) -> None:
    guessed = terms({"Date": "@0", "Last-Modified": f"@{-unchanged_for}"}).lifetime
    assert 0 <= guessed <= HEURISTIC_MOST


def test_a_clock_that_goes_back_makes_nothing_younger_than_new() -> None:
    assert terms({"Cache-Control": "max-age=5"}).age(START - 100) == 0


def test_what_must_be_asked_about_is_known() -> None:
    assert terms({"Cache-Control": "no-cache"}).validate_always
    for strict in ("must-revalidate", "proxy-revalidate", "s-maxage=1", "no-cache"):
        assert terms({"Cache-Control": strict}).stale_never
    assert not terms({"Cache-Control": "max-age=1"}).stale_never


def test_what_is_kept_anyway_is_kept_for_a_day_and_no_longer() -> None:
    kept = terms({"Cache-Control": "no-store", "Age": "100"}, keep_anyway=True)
    assert kept == Terms(START, KEPT_ANYWAY)


SECONDS = st.floats(0, 10**6)
TERMS = st.builds(
    Terms, st.just(0.0), SECONDS, st.booleans(), st.booleans(), SECONDS, st.just(0) | SECONDS
)
WISHES = st.builds(
    RequestDirectives,
    no_cache=st.booleans(),
    max_age=SECONDS,
    max_stale=st.just(0) | SECONDS,
    min_fresh=st.just(0) | SECONDS,
    stale_if_error=st.just(0) | SECONDS,
)


@given(TERMS, WISHES, SECONDS)
def test_nobody_gets_what_was_ruled_out(
    terms: Terms, wishes: RequestDirectives, now: float
) -> None:
    judged = verdict(terms, wishes, now)
    over = now - terms.lifetime
    if judged is Verdict.VALIDATE:
        return
    assert not terms.validate_always
    assert not wishes.no_cache
    assert now <= wishes.max_age
    if judged is Verdict.FRESH:
        assert over < 0
        assert -over >= wishes.min_fresh
    else:
        assert not terms.stale_never
        allowed = wishes.max_stale if judged is Verdict.STALE else terms.stale_while_revalidate
        assert over <= allowed


@given(TERMS, SECONDS)
def test_whoever_wishes_nothing_gets_what_is_fresh(terms: Terms, now: float) -> None:
    judged = verdict(terms, RequestDirectives(), now)
    is_usable = now < terms.lifetime and not terms.validate_always
    assert (judged is Verdict.FRESH) == is_usable


@given(TERMS, WISHES, SECONDS)
def test_what_serves_after_an_error_serves_without_an_answer_too(
    terms: Terms, wishes: RequestDirectives, now: float
) -> None:
    after_error = may_stand_in(terms, wishes, now, no_answer=False)
    assert may_stand_in(terms, wishes, now, no_answer=True) or not after_error
    assert not (after_error and (terms.stale_never or wishes.no_cache))
