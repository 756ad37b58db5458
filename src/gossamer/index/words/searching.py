"""Searches answered: the things that have what was asked for, best first."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import tantivy

from gossamer.index.words.asked import Search, SearchError, understood
from gossamer.index.words.folder import Words
from gossamer.index.words.queries import Queries
from gossamer.index.words.snippets import Marker, marked, opening, snippet

MOST_RESULTS: Final = 1_000
MOST_SKIPPED: Final = 10_000
FACETS: Final = 10  # values of each

Record = dict[str, Any]


def answered(words: Words, search: Search) -> Record:
    """The answer to a search; raises `SearchError`.

    All words have to be there. Where nothing has all of them, what has some is shown, and `relaxed`
    says so.
    """
    started = time.perf_counter()
    clauses = understood(search.text)
    if not (0 < search.limit <= MOST_RESULTS and 0 <= search.skip <= MOST_SKIPPED):
        raise SearchError(f"At most {MOST_RESULTS:,} results are shown at once.")
    searcher, queries = words.searcher(), Queries(words.schema)
    query, relaxed = queries.whole(clauses, search), False
    found = _found(searcher, query, search)
    if found.total == 0 and sum(clause.wanted for clause in clauses) > 1:
        query, relaxed = queries.partial(clauses, search), True
        found = _found(searcher, query, search)
    marker = Marker(clauses)
    return {
        "total": found.total,
        "relaxed": relaxed and found.total > 0,
        "results": [_result(shown, score, marker) for score, shown in found.hits],
        "facets": _facets(searcher, query),
        "documents": searcher.num_docs,
        "seconds": round(time.perf_counter() - started, 6),
    }


class _Found(NamedTuple):
    total: int
    hits: list[tuple[float, Record]]


def _found(searcher: tantivy.Searcher, query: tantivy.Query, search: Search) -> _Found:
    found = searcher.search(query, search.limit, offset=search.skip, weight_by_field="weight")
    hits = [(float(score), _shown(searcher, address)) for score, address in found.hits]
    return _Found(found.count, hits)  # type: ignore[attr-defined]  # the stub leaves it out


def _shown(searcher: tantivy.Searcher, address: tantivy.DocAddress) -> Record:
    kept = searcher.doc(address).get_first("shown")
    assert kept is not None  # every document has it
    record: Record = json.loads(bytes(kept))
    return record


def _result(shown: Record, score: float, marker: Marker) -> Record:
    texts = shown.pop("texts")
    label = marked(shown["label"], marker)
    best = snippet([text for text in texts if text != shown["label"]], marker)
    if best is None and shown["description"]:
        best = opening(shown["description"])
    return {
        **shown,
        "score": round(score, 6),
        "label_marks": label.marks,
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
