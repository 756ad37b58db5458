"""Statements about feeds, their entries, agents and media."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.feeds import values, vocabulary
from gossamer.transform.feeds.values import MAIL, Kind, Scope
from gossamer.transform.iris import join
from gossamer.transform.terms import RDF, A, Term, iri, known, triple

_MAIL_AND_NAME: Final = re.compile(rf"({MAIL})(?:\s*\(([^()]*)\))?")
_NAME_AND_MAIL: Final = re.compile(rf"([^<>]*)<({MAIL})>")
_NAME_AND_MAIL_AFTER: Final = re.compile(rf"([^()]*)\(({MAIL})\)")
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Agent:
    """A person or organisation, as far as a feed describes it."""

    name: str = ""
    mail: str = ""
    homepage: str = ""

    @classmethod
    def from_text(cls, text: str) -> "Agent":
        """An agent from `a@b.test (Name)`, `Name <a@b.test>`, `Name (a@b.test)`, an address or a name."""
        text = text.strip()
        if len(text) <= 500:  # longer than anybody
            if match := _MAIL_AND_NAME.fullmatch(text):
                return cls(match[2] or "", match[1])
            if match := _NAME_AND_MAIL.fullmatch(text) or _NAME_AND_MAIL_AFTER.fullmatch(text):
                return cls(match[1].rstrip(), match[2])
        return cls(text)


@dataclass(frozen=True, slots=True)
class Media:
    """A file that belongs to an entry."""

    url: str
    media_type: str = ""
    size: str = ""
    title: str = ""
    description: str = ""
    duration: str = ""
    width: str = ""
    height: str = ""


class Teller:
    """Makes the statements of one feed, and names its blank nodes."""

    def __init__(self, document: Document, syntax: Syntax) -> None:
        self._document = document
        self._syntax = syntax
        self._numbers = count()

    def blank(self) -> Term:
        """A new blank node of this feed."""
        return self._document.blank(f"d{next(self._numbers)}")

    def named(self, address: str, scope: Scope) -> Term | None:
        """The node for a link, or None."""
        return iri(join(scope.base, address)) if address.strip() else None

    def identified(self, identifier: str) -> Term | None:
        """The node for an identifier, if it is an absolute http(s) URL."""
        return iri(identifier.strip()) if _WEB.match(identifier.strip()) else None

    def say(
        self,
        subject: Term,
        predicate: Term,
        kind: Kind,
        value: str,
        scope: Scope,
        line: int | None = None,
    ) -> Iterator[Item]:
        """Say one statement; none if the value is empty."""
        if value := value.strip():
            found = kind(value, scope)
            if isinstance(found, Problem):
                yield replace(found, syntax=self._syntax, line=line)
            else:
                yield triple(subject, predicate, found)

    def agent(
        self, subject: Term, predicate: Term, agent: Agent, scope: Scope, line: int | None = None
    ) -> Iterator[Item]:
        """The statements about a person or organisation of an entry; none without any data."""
        node = self.blank() if agent.name.strip() or agent.mail or agent.homepage else None
        if node is not None:
            yield triple(subject, predicate, node)
            yield triple(node, A, vocabulary.AGENT)
            told = (
                (vocabulary.NAME_OF_AGENT, values.code, agent.name),
                (vocabulary.MAILBOX, values.mailbox, agent.mail),
                (vocabulary.HOMEPAGE, values.address, agent.homepage),
            )
            for property_, kind, value in told:
                yield from self.say(node, property_, kind, value, scope, line)

    def media(
        self, subject: Term, media: Media, scope: Scope, line: int | None = None
    ) -> Iterator[Item]:
        """The statements about a media file; none without a URL."""
        if not media.url.strip():
            return
        node = self.blank()
        yield triple(subject, vocabulary.ASSOCIATED_MEDIA, node)
        yield triple(node, A, vocabulary.MEDIA_OBJECT)
        told = (
            (vocabulary.CONTENT_URL, values.address, media.url),
            (vocabulary.ENCODING_FORMAT, values.code, media.media_type),
            (vocabulary.CONTENT_SIZE, values.code, media.size),
            (vocabulary.NAME, values.text, media.title),
            (vocabulary.DESCRIPTION_OF_MEDIA, values.text, media.description),
            (vocabulary.DURATION, values.duration, media.duration),
            (vocabulary.WIDTH, values.integer, media.width),
            (vocabulary.HEIGHT, values.integer, media.height),
        )
        for property_, kind, value in told:
            yield from self.say(node, property_, kind, value, scope, line)

    def sequence(self, feed: Term) -> "Sequence":
        """The list of a feed's entries."""
        return Sequence(feed, self.blank())

    def problem(self, message: str) -> Problem:
        """A problem of this feed."""
        return Problem(message, self._syntax)


class Sequence:
    """The entries of a feed in order: an rdf:Seq."""

    def __init__(self, feed: Term, node: Term) -> None:
        self._feed = feed
        self._node = node
        self._numbers = count(1)

    def start(self) -> Iterator[Item]:
        """State that the list exists, even if it stays empty."""
        yield triple(self._feed, vocabulary.ITEMS, self._node)
        yield triple(self._node, A, vocabulary.SEQUENCE)

    def member(self, entry: Term) -> Item:
        """State that an entry is the next member of the list."""
        return triple(self._node, known(f"{RDF}_{next(self._numbers)}"), entry)
