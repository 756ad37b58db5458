from gossamer.proxy.cache.asked import Asked, read
from gossamer.proxy.cache.protocol import Request

from .world import URL, Said, fields


def asked(said: Said) -> Asked:
    return read(Request("GET", URL, fields(said)))


def test_most_requests_are_plain() -> None:
    assert asked({"User-Agent": "x", "Accept": "*/*"}) == Asked()
    assert asked({"Accept": "*/*"}).may_share


def test_what_is_about_one_client_is_not_shared() -> None:
    for said in (
        {"Authorization": "x"},
        {"If-None-Match": '"1"'},
        {"Range": "bytes=0-1"},
        {"Cache-Control": "no-cache"},
        {"Cache-Control": "no-store"},
    ):
        assert not asked(said).may_share, said


def test_what_only_the_origin_can_answer_is_known() -> None:
    assert asked({"If-Match": '"1"'}).needs_origin
    assert asked({"Range": "bytes=0-1, 4-5"}).needs_origin
    assert not asked({"range": "bytes=0-1"}).needs_origin


def test_a_range_counts_in_a_get_alone() -> None:
    for part in ("bytes=0-1", "bytes=0-1, 4-5"):
        assert read(Request("HEAD", URL, fields({"Range": part}))) == Asked()
