"""What a URL is. Pure.

- `canonical`: the one spelling under which a page is known, also of what a person types
- `forms`: spellings with less in them, where the user asks for that
- `parts`: host, origin, site and path of a canonical URL
- `keys`: short numbers for URLs
- `scope`: which URLs belong to a crawl; `traps`: which a site makes up without end
- `host_patterns`, `expressions`: what users write to name hosts and URLs
"""

from gossamer.urls.canonical import MAX_LENGTH, canonical, plain_forms, seed
from gossamer.urls.keys import UrlKeys, new_secret
from gossamer.urls.parts import host_of, is_address, origin_of, path_of, site_of
from gossamer.urls.scope import SeedScope
from gossamer.urls.traps import trapped

__all__ = [
    "MAX_LENGTH",
    "SeedScope",
    "UrlKeys",
    "canonical",
    "host_of",
    "is_address",
    "new_secret",
    "origin_of",
    "path_of",
    "plain_forms",
    "seed",
    "site_of",
    "trapped",
]
