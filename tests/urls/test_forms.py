from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Urls
from gossamer.errors import ConfigError
from gossamer.model import Url
from gossamer.urls import host_of, origin_of
from gossamer.urls.canonical import canonical
from gossamer.urls.forms import SESSION_PARAMETERS, UrlForms, check_parameters, forms_by

from .strategies import urls

NAMES = ("utm_*", "ref", "a", "*id", "x*y", "é")
SESSIONS = Urls(drop_session_parameters=True)
SORTED = Urls(sort_query=True)
settings = st.builds(
    Urls,
    drop_parameters=st.lists(st.sampled_from(NAMES), unique=True).map(tuple),
    drop_session_parameters=st.booleans(),
    sort_query=st.booleans(),
)
PIECES = (
    "a a=1 b=2 utm_source=x UTM_x=1 = x+y=1 %C3%A9=2 x%20y sid=9 PHPSESSID=1 ref=a&ref=b id== "
    "aspsessionidQQ=1 %"
)
SEGMENTS = (
    "a .. . ..;jsessionid=1 .;sid=2 b;x=1;JSESSIONID=2;y (S(abc1)) (A(b)S(c)) (S()) %2e%2e;sid= "
    ";sid=(S(a)) (S(a));sid=1 ;sid"
)
_pieces = st.lists(st.sampled_from(["", *PIECES.split()]))
_segments = st.lists(st.sampled_from(["", *SEGMENTS.split()]))
tricky = st.builds(
    lambda path, query, mark: Url(
        str(canonical(f"http://a.test/{'/'.join(path)}{mark}{'&'.join(query)}"))
    ),
    _segments,
    _pieces,
    st.sampled_from(["?", "?", ""]),
).filter(lambda url: url.startswith("http:"))
any_url = urls | tricky


@given(any_url, settings)
def test_a_form_is_a_canonical_fixed_point_of_the_same_origin(url: Url, config: Urls) -> None:
    form = forms_by(config).form(url)
    assert canonical(form.url) == form.url
    again = forms_by(config).form(form.url)
    assert again.url == form.url
    assert not again.is_changed
    assert (origin_of(form.url), host_of(form.url)) == (origin_of(url), host_of(url))
    assert form.is_changed or form.url == url


@given(any_url)
def test_nothing_is_changed_unless_it_is_asked_for(url: Url) -> None:
    forms = UrlForms(Urls())
    assert forms.is_plain
    assert forms.apply(url) == url == forms.form(url).url
    assert forms.apply_all([url, url]) == [url, url]


@given(any_url, settings, st.randoms(use_true_random=False))
def test_the_order_of_names_means_nothing(url: Url, config: Urls, chance: Random) -> None:
    names = list(config.drop_parameters)
    chance.shuffle(names)
    shuffled = Urls(
        drop_parameters=tuple(names),
        drop_session_parameters=config.drop_session_parameters,
        sort_query=config.sort_query,
    )
    assert UrlForms(shuffled).form(url) == UrlForms(config).form(url)


@given(any_url, st.sampled_from(NAMES), st.sampled_from(NAMES), st.booleans())
def test_rules_one_after_the_other_are_rules_together(
    url: Url, one: str, other: str, sorts: bool
) -> None:
    def form(url: Url, *names: str, **rest: Any) -> Url:
        return UrlForms(Urls(drop_parameters=names, **rest)).apply(url)

    together = form(url, one, other, sort_query=sorts, drop_session_parameters=True)
    apart = form(form(form(url, other), one), sort_query=sorts)
    assert UrlForms(SESSIONS).apply(apart) == together
    assert form(form(UrlForms(SESSIONS).apply(form(url, sort_query=sorts)), one), other) == together


@given(tricky)
def test_a_sorted_query_has_the_same_parameters_and_keeps_the_order_of_equal_names(
    url: Url,
) -> None:
    pieces = UrlForms(SORTED).apply(url).partition("?")[2].split("&")
    before = url.partition("?")[2].split("&")
    assert sorted(pieces) == sorted(before)
    for name in {piece.partition("=")[0] for piece in pieces}:
        of_name = [piece for piece in before if piece.partition("=")[0] == name]
        assert [piece for piece in pieces if piece.partition("=")[0] == name] == of_name


@pytest.mark.parametrize(
    ("config", "written", "form", "dropped"),
    [
        (Urls(drop_parameters=("utm_*",)), "/?utm_source=a&b=1&utm_x", "/?b=1", "utm_source utm_x"),
        (Urls(drop_parameters=("utm_*",)), "/?utm_source=a", "/", "utm_source"),
        (Urls(drop_parameters=("utm_*",)), "/?xutm_a=1&UTM_b=2", "/?xutm_a=1&UTM_b=2", ""),
        (Urls(drop_parameters=("ref",)), "/?%72ef=1&reference=2", "/?reference=2", "ref"),
        (Urls(drop_parameters=("*",)), "/a?b&c=1", "/a", "b c"),
        (Urls(drop_parameters=("a",)), "/?", "/?", ""),
        (Urls(drop_parameters=("a",)), "/?b&a", "/?b", "a"),
        (SORTED, "/?b=1&a=2&b=0", "/?a=2&b=1&b=0", ""),
        (SORTED, "/?", "/?", ""),
        (SESSIONS, "/a;jsessionid=1F?x=1", "/a?x=1", "jsessionid"),
        (SESSIONS, "/a;v=2;JSESSIONID=1;w/b", "/a;v=2;w/b", "JSESSIONID"),
        (SESSIONS, "/?PHPSESSID=1&p=2&sid=3", "/?p=2", "PHPSESSID sid"),
        (SESSIONS, "/x/(S(lit3py55t21z))/p.aspx", "/x/p.aspx", "(S(…))"),
        (SESSIONS, "/?ASPSESSIONIDQQGG=A&inside=1", "/?inside=1", "ASPSESSIONIDQQGG"),
        (SESSIONS, "/a/..;sid=1/b", "/b", "sid"),
        (SESSIONS, "/sid=1/jsessionid?session=2", "/sid=1/jsessionid?session=2", ""),
    ],
)
def test_forms_are_what_people_mean(config: Urls, written: str, form: str, dropped: str) -> None:
    found = UrlForms(config).form(Url(f"http://a.test{written}"))
    assert found.url == f"http://a.test{form}"
    assert " ".join(found.dropped) == dropped
    assert found.is_sorted == (config is SORTED and form != written)


def test_equal_forms_are_told_once() -> None:
    forms = UrlForms(Urls(drop_parameters=("a",)))
    given = [Url(f"http://a.test/{rest}") for rest in ("2?a=1", "1", "2", "1?a")]
    assert forms.apply_all(given) == [Url("http://a.test/2"), Url("http://a.test/1")]


@pytest.mark.parametrize("name", ["a=b", "?a", "a&b", "a b", ";sid", "#"])
def test_what_is_no_name_is_refused_with_a_right_one(name: str) -> None:
    with pytest.raises(ConfigError, match=r"urls.drop_parameters: .* write utm_source, or utm_\*"):
        check_parameters(["ok", name])


def test_the_names_of_sessions_are_names() -> None:
    check_parameters(SESSION_PARAMETERS)
    assert all(name == name.lower() for name in SESSION_PARAMETERS)
