import pytest
from publicsuffixlist import PublicSuffixList

from gossamer.demo.names import host_name, host_number, site_name


def test_every_host_has_a_name_of_its_own_that_leads_back() -> None:
    names = [host_name(host) for host in range(10_000)]
    assert len(set(names)) == 10_000
    assert [host_number(name) for name in names] == list(range(10_000))


def test_some_hosts_share_a_site() -> None:
    assert [host_name(host) for host in range(5)] == [
        "www.site0.test",
        "data.site0.test",
        "site0.test",
        "www.site1.test",
        "www.site2.test",
    ]


def test_sites_are_what_the_public_suffix_list_says() -> None:
    suffixes = PublicSuffixList()
    for host in range(20):
        assert site_name(host_name(host)) == suffixes.privatesuffix(host_name(host))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "site1.test",
        "data.site1.test",
        "ftp.site0.test",
        "site00.test",
        "site0.test.",
        "site.test",
    ],
)
def test_other_names_belong_to_nobody(name: str) -> None:
    assert host_number(name) is None
