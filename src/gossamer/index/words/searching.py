"""Searches answered: what somebody asks for as queries of the engine, and the entities found, best first."""

import json
import re
import time
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any, Final, NamedTuple

import tantivy
from tantivy import Occur, Query

from gossamer.index.entities import short_name, type_term, wanted_terms
from gossamer.index.words.asked import Clause, Search, SearchError, Way, Within, understood
from gossamer.index.words.documents import ALIKE, exact_label
from gossamer.index.words.folder import Words
from gossamer.index.words.ranking import (
    EACH_WORD,
    ELSEWHERE,
    HEADING_BOOST,
    LABEL_BOOST,
    NAME_BOOST,
    REST_BOOST,
    TITLE_BOOST,
    WHOLE,
)
from gossamer.index.words.snippets import Marker, marked, opening, passages, snippet
from gossamer.index.words.tokens import Sought, sought
from gossamer.transform.text.page_text import PageText
from gossamer.vocabulary import ancestors, named, namespace
from gossamer.vocabulary.nearness import nearest_name

MUST, SHOULD, NOT = Occur.Must, Occur.Should, Occur.MustNot
SURE_LETTERS: Final = 3  # of a word in which one letter at most may differ
_DAY: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)

Part = tuple[Occur, Query]


# Where words are looked for, with how much they count there: of entities, and of what people see on pages.
_NAME: Final = ("name", NAME_BOOST)
_SAID: Final = ("text", 1.0)
_TITLE: Final = ("title", TITLE_BOOST)
_SEEN: Final = (("heading", HEADING_BOOST), ("body", 1.0), ("rest", REST_BOOST))
_FIELDS: Final[Mapping[Within, Sequence[tuple[str, float]]]] = {
    "title": (_NAME, _TITLE),
    "text": (_TITLE, *_SEEN),
    "data": (_NAME, _SAID),
}


