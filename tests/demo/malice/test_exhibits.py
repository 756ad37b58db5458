from gossamer.demo.malice.exhibits import MaliceHost, landing, link_to, url_of
from gossamer.demo.resources import Listing, Sorry

HOST = MaliceHost(
    "x.malice.test",
    "for this test",
    {"/gone": Sorry(410)},
    behind=lambda path: landing("x.malice.test", path) if path == "/behind" else None,
    robots=Sorry(500),
)


def test_the_front_page_links_to_every_exhibit() -> None:
    front = HOST.at("/")
    assert isinstance(front, Listing)
    assert front.links == (link_to(url_of("x.malice.test", "/gone"), "/gone"),)


def test_exhibits_come_before_what_is_behind_them() -> None:
    assert HOST.at("/gone") == Sorry(410)
    assert HOST.at("/behind") == landing("x.malice.test", "/behind")
    assert HOST.at("/nothing") is None
    assert HOST.at("/robots.txt") == Sorry(500)
