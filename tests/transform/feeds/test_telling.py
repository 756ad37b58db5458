import pytest
from tests.transform.feeds.reading import URL, problems, short

from gossamer.model import Syntax
from gossamer.transform.document import Document
from gossamer.transform.feeds import values
from gossamer.transform.feeds.telling import Agent, Media, Teller
from gossamer.transform.feeds.values import Scope
from gossamer.transform.feeds.vocabulary import CREATOR, TITLE
from gossamer.transform.terms import known

SCOPE = Scope(URL, None)
FEED = known(URL)


def teller() -> Teller:
    return Teller(Document(URL, b""), Syntax.RSS)


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("a@b.test (Ada Lovelace)", Agent("Ada Lovelace", "a@b.test")),
        ("a@b.test", Agent("", "a@b.test")),
        ("Ada Lovelace <a@b.test>", Agent("Ada Lovelace", "a@b.test")),
        (" Ada Lovelace ", Agent("Ada Lovelace")),
        ("x" * 1000, Agent("x" * 1000)),
    ],
)
def test_authors_are_told_apart_from_their_addresses(text: str, agent: Agent) -> None:
    assert Agent.from_text(text) == agent


def test_an_empty_value_says_nothing() -> None:
    assert list(teller().say(FEED, TITLE, values.text, " \n", SCOPE)) == []
    assert list(teller().agent(FEED, CREATOR, Agent(" "), SCOPE)) == []
    assert list(teller().media(FEED, Media(" ", "audio/mpeg"), SCOPE)) == []


def test_a_problem_has_syntax_and_line() -> None:
    (problem,) = teller().say(FEED, TITLE, values.address, "//[", SCOPE, 7)
    assert (problem.syntax, problem.line) == ("rss", 7)  # type: ignore[union-attr]  # it is one


def test_an_agent_with_a_bad_address_keeps_the_name() -> None:
    items = list(teller().agent(FEED, CREATOR, Agent("Ada", "ada at b", "/ada"), SCOPE))
    assert short(items) == [
        f"<{URL}> dcterms:creator _:d0",
        "_:d0 rdf:type foaf:Agent",
        '_:d0 foaf:name "Ada"',
        "_:d0 foaf:homepage <https://example.test/ada>",
    ]
    assert len(problems(items)) == 1


def test_links_and_web_addresses_name_entries() -> None:
    assert teller().named("x", SCOPE) == f"<{URL}x>"
    assert teller().named(" ", SCOPE) is None
    assert teller().identified(" http://x.test/ ") == "<http://x.test/>"
    assert teller().identified("x") is None
    assert teller().identified("tag:x") is None


def test_a_sequence_counts_from_one() -> None:
    sequence = teller().sequence(FEED)
    items = [*sequence.start(), sequence.member(FEED), sequence.member(FEED)]
    assert short(items) == [
        f"<{URL}> rss:items _:d0",
        "_:d0 rdf:type rdf:Seq",
        f"_:d0 rdf:_1 <{URL}>",
        f"_:d0 rdf:_2 <{URL}>",
    ]