class Queries:
    """Makes queries for words of one schema; of an older one, which has nothing of what people see."""

    def __init__(self, schema: tantivy.Schema, *, is_outdated: bool = False) -> None:
        self._schema = schema
        self._has_seen = not is_outdated

    def _fields(self, search: Search) -> Sequence[tuple[str, float]]:
        within = search.within or tuple(_FIELDS)
        fields = dict.fromkeys(field for each in within for field in _FIELDS[each])
        return [field for field in fields if self._has_seen or field[0] in ("name", "text")]

    def whole(self, clauses: Sequence[Clause], search: Search) -> Query:
        """What has all that is wanted; nothing, where there are only signs that mean nothing."""
        if search.text.strip() and not clauses:
            return Query.empty_query()
        wanted = [(MUST, self._text(clause, search)) for clause in clauses if clause.wanted]
        return self._query(wanted, clauses, search)

    def partial(self, clauses: Sequence[Clause], search: Search) -> Query:
        """What has some of it."""
        wanted = [self._text(clause, search) for clause in clauses if clause.wanted]
        some = [(SHOULD, each) for each in wanted]
        # Two of the words are better than one, however rare that is.
        some += [(SHOULD, Query.const_score_query(each, EACH_WORD)) for each in wanted]
        return self._query([(MUST, Query.boolean_query(some))], clauses, search)

    def without_alike(self, query: Query, keys: Iterable[int]) -> Query:
        """What is found without all that looks like these."""
        parts = [(MUST, query), (NOT, Query.term_set_query(self._schema, ALIKE, list(keys)))]
        return Query.boolean_query(parts)

    def alike(self, query: Query, keys: Iterable[int]) -> Query:
        """What is found and looks like these."""
        parts = [(MUST, query), (MUST, Query.term_set_query(self._schema, ALIKE, list(keys)))]
        return Query.boolean_query(parts)

    def _query(self, wanted: Sequence[Part], clauses: Sequence[Clause], search: Search) -> Query:
        parts = [*wanted, *((MUST, query) for query in self._filters(search))]
        if not wanted:  # else all scores are 0, and how well a thing is known counts for nothing
            parts.append((MUST, Query.all_query()))
        label = exact_label(" ".join(clause.text for clause in clauses if clause.wanted))
        if label and search.within != ("text",):
            parts.append((SHOULD, Query.boost_query(self._term("label", label), LABEL_BOOST)))
        parts += [(NOT, self._text(clause, search)) for clause in clauses if not clause.wanted]
        parts += [(NOT, query) for query in self._of_types(search.not_types)]
        return Query.boolean_query(parts)

    def _text(self, clause: Clause, search: Search) -> Query:
        found = sought(clause.text)
        if not found:
            return Query.empty_query()
        fields = [
            Query.boost_query(self._in(field, clause, found), boost)
            for field, boost in self._fields(search)
        ]
        # The same words stand in a page's title, headings and data: they count where they count most.
        return Query.disjunction_max_query(fields, ELSEWHERE)

    def _in(self, field: str, clause: Clause, found: Sequence[Sought]) -> Query:
        placed: list[str | tuple[int, str]] = [(each.place, each.word) for each in found]
        if len(found) > 1:
            if clause.way is Way.PREFIX:
                return Query.phrase_prefix_query(self._schema, field, placed)
            return Query.phrase_query(self._schema, field, placed)
        (only,) = found
        if clause.way is Way.PREFIX or only.begins:
            return Query.regex_query(self._schema, field, f"{re.escape(only.word)}.*")
        if clause.way is Way.FUZZY:
            distance = clause.distance if len(only.word) > SURE_LETTERS else 1
            return Query.fuzzy_term_query(self._schema, field, only.word, distance)
        return self._term(field, only.word)

    def _filters(self, search: Search) -> Iterator[Query]:
        if of_types := [(SHOULD, query) for query in self._of_types(search.types)]:
            yield Query.const_score_query(Query.boolean_query(of_types), 0.0)
        yield from self._one_of("property", map(type_term, search.properties))
        yield from self._one_of("host", (host.strip().lower() for host in search.hosts))
        yield from self._one_of("language", (tag.strip().lower() for tag in search.languages))
        yield from self._one_of("form", [search.form] if search.form else [])
        yield from self._one_of("home", search.ids)
        if search.since or search.until:
            first = day(search.since, "--since") if search.since else None
            last = day(search.until, "--until", is_last=True) if search.until else None
            days = Query.range_query(self._schema, "day", tantivy.FieldType.Integer, first, last)
            yield Query.const_score_query(days, 0.0)

    def _of_types(self, asked: Sequence[str]) -> Iterator[Query]:
        """What is of one of these types, of a subclass of them, or of a whole vocabulary."""
        terms = [sorted(wanted_terms(each)) for each in asked]
        if terms:
            yield Query.term_set_query(self._schema, "type", list(chain.from_iterable(terms)))
        for whole in filter(None, map(namespace, map(str.strip, asked))):
            yield Query.regex_query(self._schema, "type", f"{re.escape(whole)}.+")

    def _one_of(self, field: str, terms: Iterable[str]) -> Iterator[Query]:
        if found := [(SHOULD, self._term(field, term)) for term in terms]:
            yield Query.const_score_query(Query.boolean_query(found), 0.0)

    def _term(self, field: str, term: str) -> Query:
        return Query.term_query(self._schema, field, term)


def day(text: str, option: str, *, is_last: bool = False) -> int:
    """The number of a day; of a month or year, that of its first or last."""
    found = _DAY.fullmatch(text.strip())
    try:
        if found is not None:
            year, month, day = (int(part) if part else None for part in found.groups())
            return _last(year or 0, month, day) if is_last else _first(year or 0, month, day)
    except (ValueError, OverflowError):
        pass
    raise SearchError(
        f"{option} {text!r}: write a day such as 2024-05-17, a month (2024-05) or a year."
    )


def _first(year: int, month: int | None, day: int | None) -> int:
    return date(year, month or 1, day or 1).toordinal()


