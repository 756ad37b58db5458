"""Which URLs belong to a crawl: near enough to the seeds, and not excluded.

`crawl/admission.py` applies this to the links that are found, and to pages that are about to be fetched.

Expressions are matched by RE2, in time linear in the URL: neither a careless
expression nor a hostile URL can hold the crawl up. They are searched for
anywhere in the canonical URL; `^` and `$` anchor them.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from gossamer.config import Scope
from gossamer.model import Refusal, Url
from gossamer.urls.expressions import compiled
from gossamer.urls.parts import host_of, site_of
from gossamer.wording import quoted

Area = Callable[[Url], str]
"""What two URLs must have in common for one to be in the scope of the other."""


def _page(url: Url) -> str:
    return url


def _site(url: Url) -> str:
    return site_of(host_of(url))


AREAS: Final[Mapping[str, Area]] = MappingProxyType({"page": _page, "host": host_of, "site": _site})


class SeedScope:
    """What a scope and the seeds admit. Seeds can be added: where a seed redirects is one too."""

    def __init__(self, scope: Scope, seeds: Iterable[Url] = ()) -> None:
        self._kind = scope.kind
        self._area = AREAS.get(scope.kind)  # None: any URL is near enough
        self._areas: set[str] = set()
        self._scope = scope
        self._seeds: set[Url] = set()
        self._include = tuple(compiled("scope.include", each) for each in scope.include)
        self._exclude = tuple(compiled("scope.exclude", each) for each in scope.exclude)
        for seed in seeds:
            self.add_seed(seed)

    def add_seed(self, seed: Url) -> None:
        """Let the crawl go around this URL as well."""
        if self._area:
            self._areas.add(self._area(seed))
        if self._include:
            self._seeds.add(seed)

    @property
    def size(self) -> int:
        """Grows when a seed makes the scope wider, and only then."""
        return len(self._areas) + len(self._seeds)

    def fingerprint(self) -> str:
        """A fingerprint that two scopes share if they admit the same URLs; others mostly differ."""
        said = repr((self._scope, sorted(self._areas), sorted(self._seeds)))
        return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()

    def admits(self, url: Url) -> Refusal | None:
        """None if the URL belongs to the crawl, else which rule keeps it out.

        Ask `trapped` first: it is cheaper, and bounds the URL that expressions see.
        """
        return self._too_far(url) or self._excluded(url) or self._not_included(url)

    def _too_far(self, url: Url) -> Refusal | None:
        if self._area is None:
            return None
        area = self._area(url)
        if area in self._areas:
            return None
        return Refusal(f"scope-{self._kind}", f"{quoted(area)} is no {self._kind} of the seeds.")

    def _excluded(self, url: Url) -> Refusal | None:
        for expression in self._exclude:
            if expression.found_in(url):
                return Refusal("scope-exclude", f"It matches {quoted(expression.text)}.")
        return None

    def _not_included(self, url: Url) -> Refusal | None:
        if not self._include or any(each.found_in(url) for each in self._include):
            return None
        # A seed was asked for by name, and without it there would be nothing to start from.
        if url in self._seeds:
            return None
        wanted = ", ".join(quoted(each.text) for each in self._include[:3])
        more = " …" if len(self._include) > 3 else ""
        return Refusal("scope-include", f"It matches none of {wanted}{more}.")
