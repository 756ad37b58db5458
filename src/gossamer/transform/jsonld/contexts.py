"""Finds the contexts that a document names, and inlines those that are known."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gossamer.transform.iris import join
from gossamer.transform.jsonld.processing import Json
from gossamer.transform.jsonld.schema_org import WHOLE, context_for, is_schema_org

# pyoxigraph takes `@base` as it stands, dots and all, cannot import, and gives the wrong
# context to members of type maps.
MOST_IN_PLACE: Final = 1_000  # or a page of nothing but contexts would grow a hundredfold
# Languages as pages name them; there are stranger tags, which processors may judge.
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?")
_SPECIAL: Final = frozenset({"@context", "@base", "@import", "@container"})


@dataclass(slots=True)
class Prepared:
    """A document whose known contexts are inlined."""

    value: Json
    unknown: tuple[str, ...]  # addresses of contexts that we do not have; taken for empty
    is_covered: bool  # all of it is under known contexts, which give every name a meaning
    needs_full: bool  # pyoxigraph cannot serve


def prepare(value: Json, text: str, base: str, given: Mapping[str, bytes]) -> Prepared:
    """Inline known contexts, changing the value; record the others.

    `text` is the JSON that the value was read from, or more than that.
    """
    if '"@json"' in text:  # what looks like a context may be part of a JSON literal
        return Prepared(value, (), is_covered=False, needs_full=True)
    return _Preparation(value, text, base, given).run()


def only_language(context: Json) -> str | None:
    """The language that a context sets if it sets nothing else; otherwise None."""
    if not isinstance(context, dict) or len(context) != 1:
        return None
    language = context.get("@language")
    return language if isinstance(language, str) and _TAG.fullmatch(language) else None


class _Preparation:
    def __init__(self, value: Json, text: str, base: str, given: Mapping[str, bytes]) -> None:
        self._value, self._text, self._base, self._given = value, text, base, given
        self._unknown: dict[str, None] = {}
        self._has_own = self._needs_full = False
        self._schema_org: Json = None
        self._in_place = 0

    def run(self) -> Prepared:
        # As a rule there is one context, at the top, and no need to look any further. (One that
        # is written with escapes makes pyoxigraph fail, and PyLD will find it.)
        if self._has_context_at_top_alone():
            self._look_at(self._value)
        else:
            self._look_at_all()
        return Prepared(self._value, tuple(self._unknown), self._is_covered(), self._needs_full)

    def _has_context_at_top_alone(self) -> bool:
        text = self._text
        return (
            isinstance(self._value, dict)
            and "@context" in self._value
            and text.count('"@context"') == 1
            and not ('"@base"' in text or '"@import"' in text or '"@container"' in text)
        )

    def _look_at_all(self) -> None:
        level = [self._value]
        while level:  # breadth first: no recursion over what a page nests
            inner: list[Json] = []
            for each in level:
                if each.__class__ is dict:
                    if not _SPECIAL.isdisjoint(each):
                        self._look_at(each)
                    inner += [member for member in each.values() if isinstance(member, dict | list)]
                elif each.__class__ is list:
                    inner += [member for member in each if isinstance(member, dict | list)]
            level = inner

    def _is_covered(self) -> bool:
        if self._has_own or self._schema_org is None:
            return False
        tops = self._value if isinstance(self._value, list) else [self._value]
        return all(isinstance(top, dict) and self._names_schema_org(top) for top in tops)

    def _names_schema_org(self, members: dict[str, Json]) -> bool:
        context = members.get("@context")
        contexts = context if isinstance(context, list) else [context]
        return any(each is self._schema_org for each in contexts)

    def _look_at(self, members: dict[str, Json]) -> None:
        if "@context" in members:
            context = members["@context"]
            if isinstance(context, list):
                members["@context"] = [self._in_place_of(each) for each in context]
            else:
                members["@context"] = self._in_place_of(context)
        self._needs_full |= (
            isinstance(members.get("@base"), str)
            or "@import" in members
            or _names_type(members.get("@container"))
        )

    def _in_place_of(self, context: Json) -> Json:
        if not isinstance(context, str):
            self._has_own = self._has_own or only_language(context) is None
            return context
        address = join(self._base, context)
        if address in self._given:
            self._needs_full = True
            return address
        if is_schema_org(address):
            return self._of_schema_org()
        self._unknown.setdefault(address)
        return {}

    def _of_schema_org(self) -> Json:
        # With another `@vocab` beside it, every single term of the context counts: our small
        # form cannot tell them from others.
        if '"@vocab"' in self._text:
            if WHOLE in self._given:
                self._needs_full = True
                return WHOLE
            self._unknown.setdefault(WHOLE)
        self._in_place += 1
        if self._in_place > MOST_IN_PLACE:
            self._needs_full = True
            return "https://schema.org"
        return self._small()

    def _small(self) -> Json:
        if self._schema_org is None:
            # A name may be written with escapes, which are not seen in the text.
            escaped = "\\u" in self._text
            self._schema_org = context_for(json.dumps(self._value) if escaped else self._text)
        return self._schema_org


def _names_type(container: Json) -> bool:
    return container == "@type" or (isinstance(container, list) and "@type" in container)
