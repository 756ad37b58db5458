import pytest

from gossamer.errors import ConfigError
from gossamer.proxy.cache.kept_hosts import kept_hosts


def test_a_name_is_that_host_and_a_star_those_below() -> None:
    is_kept = kept_hosts(["a.test", "*.b.test"])
    assert is_kept("http://a.test/x")
    assert is_kept("https://deep.www.b.test:8443/")
    assert not is_kept("http://b.test/")
    assert not is_kept("http://www.a.test/")
    assert not is_kept("http://evilb.test/")


@pytest.mark.parametrize("bad", ["http://a.test", "A.test", "a.*.test", "*", ""])
def test_a_pattern_that_fits_nobody_is_refused(bad: str) -> None:
    with pytest.raises(ConfigError, match=r"proxy\.keep_anyway"):
        kept_hosts([bad])


def test_by_default_nobody_is() -> None:
    assert not kept_hosts([])("http://a.test/")
