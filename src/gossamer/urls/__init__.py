"""What a URL is: canonical form, forms on request, host and site, keys, scope, traps. Pure."""

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
