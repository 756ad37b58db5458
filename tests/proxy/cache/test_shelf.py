from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.shelf import BloomFilter, Page, Shelf

from .test_stored import stored

BODY = b"x" * 10_000


def page(name: str) -> Page:
    return Page(name, [replace(stored(), url=name, body=BODY)])


def test_what_was_used_last_stays() -> None:
    shelf = Shelf(max_bytes=3 * page("a").weight)
    for name in "abc":
        shelf.put(page(name))
    assert shelf.get("a") is not None
    shelf.put(page("d"))
    assert shelf.get("b") is None
    assert shelf.get("a") is not None
    assert shelf.weight <= 3 * page("a").weight


def test_what_is_not_on_disk_yet_stays_whatever_it_takes() -> None:
    shelf = Shelf(max_bytes=0)
    held = page("a")
    for _ in range(2):
        shelf.hold(held)
        shelf.put(held)
    assert shelf.get("a") is held
    shelf.release("a")
    assert shelf.get("a") is held
    shelf.release("a")
    assert shelf.get("a") is None


def test_weight_follows_what_is_in_a_page() -> None:
    shelf = Shelf()
    changing = page("a")
    shelf.put(changing)
    changing.variants.clear()
    shelf.put(changing)
    assert shelf.weight == changing.weight
    shelf.remove("a")
    assert shelf.weight == 0


def test_a_response_that_is_gone_from_disk_is_gone_from_its_page() -> None:
    shelf = Shelf()
    kept = page("a")
    shelf.put(kept)
    shelf.take_out("a", 99)
    assert kept.variants
    shelf.take_out("a", 7)
    assert not kept.variants
    shelf.take_out("nobody", 7)


@given(st.sets(st.text(max_size=20), max_size=50))
def test_what_is_stored_is_never_denied(urls: set[str]) -> None:
    known = BloomFilter()
    for url in urls:
        known.add(url)
    assert all(url in known for url in urls)


def test_what_is_new_is_hardly_ever_looked_for() -> None:
    known = BloomFilter()
    for number in range(20_000):
        known.add(f"http://a.test/{number}")
    doubtful = sum(f"http://b.test/{number}" in known for number in range(20_000))
    assert doubtful < 50  # 0.5 in 20,000 are to be expected


def test_where_nobody_knows_everything_is_looked_for() -> None:
    known = BloomFilter()
    assert "http://a.test/" not in known
    known.add_all()
    assert "http://a.test/" in known
