"""Changes at run time."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.settings import sources as settings
from gossamer.settings.node import node_of
from gossamer.settings.runtime import change, tell_all
from gossamer.settings.sources import Settings


def settle(data: DataFolder, runtime: Mapping[str, object] | None) -> Settings:
    kept = settings.read_runtime(data.runtime_file) if runtime is None else runtime
    return settings.settle(runtime=kept)


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path)


def test_a_change_is_kept_and_can_be_taken_back(data: DataFolder) -> None:
    made = change(data, {"politeness.delay": "2", "scope.kind": "any"}, partial(settle, data))
    assert made.shown("politeness.delay") == ("2s", settings.RUNTIME)
    assert settings.read_runtime(data.runtime_file) == {
        "politeness.delay": "2",
        "scope.kind": "any",
    }
    back = change(data, {"politeness.delay": None}, partial(settle, data))
    assert back.shown("politeness.delay") == ("1s", "default")
    assert back.settings.config.scope.kind == "any"


def test_a_change_that_is_wrong_changes_nothing(data: DataFolder) -> None:
    change(data, {"politeness.delay": "2"}, partial(settle, data))
    with pytest.raises(ConfigError, match="not a whole number"):
        change(data, {"scope.kind": "any", "crawl.depth": "deep"}, partial(settle, data))
    assert settings.read_runtime(data.runtime_file) == {"politeness.delay": "2"}


def test_a_key_that_is_none_any_more_can_be_taken_back(data: DataFolder) -> None:
    made = change(data, {"old.key": None}, partial(settle, data))
    assert made.shown("old.key") is None


def test_a_folder_without_other_nodes_keeps_changes_to_itself(data: DataFolder) -> None:
    assert tell_all(data, {"politeness.delay": "2"}, partial(settle, data)) == {}
    node_of(data)
    assert tell_all(data, {"politeness.delay": "2"}, partial(settle, data)) == {}
