"""The settings in force, and what waits."""

from tests.web.conftest import Look

from gossamer.folder.data import DataFolder
from gossamer.settings.sources import keys


def test_every_setting_is_there_and_an_edit_of_the_file_waits(
    look: Look, crawl: DataFolder
) -> None:
    page = look("/settings")
    assert [each.text() for each in page.all("tbody th")] == list(keys())
    assert "***" in page.one("main").text()
    assert "hunter2" not in page.one("main").text()
    crawl.settings_file.write_text("[politeness]\ndelay = 7\n")
    try:
        page = look("/settings")
        assert "1 value waits." in page.one(".note").text()
        (row,) = (each.text() for each in page.all("tbody tr") if "until" in each.text())
        assert "politeness.delay" in row
        assert "gossamer.toml, until reload" in row
        crawl.settings_file.write_text("[politeness]\ndelay = 'soon'\n")
        assert "'soon' is not a time" in look("/settings").one(".note--bad").text()
    finally:
        crawl.settings_file.unlink()
