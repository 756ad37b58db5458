"""Were we polite?"""

from tests.web.conftest import Look

from gossamer.folder.data import DataFolder
from gossamer.web.pages.audit import audits_of


def test_every_host_of_the_log_is_there(look: Look, crawl: DataFolder) -> None:
    audits = audits_of(crawl.log_folder)
    page = look("/audit")
    assert [each.text() for each in page.all("tbody th")] == [each.host for each in audits]
    assert "No host was asked sooner" in page.one(".note--good").text()


def test_one_host_can_be_asked_for(crawl: DataFolder) -> None:
    one = audits_of(crawl.log_folder)[0]
    assert audits_of(crawl.log_folder, one.host) == [one]
    assert audits_of(crawl.log_folder, "nobody.test") == []
