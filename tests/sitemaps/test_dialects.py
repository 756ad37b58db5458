from datetime import UTC, datetime

from gossamer.model import Url
from gossamer.sitemaps.dialects import DIALECTS, OpenEntry, split_name
from gossamer.sitemaps.values import ChangeFrequency, SitemapEntry, SitemapLink

URL = Url("http://a.test/")


def test_names_are_split_from_their_namespace_and_lowered() -> None:
    assert split_name("{http://x.test/}URL") == ("http://x.test/", "url")
    assert split_name("pubDate") == ("", "pubdate")


def test_the_address_is_the_best_that_an_entry_has() -> None:
    entry = OpenEntry("item", "", 1, {"guid": "http://a.test/g"}, loose="http://a.test/bare")
    assert entry.addresses() == ["http://a.test/g"]
    entry.fields["link"] = " "
    assert entry.addresses() == ["http://a.test/g"]
    entry.fields["link"] = " http://a.test/l\n"
    assert entry.addresses() == ["http://a.test/l"]
    entry.links += ["http://a.test/1", "http://a.test/2"]
    assert entry.addresses() == ["http://a.test/1", "http://a.test/2"]
    assert OpenEntry("url", "", 1, loose="http://a.test/bare").addresses() == ["http://a.test/bare"]


def test_an_entry_carries_its_fields() -> None:
    fields = {"lastmod": "2024-03-02", "priority": "0.7", "changefreq": "hourly"}
    when = datetime(2024, 3, 2, tzinfo=UTC)
    entry = SitemapEntry(URL, when, 0.7, ChangeFrequency.HOURLY)
    assert OpenEntry("url", "", 1, fields).item(URL) == entry
    assert OpenEntry("sitemap", "", 1, fields).item(URL) == SitemapLink(URL, when)


def test_the_date_of_the_last_change_comes_before_that_of_publication() -> None:
    entry = OpenEntry("entry", "", 1, {"published": "2020", "updated": "2021"})
    assert entry.item(URL).lastmod == datetime(2021, 1, 1, tzinfo=UTC)
    entry.fields["updated"] = "some day"
    assert entry.item(URL).lastmod == datetime(2020, 1, 1, tzinfo=UTC)


def test_every_dialect_knows_fields_that_hold_a_date_and_an_entry_to_hold_them() -> None:
    for dialect in DIALECTS.values():
        assert dialect.entries
        assert dialect.fields & {"lastmod", "pubdate", "updated"}