def _last(year: int, month: int | None, day: int | None) -> int:
    if day is not None:
        return date(year, month or 1, day).toordinal()
    month = month or 12
    return date(year, month, monthrange(year, month)[1]).toordinal()


MOST_RESULTS: Final = 1_000
MOST_SKIPPED: Final = 10_000
FACETS: Final = 10  # values of each
MOST_NAMES: Final = 1_000  # of types that one may have been meant by another
LOOKED_AT: Final = 50  # entities beyond twice those that are wanted, for a look at those alike
MOST_ROUNDS: Final = 20  # of searches, each without what looks like anything before

Record = dict[str, Any]


def answered(words: Words, search: Search) -> Record:
    """The answer to a search; raises `SearchError`.

    All words have to be there. Where nothing has all of them, what has some is shown, and `relaxed`
    says so. Entities that look the same are one result, which says in `alike` how many others there
    are; `total` counts entities. Where nothing is found, `unknown_types` has the types that nothing is
    of, each with the one that was probably meant, and how many things are of that.
    """
    started = time.perf_counter()
    clauses = understood(search.text)
    if not (0 < search.limit <= MOST_RESULTS and 0 <= search.skip <= MOST_SKIPPED):
        raise SearchError(f"At most {MOST_RESULTS:,} results are shown at once.")
    searcher, queries = words.searcher(), Queries(words.schema, is_outdated=words.is_outdated)
    folds = search.fold and not words.is_outdated
    query, relaxed = queries.whole(clauses, search), False
    found = _found(searcher, query, search, queries, folds=folds)
    if found.total == 0 and sum(clause.wanted for clause in clauses) > 1:
        query, relaxed = queries.partial(clauses, search), True
        found = _found(searcher, query, search, queries, folds=folds)
    marker = Marker(clauses)
    return {
        "total": found.total,
        "relaxed": relaxed and found.total > 0,
        "results": [
            {
                **_result(*_shown(searcher, hit.address), hit.score, marker, search.within),
                "alike": others,
            }
            for hit in found.hits
            for others in [0 if hit.alike is None else found.others.get(hit.alike, 0)]
        ],
        "next": found.next,
        "unknown_types": [] if found.total else [*_unknown_types(searcher, queries, search.types)],
        "facets": _facets(searcher, query),
        "documents": searcher.num_docs,
        "seconds": round(time.perf_counter() - started, 6),
    }


class _Hit(NamedTuple):
    """A result: an entity, or the first of several that look the same."""

    score: float
    address: tantivy.DocAddress
    alike: int | None = None  # what others have that look the same


class _Found(NamedTuple):
    total: int  # entities
    hits: Sequence[_Hit]
    next: int | None  # how many results there are up to here, where there are more
    others: Mapping[int, int]  # how many look like a result, by what they have in common


def _found(
    searcher: tantivy.Searcher, query: Query, search: Search, queries: Queries, *, folds: bool
) -> _Found:
    end = search.skip + search.limit
    at_once = 2 * (end + 1) + LOOKED_AT if folds else end + 1
    first = searcher.search(query, at_once, weight_by_field="weight")
    total = int(first.count)  # type: ignore[attr-defined]  # the stub leaves it out
    if folds:
        hits = _folded(searcher, query, first.hits, at_once, end + 1, queries)
    else:
        hits = [_Hit(float(score) / WHOLE, address) for score, address in first.hits]
    shown = hits[search.skip : end]
    after = end if len(hits) > end and end <= MOST_SKIPPED else None
    return _Found(total, shown, after, _others(searcher, query, shown, queries))


