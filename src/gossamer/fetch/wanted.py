"""Whether a body is worth its download, by status and headers alone. Pure.

What a type is known to hold comes from whoever reads it later: `worth.py` puts the two
together. Here stand the types of files that are only ever met as downloads.
"""

import re
from collections.abc import Callable
from typing import Final

from gossamer.model import ResponseHead

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


def is_package(media_type: str) -> bool:
    """Whether this is the type of something that is installed, run or viewed, never read."""
    return _PACKAGES.fullmatch(media_type) is not None


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


def media_types(head: ResponseHead) -> tuple[str, ...]:
    """All types that the headers name, in small letters: usually one."""
    values = ",".join(head.header_values("content-type")).lower().split(",")
    types = (each.partition(";")[0].strip() for each in values)
    return tuple(each for each in types if "/" in each)
