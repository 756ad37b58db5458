from gossamer.proxy.cache.invalidation import changed_urls
from gossamer.proxy.cache.protocol import Request

from .world import URL, Said, fields


def changed(said: Said, method: str = "POST", status: int = 200) -> list[str]:
    return [*changed_urls(Request(method, URL, ()), status, fields(said))]


def test_a_change_is_doubtful_where_it_says_it_is() -> None:
    told = {"Location": "/a#x", "Content-Location": "http://A.test:80/b"}
    assert changed(told) == [URL, "http://a.test/a", "http://a.test/b"]


def test_nobody_speaks_for_others() -> None:
    for other in (
        "http://b.test/",
        "https://a.test/",
        "http://a.test:81/",
        "ftp://a.test/",
        "http://[",
    ):
        assert changed({"Location": other}) == [URL]


def test_what_failed_or_only_read_changed_nothing() -> None:
    assert changed({}, status=404) == []
    assert changed({}, method="GET") == []
