from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.directives import RequestDirectives
from gossamer.proxy.cache.reuse import Verdict, may_stand_in, verdict
from gossamer.proxy.cache.terms import Terms

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
