"""A settled page as a record: one JSON object on one line, as sinks take it. Pure. See docs/sinks.md."""

import json
from typing import Final

from gossamer.crawl.statements import cause_of, outcome_of
from gossamer.crawl.verdicts import PageVerdict
from gossamer.frontier.protocol import Ended
from gossamer.model import Problem
from gossamer.reading.jobs import Extracted

_JSON: Final = json.JSONEncoder(ensure_ascii=False)  # `dumps` would make one for every line


def page_line(verdict: PageVerdict) -> bytes | None:
    """The line of a page; None where its fate is not decided yet, or it was only put aside."""
    settlement, answer, extracted = verdict.settlement, verdict.answer, verdict.extracted
    outcome = outcome_of(settlement)
    if outcome is None:
        return None
    cause, message = cause_of(settlement)
    # What a page that is not to be indexed says is nobody's business.
    says = verdict.nquads if settlement.ended is Ended.CONTENT else None
    followed, shunned = ((), ()) if extracted is None else extracted.targets.urls
    record = {
        "url": settlement.page.url,
        "outcome": outcome,
        "status": settlement.status,
        "fetched_at": None if answer is None else answer.finished_at.isoformat(),
        "media_type": settlement.media_type,
        "depth": settlement.page.depth,
        "seed": settlement.page.seed,
        "cause": cause,
        "message": message,
        "redirect": settlement.why if settlement.ended is Ended.REDIRECTED else None,
        "syntaxes": [] if extracted is None else extracted.syntaxes,
        "quads": settlement.quads,
        "items": _items(extracted) if extracted is not None and says else {},
        "nquads": None if says is None else says.decode(errors="replace"),
        "links": followed,
        "nofollow": shunned,
        "problems": [] if extracted is None else list(map(_problem, extracted.problems)),
    }
    # Half of a pair of characters, which UTF-8 has no bytes for, is escaped as JSON has it.
    return _JSON.encode(record).encode(errors="backslashreplace") + b"\n"


def _items(extracted: Extracted) -> object:
    """The items that a worker found; parsed, for a worker may have been taken over by a page."""
    try:
        items = extracted.read_items()
        _JSON.encode(items)
    except (ValueError, RecursionError):
        return {}
    return items


def _problem(problem: Problem) -> dict[str, object]:
    return {"syntax": problem.syntax, "message": problem.message, "line": problem.line}
