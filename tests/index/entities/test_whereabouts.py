import pytest

from gossamer.index.entities.whereabouts import host_of_iri, site_of_iri


@pytest.mark.parametrize(
    ("iri", "host", "site"),
    [
        ("https://www.good.org/ada#me", "www.good.org", "good.org"),
        ("http://good.org", "good.org", "good.org"),
        ("HTTP://WWW.Good.ORG:8080/x", "www.good.org", "good.org"),
        ("http://good.org@evil.test/", "evil.test", "evil.test"),
        ("http://good.org:80@evil.test/", "evil.test", "evil.test"),
        ("http://good.org./x", "good.org", "good.org"),
        ("http://bücher.de/", "xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("http://ada.github.io/", "ada.github.io", "ada.github.io"),
        ("http://www.good.co.uk/", "www.good.co.uk", "good.co.uk"),
        ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1"),
        ("mailto:ada@mail.good.org", None, "good.org"),
        ("urn:isbn:9780306406157", None, None),
        ("gossamer-blank:0123", None, None),
        ("http://", None, None),
        ("tel:+99", None, None),
    ],
)
def test_an_iri_belongs_to_its_host_and_site(iri: str, host: str | None, site: str | None) -> None:
    assert (host_of_iri(iri), site_of_iri(iri)) == (host, site)
