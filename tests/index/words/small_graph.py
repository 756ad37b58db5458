"""A small graph and its words, in a folder: pages to write, and everything that words hold."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tantivy

from gossamer.index.graph.folder import GraphFolder
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.store import GraphStore
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import Words, WordsFolder, made, opened
from gossamer.index.words.keeping import catch_up, make_anew
from gossamer.index.words.searching import answered
from gossamer.index.words.throttle import WordsThrottle
from gossamer.transform.text.page_text import PageText

S = "http://schema.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
FIELDS = (
    *("home", "name", "text", "label", "type", "property", "host", "language", "form"),
    *("title", "heading", "body", "rest"),
)


def page(url: str, *triples: str, drop: bool = False, has_other_text: bool = False) -> PageGraphs:
    """A page that says these triples, in N-Triples without their dots."""
    nquads = "".join(f"{triple} <{url}> .\n" for triple in triples)
    fetch = f'<{url}> <http://v.test/fetched> "now" <{url}#fetch> .\n'
    return PageGraphs(
        url, nquads.encode(), fetch.encode(), drop=drop, has_other_text=has_other_text
    )


def thing(iri: str, kind: str = "Person", **said: str) -> list[str]:
    """Triples about a thing: what is an IRI or has quotes is left as it is."""
    subject = iri if iri.startswith("_:") else f"<{iri}>"
    terms = {key: text if text[0] in '<"_' else f'"{text}"' for key, text in said.items()}
    kinds = [f"{subject} {TYPE} <{S}{kind}>"] if kind else []
    return [*kinds, *(f"{subject} <{S}{key}> {term}" for key, term in terms.items())]


class HeldTexts(dict[str, bytes]):
    """The visible texts of pages, by their names."""

    def of(self, names: Iterable[str]) -> dict[str, bytes]:
        return {name: self[name] for name in names if name in self}

    def names(self) -> Iterator[str]:
        return iter(self.keys())


@dataclass
class Small:
    """A graph, and words that follow it, in this process."""

    folder: Path
    store: GraphStore
    words: Words
    texts: HeldTexts = field(default_factory=HeldTexts)

    @classmethod
    def make(cls, folder: Path) -> "Small":
        store = GraphStore.open(folder / "graph")
        store.follow("ada")
        made(WordsFolder(folder / "words"), "ada").finish()
        return cls(folder, store, opened(WordsFolder(folder / "words")))

    def show(self, url: str, text: PageText, *triples: str) -> None:
        """Have a page say these triples, and show this text."""
        self.texts[url] = text.pack()
        self.say(page(url, *triples, has_other_text=True))

    def say(self, *pages: PageGraphs) -> None:
        assert not self.store.replace(pages)

    def follow(self, pace: WordsThrottle | None = None) -> None:
        """Take up what was noted; without a pace, everything."""
        segments = self.store.cut().segments
        journal = GraphFolder(self.folder / "graph").journal
        snapshot = self.store.snapshot()
        everything = pace is None
        catch_up(
            self.words,
            journal,
            segments,
            str(snapshot),
            pace or WordsThrottle(),
            everything=everything,
            texts=self.texts,
        )
        self.store.release(snapshot)

    def anew(self) -> Words:
        """Words made of the whole graph, elsewhere."""
        folder = WordsFolder(self.folder / "anew" / "words")
        snapshot = self.store.snapshot()
        make_anew(folder, "ada", str(snapshot), lambda _: None, texts=self.texts)
        self.store.release(snapshot)
        folder.put_in_place()
        return opened(folder)

    def found(self, text: str, **other: Any) -> list[str]:
        """The labels of what is found, best first."""
        return labels(self.answer(text, **other))

    def answer(self, text: str, **other: Any) -> dict[str, Any]:
        return answered(self.words, Search(text=text, **other))


def labels(answer: Mapping[str, Any]) -> list[str]:
    return [result["label"] for result in answer["results"]]


def held(words: Words) -> dict[str, Any]:
    """Everything that words hold, in no order: documents, terms by field, and who is gathered where."""
    searcher = words.searcher()
    everything = tantivy.Query.all_query()
    hits = searcher.search(everything, 100_000).hits
    shown = [json.loads(bytes(searcher.doc(address)["shown"][0])) for _, address in hits]
    weights = searcher.fast_field_values("weight", [address for _, address in hits])
    return {
        "documents": {each["id"]: each for each in shown},
        "count": len(shown),
        "weights": dict(zip((each["id"] for each in shown), weights, strict=True)),
        "members": words.members.all(),
        **{field: _terms(searcher, field) for field in FIELDS},
    }


def _terms(searcher: tantivy.Searcher, field: str) -> dict[str, int]:
    everything = tantivy.Query.all_query()
    found: Iterable[tuple[str, int]] = searcher.terms_with_prefix(field, "", everything)
    return dict(found)
