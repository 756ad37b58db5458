"""The settings in force, and what waits."""

from tests.web.conftest import Look

from gossamer.folder.data import DataFolder
from gossamer.settings.sources import keys


def test_every_setting_is_there_and_an_edit_of_the_file_waits(
    look: Look, crawl: DataFolder
) -> None:
    page = look("/settings")
    assert [each.text() for each in page.all("details tbody th")] == list(keys())
    assert "***" in page.one("main").text()
    assert "hunter2" not in page.one("main").text()
    crawl.settings_file.write_text("[politeness]\ndelay = 7\n")
    try:
        page = look("/settings")
        assert "1 value waits." in page.one(".note").text()
        (row,) = (
            each.text() for each in page.all("details tbody tr") if "until reload" in each.text()
        )
        assert "politeness.delay" in row
        assert "gossamer.toml, until reload" in row
        crawl.settings_file.write_text("[politeness]\ndelay = 'soon'\n")
        assert "'soon' is not a time" in look("/settings").one(".note--bad").text()
    finally:
        crawl.settings_file.unlink()


def test_values_have_their_units_and_what_was_changed_comes_first(look: Look) -> None:
    page = look("/settings")
    rows = {row.css("th")[0].text(): row.text() for row in page.all("details tbody tr")}
    assert "5min" in rows["politeness.patience"]
    changed = [each.text() for each in page.all("#changed ~ .scroll tbody th")]
    assert changed
    assert changed == [name for name in keys() if name in changed]
    assert "`" not in page.one("main").text()
