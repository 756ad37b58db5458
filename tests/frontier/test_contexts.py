from dataclasses import replace
from datetime import timedelta

from gossamer.frontier.contexts import Context, ContextStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.store import Store
from gossamer.model import Url

from .worlds import START

CONTEXT = Context(
    url="https://c.test/context",
    body=b'{"@context": {}}\x00\xff',
    cause="200",
    asked_at=START,
    ask_at=START + timedelta(days=1, microseconds=1),
)


def test_a_context_comes_back_as_it_was_kept(store: Store) -> None:
    contexts = ContextStore(store)
    assert contexts.of(CONTEXT.url) is None
    contexts.keep(CONTEXT)
    assert contexts.of(CONTEXT.url) == CONTEXT
    assert contexts.of(CONTEXT.url + "s") is None


def test_a_newer_answer_replaces_the_older_one(store: Store) -> None:
    contexts = ContextStore(store)
    contexts.keep(CONTEXT)
    failed = replace(CONTEXT, body=None, cause="timeout", asked_at=START + timedelta(days=2))
    contexts.keep(failed)
    assert contexts.of(CONTEXT.url) == failed


def test_of_several_those_that_are_known_come_back(store: Store) -> None:
    contexts = ContextStore(store)
    other = replace(CONTEXT, url="https://c.test/other", body=None)
    contexts.keep(CONTEXT)
    contexts.keep(other)
    asked = [CONTEXT.url, "https://c.test/unknown", other.url]
    assert contexts.those(asked, 1_000) == [CONTEXT, other]


def test_of_several_only_those_bodies_come_back_that_fit_together(store: Store) -> None:
    contexts = ContextStore(store)
    known = [
        replace(CONTEXT, url=f"https://c.test/{number}", body=b"x" * size)
        for number, size in enumerate((40, 70, 60, 1))
    ]
    for context in known:
        contexts.keep(context)
    found = contexts.those([context.url for context in known], 100)
    assert [len(context.body or b"") for context in found] == [40, 0, 60, 0]
    assert [context.ask_at for context in found] == [CONTEXT.ask_at] * 4


def test_what_is_covered_is_forgotten_however_it_was_spelled(frontier: SqlFrontier) -> None:
    contexts = frontier.contexts
    addresses = ["https://c.test/x", "HTTP://C.TEST:80/y#z", "https://sub.c.test/x", "c.test"]
    for address in addresses:
        contexts.keep(replace(CONTEXT, url=address))
    frontier.forget(url=Url("https://c.test/x"))
    assert [contexts.of(address) is None for address in addresses] == [True, False, False, False]
    frontier.forget(host="c.test")
    assert [contexts.of(address) is None for address in addresses] == [True, True, False, False]
