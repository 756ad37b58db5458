from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.known import Known


@given(st.sets(st.text(max_size=20), max_size=50))
def test_what_is_stored_is_never_denied(urls: set[str]) -> None:
    known = Known()
    for url in urls:
        known.add(url)
    assert all(url in known for url in urls)


def test_what_is_new_is_hardly_ever_looked_for() -> None:
    known = Known()
    for number in range(20_000):
        known.add(f"http://a.test/{number}")
    doubtful = sum(f"http://b.test/{number}" in known for number in range(20_000))
    assert doubtful < 50  # 0.5 in 20,000 are to be expected


def test_where_nobody_knows_everything_is_looked_for() -> None:
    known = Known()
    assert "http://a.test/" not in known
    known.add_all()
    assert "http://a.test/" in known
