"""The names of the demo web's hosts, and back.

Four hosts in a row share two sites: `www.site0.test`, `data.site0.test`, `site0.test`
and, alone on its site, `www.site1.test`. `.test` is in no public-suffix list, so the
site of a host is its last two labels.
"""

import re

_PREFIXES = ("www.", "data.", "", "www.")
_NAME = re.compile(r"(www\.|data\.|)site(0|[1-9]\d{0,5})\.test")


def host_name(host: int) -> str:
    """The name of host number `host`."""
    group, place = divmod(host, 4)
    return f"{_PREFIXES[place]}site{2 * group + (place == 3)}.test"


def host_number(name: str) -> int | None:
    """The number of the host of that name; None where the scheme has no such name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    group, alone = divmod(int(match[2]), 2)
    if alone:
        return 4 * group + 3 if match[1] == "www." else None
    return 4 * group + _PREFIXES.index(match[1])


def site_name(name: str) -> str:
    """The registrable domain of a host of the demo web."""
    return ".".join(name.rsplit(".", 2)[-2:])
