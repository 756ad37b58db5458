import pytest

from gossamer.http.own_names import own_name


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("127.0.0.1:8718", "127.0.0.1"),
        ("[::1]:8718", "::1"),
        ("LocalHost.:8718", "localhost"),
        ("a.localhost", "a.localhost"),
        ("Proxy.lab:3128", "proxy.lab"),
        ("evil.test", None),
        ("evil.test:8718", None),
        ("127.0.0.1.evil.test", None),
        ("proxy.lab.evil.test", None),
        ("user@127.0.0.1", None),
        ("127.0.0.1/x", None),
        ("127.0.0.1:port", None),
        ("127.0.0.1, evil.test", None),
        ("", None),
    ],
)
def test_a_name_is_ours_where_no_other_site_can_go_by_it(host: str, name: str | None) -> None:
    assert own_name(host, ["proxy.lab"]) == name
