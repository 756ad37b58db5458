import asyncio
from pathlib import Path

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Frontier
from gossamer.errors import ConfigError
from gossamer.settings.crawl_options import CrawlOptions, keep_options
from gossamer.settings.folder_settings import folder_settings
from gossamer.settings.node import open_folder
from gossamer.settings.sources import KEPT


def test_options_of_the_folders_crawl_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = asyncio.run(made(tmp_path))
    with open_folder(data, Frontier()) as folder:
        keep_options(folder, CrawlOptions().with_options({"politeness.delay": "7"}))
    settings = folder_settings(data)
    assert settings.config.politeness.delay.total_seconds() == 7
    assert settings.each["politeness.delay"].source == KEPT
    given = folder_settings(data, {"politeness.delay": "8"})
    assert given.config.politeness.delay.total_seconds() == 8
    monkeypatch.setenv("GOSSAMER_POLITENESS_DELAI", "9")
    with pytest.raises(ConfigError, match="Did you mean"):
        folder_settings(data)
