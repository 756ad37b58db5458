import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import urls

from gossamer.model import Url
from gossamer.urls.keys import MOST_LATEST, SECRET_BYTES, UrlKeys, new_secret

FIXED = UrlKeys(bytes(range(SECRET_BYTES)))
secrets = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)


def test_the_same_secret_and_url_give_the_same_key_for_ever() -> None:
    # A frontier on disk lives on these numbers: if this fails, old data folders break.
    assert FIXED.of(Url("https://example.org/")) == -2908438102942320692
    assert FIXED.of(Url("https://example.org/a?b=c")) == -2932462778974365424


@given(secrets, urls)
def test_making_a_key_leaves_no_trace_in_the_next(secret: bytes, url: Url) -> None:
    keys = UrlKeys(secret)
    keys.of(Url("https://before.test/"))
    assert keys.of(url) == UrlKeys(secret).of(url)


@given(urls, urls)
def test_different_urls_have_different_keys(one: Url, other: Url) -> None:
    assert (FIXED.of(one) == FIXED.of(other)) == (one == other)


@given(urls)
def test_another_secret_gives_another_key(url: Url) -> None:
    assert UrlKeys(bytes(SECRET_BYTES)).of(url) != FIXED.of(url)


@given(st.lists(st.lists(urls, max_size=5), max_size=5))
def test_the_keys_of_links_are_those_of_their_urls(pages: list[list[Url]]) -> None:
    keys = UrlKeys(bytes(SECRET_BYTES))
    for links in pages:
        assert keys.of_links(links) == [*keys.of_all(links)] == [keys.of(url) for url in links]


def test_the_keys_of_links_are_right_when_more_were_made_than_are_kept() -> None:
    keys = UrlKeys(bytes(SECRET_BYTES))
    for start in range(0, 2 * MOST_LATEST, 5_000):
        links = [Url(f"https://example.test/{n}") for n in range(start - 2_500, start + 5_000)]
        assert keys.of_links(links) == [*keys.of_all(links)]


def test_keys_use_all_64_bits_and_sqlite_gives_them_back() -> None:
    keys = [FIXED.of(Url(f"https://example.test/{n}")) for n in range(2_000)]
    assert min(keys) < -(2**62)
    assert max(keys) > 2**62
    with sqlite3.connect(":memory:") as database:
        database.execute("create table url (key integer unique)")
        database.executemany("insert into url values (?)", ((key,) for key in keys))
        kept = {key for (key,) in database.execute("select key from url")}
    database.close()
    assert kept == set(keys)


def test_new_secrets_differ_and_fit() -> None:
    assert new_secret() != new_secret()
    UrlKeys(new_secret())


def test_a_secret_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes, not 3"):
        UrlKeys(b"abc")
