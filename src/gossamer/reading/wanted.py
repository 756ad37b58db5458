"""What is wanted of the web: the syntaxes that a user names, and the answers worth downloading."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from gossamer.config import Transform as Options
from gossamer.detect.kinds import Family, family_of
from gossamer.errors import ConfigError
from gossamer.fetch.transfer import Wanted
from gossamer.model import ResponseHead, Syntax
from gossamer.reading.spellings import meaning, mistake
from gossamer.transform.media_types import matches
from gossamer.transform.pdf.needs import is_pdf, is_readable

if TYPE_CHECKING:
    from gossamer.transform.plugins import Plugins

_SUCCESS: Final = range(200, 300)
_PACKAGES: Final = re.compile(
    r"application/(?:x-)?(?:"
    r"debian-package|deb|rpm|redhat-package-manager|iso9660-image|cd-image|apple-diskimage|"
    r"vnd\.android\.package-archive|vnd\.debian\.binary-package|"
    r"shockwave-flash|vnd\.adobe\.flash\.movie|bittorrent|msi|ms-installer|vnd\.ms-cab-compressed|"
    r"vnd\.apache\.parquet|hdf5?|netcdf|pkcs\d.*|pgp-encrypted|pgp-signature|dvi)"
    r"|model/.*|haptics/.*|chemical/.*"
)
Opaque = Callable[[str], bool]
"""Whether documents of a media type hold nothing for anybody who reads here."""


def wanted_syntaxes(names: Iterable[str]) -> frozenset[Syntax] | None:
    """The syntaxes that the words of `--only` name; None where there are none: all syntaxes."""
    words = set(names)
    if not words:
        return None
    if (why := mistake(words)) is not None:
        raise ConfigError(f"--only: {why}")
    return frozenset(each.syntax for each in map(meaning, words) if each and each.syntax)


def wanted_items(names: Iterable[str]) -> frozenset[str] | None:
    """The kinds of items that these words name, as keys of `page.items`; None where there are none: all kinds."""
    words = set(names)
    if not words:
        return None
    return frozenset(each.items for each in map(meaning, words) if each and each.items)


def worth_downloading(options: Options, plugins: "Plugins | None" = None) -> Wanted:
    """The test that every answer has to pass before its body is downloaded.

    Passes what `detect` can read, and what the user's own plug-ins and services can.
    """
    from gossamer.transform.plugins import installed  # only a crawl needs them here

    plugins = plugins or installed()
    handled = [each for plugin in plugins.plugins for each in plugin.media_types]
    handled += options.services

    only = wanted_syntaxes(options.only)
    reads_pdf = is_readable() and (only is None or Syntax.PDF in only)

    def opaque(media_type: str) -> bool:
        if reads_pdf and is_pdf(media_type):
            return False
        return _holds_nothing(media_type) and not matches(media_type, handled)

    return partial(wanted, opaque=opaque)


def wanted(head: ResponseHead, opaque: Opaque) -> bool:
    """Whether to download the body behind these headers.

    A type that is unknown or missing is no reason not to. What is larger than
    `fetch.max_body_bytes` ends as too large in any case, and what is no content is
    left where it is large.
    """
    if head.status not in _SUCCESS:
        return True
    # Where several types are named, one that may hold something is enough.
    types = media_types(head)
    return not types or not all(opaque(each) for each in types)


def _holds_nothing(media_type: str) -> bool:
    family = family_of(media_type)
    return family is Family.OPAQUE or (family is Family.UNKNOWN and is_package(media_type))


def is_package(media_type: str) -> bool:
    """Whether this is the type of something that is installed, run or viewed, never read."""
    return _PACKAGES.fullmatch(media_type) is not None


def media_types(head: ResponseHead) -> tuple[str, ...]:
    """All types that the headers name, in small letters: usually one."""
    values = ",".join(head.header_values("content-type")).lower().split(",")
    types = (each.partition(";")[0].strip() for each in values)
    return tuple(each for each in types if "/" in each)
