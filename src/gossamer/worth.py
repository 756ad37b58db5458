"""What is worth downloading: what `detect` can read, and what the user's own parts can."""

from functools import partial

from gossamer.config import Transform as Options
from gossamer.detect.kinds import Family, family_of
from gossamer.fetch.transfer import Wanted
from gossamer.fetch.wanted import is_package, wanted
from gossamer.transform.media_types import matches
from gossamer.transform.plugins import Plugins, installed


def worth_downloading(options: Options, plugins: Plugins | None = None) -> Wanted:
    """The question to ask of every answer before its body is downloaded."""
    plugins = plugins or installed()
    handled = [each for plugin in plugins.plugins for each in plugin.media_types]
    handled += options.services

    def opaque(media_type: str) -> bool:
        return _holds_nothing(media_type) and not matches(media_type, handled)

    return partial(wanted, opaque=opaque)


def _holds_nothing(media_type: str) -> bool:
    family = family_of(media_type)
    return family is Family.OPAQUE or (family is Family.UNKNOWN and is_package(media_type))