def _folded(
    searcher: tantivy.Searcher,
    query: Query,
    hits: Sequence[tuple[Any, tantivy.DocAddress]],
    at_once: int,
    wanted: int,
    queries: Queries,
) -> Sequence[_Hit]:
    """The first results, of those that look the same the best; fewer than are wanted if all are.

    `hits` are those of the first round, in which so many `at_once` were looked at. Each further round leaves out what looks like
    something that was met before, so one thing that stands on a hundred thousand pages takes one round and
    not the place of everything after it.
    """
    met: dict[int, _Hit] = {}
    for _ in range(MOST_ROUNDS):
        addresses = [address for _, address in hits]
        keys = searcher.fast_field_values(ALIKE, addresses)
        for (score, address), key in zip(hits, keys, strict=True):
            assert key is not None  # every document has it
            met.setdefault(int(key), _Hit(float(score) / WHOLE, address, int(key)))
        if len(hits) < at_once or len(met) >= wanted:
            break
        rest = queries.without_alike(query, met)
        hits = searcher.search(rest, at_once, weight_by_field="weight").hits
    return list(met.values())


def _others(
    searcher: tantivy.Searcher, query: Query, hits: Sequence[_Hit], queries: Queries
) -> Mapping[int, int]:
    keys = [hit.alike for hit in hits if hit.alike is not None]
    if not keys:
        return {}
    counted = {"alike": {"terms": {"field": ALIKE, "size": len(keys)}}}
    found: Mapping[str, Any] = searcher.aggregate(queries.alike(query, keys), counted)
    return {int(each["key"]): int(each["doc_count"]) - 1 for each in found["alike"]["buckets"]}


def _unknown_types(
    searcher: tantivy.Searcher, queries: Queries, asked: Sequence[str]
) -> Iterator[Record]:
    counts = {each: _count(searcher, queries, each) for each in asked}
    if all(counts.values()):
        return
    common = [str(name) for name, _ in searcher.terms_with_prefix("types", "", limit=MOST_NAMES)]
    above = {iri for name in common for iri in ancestors(named(name) or name)}
    names = [*common, *sorted(map(short_name, above))]
    for type_, count in counts.items():
        if not count:
            near = nearest_name(short_name(type_) or type_, names)
            yield {
                "type": type_,
                "near": near,
                "count": _count(searcher, queries, near) if near else 0,
            }


def _count(searcher: tantivy.Searcher, queries: Queries, type_: str) -> int:
    """How many entities are of a type."""
    found = searcher.search(queries.whole((), Search(types=(type_,))), 1)
    return int(found.count)  # type: ignore[attr-defined]  # as above


def _shown(
    searcher: tantivy.Searcher, address: tantivy.DocAddress
) -> tuple[Record, Sequence[PageText]]:
    """What an answer tells of a document, and what people see on its pages."""
    document = searcher.doc(address)
    kept = document.get_first("shown")
    assert kept is not None  # every document has it
    record: Record = json.loads(bytes(kept))
    return record, [PageText.unpack(bytes(each)) for each in document.get_all("seen")]


def _result(
    shown: Record,
    pages: Sequence[PageText],
    score: float,
    marker: Marker,
    within: Sequence[Within],
) -> Record:
    said = [text for text in shown.pop("texts") if text != shown["label"]]
    seen = [text for page in pages for text in (page.main, page.rest) if text]
    label = marked(shown["label"], marker)
    texts = seen if within == ("text",) else said if within == ("data",) else [*said, *seen]
    best = snippet([passages(text, marker) for text in texts], marker)
    if best is None and (first := shown["description"] or next(iter(seen), None)):
        best = opening(first)
    return {
        **shown,
        "score": round(score, 6),
        "label_marks": label.marks,
        "is_part": any(page.is_part for page in pages),
        "snippet": None if best is None else {"text": best.text, "marks": best.marks},
    }


def _facets(searcher: tantivy.Searcher, query: tantivy.Query) -> Record:
    wanted = {
        name: {"terms": {"field": name, "size": FACETS, "order": {"_count": "desc"}}}
        for name in ("types", "hosts", "languages")
    }
    found: Mapping[str, Any] = searcher.aggregate(query, wanted)
    return {
        name: dict(
            sorted(
                ((str(each["key"]), int(each["doc_count"])) for each in found[name]["buckets"]),
                key=lambda pair: (-pair[1], pair[0]),
            )
        )
        for name in wanted
    }
