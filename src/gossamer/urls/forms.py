"""Canonical forms on request: parameters and session identifiers dropped, queries sorted. Pure.

Which parameters mean nothing is for the user to say: a form makes two URLs one page, and a wrong one loses
pages. So nothing here is done unless a key of `urls` asks for it. The promise: a form is canonical, a fixed
point, and keeps scheme, host and port; the order in which names are configured means nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote_plus

from gossamer.config import Urls
from gossamer.errors import ConfigError
from gossamer.model import Refusal, Url
from gossamer.urls.canonical import canonical
from gossamer.urls.expressions import Expression, compiled
from gossamer.wording import quoted

KEY: Final = "urls.drop_parameters"
SESSION_PARAMETERS: Final = (
    "jsessionid",
    "phpsessid",
    "aspsessionid*",
    "sid",
    "sessionid",
    "session_id",
    "cfid",
    "cftoken",
    "oscsid",
    "zenid",
)
"""Names of parameters that hold a session's identifier, in small letters: in queries, and after `;` in paths."""

_NO_NAME: Final = re.compile(r"[=&?#;\s]")
_IN_PATH: Final = re.compile(
    rf";({'|'.join(name.replace('*', '[a-z]*') for name in SESSION_PARAMETERS)})=[^;/]*",
    re.IGNORECASE,
)
# As ASP.NET writes a session without cookies: /(S(lit3py55t21z5v55vlm25s55))/page.aspx
_ASP_NET: Final = re.compile(r"/(?:\((?:[A-Z]\([A-Za-z0-9_-]+\))+\))(?=/)")
MOST_KNOWN: Final = 8  # configurations


@dataclass(frozen=True, slots=True)
class UrlForm:
    """The form of a URL, and what was changed for it."""

    url: Url
    dropped: tuple[str, ...] = ()  # names of parameters, in their order
    is_sorted: bool = False  # the rest of its query had another order

    @property
    def is_changed(self) -> bool:
        """Whether the URL was written otherwise."""
        return bool(self.dropped) or self.is_sorted


class UrlForms:
    """The forms that a configuration asks for."""

    def __init__(self, urls: Urls) -> None:
        self._sorts = urls.sort_query
        self._sessions = urls.drop_session_parameters
        self._names, self._patterns = _read(KEY, urls.drop_parameters)
        self._session_names, self._session_patterns = _read(
            KEY, SESSION_PARAMETERS if self._sessions else ()
        )
        self.is_plain = not (self._sorts or self._sessions or urls.drop_parameters)

    def apply(self, url: Url) -> Url:
        """The form of a URL, under which its page is known."""
        return url if self.is_plain else self.form(url).url

    def apply_all(self, urls: Sequence[Url]) -> Sequence[Url]:
        """The forms of URLs in their order, each once."""
        return urls if self.is_plain else list(dict.fromkeys(self.form(url).url for url in urls))

    def form(self, url: Url) -> UrlForm:
        """The form of a URL, and what was changed for it."""
        before, mark, query = url.partition("?")
        path, dropped = self._path(before)
        pieces = query.split("&") if query else []
        kept: list[str] = []
        for piece in pieces:
            if self._is_dropped(name := _name(piece)):
                dropped.append(name)
            else:
                kept.append(piece)
        ordered = sorted(kept, key=_raw_name) if self._sorts else kept
        if not dropped and ordered == kept:
            return UrlForm(url)
        rest = "&".join(ordered)
        made = canonical(path + mark + rest if rest or not pieces else path)
        if isinstance(made, Refusal):  # which no canonical URL with less in it should be
            return UrlForm(url)
        return UrlForm(made, tuple(dropped), ordered != kept)

    def _path(self, before: str) -> tuple[str, list[str]]:
        """All before the query without sessions; the names of what was dropped."""
        if not self._sessions or not (";" in before or "(" in before):
            return before, []
        start = before.index("/", 8)
        dropped = [found[1] for found in _IN_PATH.finditer(before, start)]
        path = _IN_PATH.sub("", before[start:])
        shorter = _ASP_NET.sub("", path)
        return before[:start] + shorter, dropped + ["(S(…))"] * (shorter != path)

    def _is_dropped(self, name: str) -> bool:
        if name in self._names or any(each.found_in(name) for each in self._patterns):
            return True
        if not self._sessions:
            return False
        small = name.lower()
        return small in self._session_names or any(
            each.found_in(small) for each in self._session_patterns
        )


@lru_cache(MOST_KNOWN)
def forms_by(urls: Urls) -> UrlForms:
    """The forms that a configuration asks for, made once."""
    return UrlForms(urls)


def check_parameters(names: Iterable[str]) -> None:
    """Refuse what is no name of a parameter, with a `ConfigError` that says what would be right."""
    _read(KEY, names)


def _read(key: str, names: Iterable[str]) -> tuple[frozenset[str], tuple[Expression, ...]]:
    """Plain names, and patterns as expressions."""
    given = frozenset(names)
    for name in sorted(given):
        if _NO_NAME.search(name):
            raise ConfigError(
                f"{key}: {quoted(name)} is not the name of a parameter; write utm_source, "
                "or utm_* for all names that begin so."
            )
    patterns = sorted(name for name in given if "*" in name)
    expressions = (".*".join(map(re.escape, pattern.split("*"))) for pattern in patterns)
    return given - {*patterns}, tuple(compiled(key, f"(?s)^{each}$") for each in expressions)


def _raw_name(piece: str) -> str:
    return piece.partition("=")[0]


def _name(piece: str) -> str:
    """The name of a parameter as programs read it."""
    name = _raw_name(piece)
    return unquote_plus(name) if "%" in name or "+" in name else name
