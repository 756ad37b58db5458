"""Which host and site an IRI belongs to: who may speak for the thing that it names. Pure."""

import re
from functools import lru_cache
from typing import Final

from gossamer.model import Refusal
from gossamer.urls import canonical, host_of, site_of

# Most IRIs; all others (user names, other alphabets, capitals) are read by the rules of browsers.
_PLAIN: Final = re.compile(r"https?://([a-z0-9.-]*[a-z0-9])(?::\d+)?(?=[/?#]|$)")
_WEB: Final = re.compile(r"https?:", re.IGNORECASE)
MAILTO: Final = "mailto:"


@lru_cache(maxsize=16_384)  # pages and things come in runs
def host_of_iri(iri: str) -> str | None:
    """The host of a web address; None where an IRI has none."""
    if plain := _PLAIN.match(iri):
        return plain[1]
    if not _WEB.match(iri):
        return None
    url = canonical(iri)
    return None if isinstance(url, Refusal) else host_of(url)


@lru_cache(maxsize=16_384)
def site_of_iri(iri: str) -> str | None:
    """The site of a web address or of an e-mail address; None where an IRI has none."""
    host = iri.rpartition("@")[2].lower() if iri.startswith(MAILTO) else host_of_iri(iri)
    return site_of(host) if host else None
