"""The settings in force in a data folder, for whoever has no command line: a Python program, a notebook."""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gossamer.folder.data import DataFolder
from gossamer.settings.crawl_options import stored_options, told_apart
from gossamer.settings.node import has_frontier, open_folder
from gossamer.settings.sources import Settings, read_file, read_runtime, settle

NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


def folder_settings(data: DataFolder, given: Mapping[str, object] = NOTHING) -> Settings:
    """The settings in force, with the options that the folder's crawl was given."""
    if not has_frontier(data):
        return _settled(data, given)
    with open_folder(data, _settled(data, given).config.frontier) as folder:
        shared, kept = told_apart(folder, stored_options(folder))
    return _settled(data, given, shared, kept)


def _settled(
    data: DataFolder,
    given: Mapping[str, object],
    shared: Mapping[str, object] = NOTHING,
    kept: Mapping[str, object] = NOTHING,
) -> Settings:
    return settle(
        runtime=read_runtime(data.runtime_file),
        command_line=given,
        shared=shared,
        kept=kept,
        environment=os.environ,
        file=read_file(data.settings_file),
    )
