"""Were we polite?"""

from tests.web.conftest import Look

from gossamer.folder.data import DataFolder
from gossamer.log import read_events
from gossamer.politeness.audit import audited, sent_requests


def test_every_host_of_the_log_is_there(look: Look, crawl: DataFolder) -> None:
    audits = audited(sent_requests(read_events(crawl.log_folder)))
    page = look("/audit")
    assert [each.text() for each in page.all("tbody th")] == [each.host for each in audits]
    assert "No host was asked sooner" in page.one(".note--good").text()
