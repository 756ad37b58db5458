"""Changes of the configuration at run time: refused as a whole, or kept for now and for later runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gossamer.folder.data import DataFolder
from gossamer.settings import sources as settings
from gossamer.settings import tokens
from gossamer.settings.sources import Settings

Changes = Mapping[str, object | None]
"""Values by key, as somebody wrote them; None takes a change back."""

Settle = Callable[[Mapping[str, object] | None], Settings]
"""The configuration with these changes in the place of the folder's own, which None stands for."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What the configuration came to."""

    settings: Settings
    told: Changes  # what all nodes of the crawl were told

    def shown(self, name: str) -> tuple[str, str] | None:
        """The value of a key for people, and its source; None where it is no key any more."""
        if name not in self.settings.each:
            return None
        value, source = self.settings.each[name].value, self.settings.each[name].source
        if self.told.get(name) is not None:
            value, source = settings.read_value(name, self.told[name], ""), settings.ALL_NODES
        return settings.keys()[name].shown(value), source


def change(data: DataFolder, changes: Changes, settle: Settle) -> Changed:
    """Make these changes, each of which was checked, if what they come to together is right."""
    for name, raw in changes.items():
        tokens.check_new(name, raw, name)
    told = tell_all(data, changes, settle)
    with data.changing_runtime():
        runtime = dict(settings.read_runtime(data.runtime_file))
        for name, raw in changes.items():
            if raw is None or name in told:
                runtime.pop(name, None)
            else:
                runtime[name] = raw
        now = settle(runtime)  # refused as a whole before anything is written
        data.keep_runtime_changes(runtime)
    return Changed(now, told)


def tell_all(data: DataFolder, changes: Changes, settle: Settle) -> Changes:
    """The changes that all nodes share and were told of.

    None of them, where the folder's crawl has no other nodes.
    """
    if not data.node_file.exists():
        return {}
    # Imported when there may be others: it brings all of a frontier with it.
    from gossamer.settings.crawl_options import change_options, is_shared
    from gossamer.settings.node import node_of, open_folder

    shared = {name: raw for name, raw in changes.items() if is_shared(name)}
    if not shared or node_of(data).address is None:
        return {}
    with open_folder(data, settle(None).config.frontier) as place:
        change_options(place, shared)
    return shared
