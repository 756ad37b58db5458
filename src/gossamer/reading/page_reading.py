"""A page being read in this process: each part of what it says is worked out when first asked for.

A crawl's worker asks for all parts at once (`extract_page`), a program for those that it uses (`gossamer.Page`). The
parsed document is shared by all parts. It is many times as large as the page, so of the pages that a thread
reads, the latest alone keeps it: who goes back to an earlier one for another part has it parsed again.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from threading import local
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import ref

from selectolax.lexbor import LexborHTMLParser

from gossamer.detect import claimed_notation, contradiction, detect, root_languages
from gossamer.duplicates.sketch import sketch_of
from gossamer.extract import (
    LinkQuery,
    distinct,
    hints_of,
    links_of,
    meta_directives,
    page_text,
    page_title,
    targets_of,
)
from gossamer.extract.link_plugins import (
    filter_links,
    has_filters,
    has_priorities,
    link_points,
)
from gossamer.fetch.decode import Decoded, decode
from gossamer.focus.hints import MOST_TAGS, LinkHint, pack_hints, words_in
from gossamer.focus.matching import FoundThings, finder_of
from gossamer.model import Cause, Detection, Link, Problem, Syntax
from gossamer.politeness.challenge import MOST_LINKS, wall_by_form
from gossamer.reading.jobs import NOWHERE, QUERY, TEXT, Extracted, PageJob, Share, Targets
from gossamer.reading.readers_mark import readers_mark
from gossamer.reading.wanted import wanted_items, wanted_syntaxes
from gossamer.report.finding import Finding, PageFact
from gossamer.transform.assemble import MOST_PROBLEMS, Assembly
from gossamer.transform.document import Document, Kept, Transform
from gossamer.transform.excerpt import FROM_EXCERPT, SHORTEST, excerpt
from gossamer.transform.iris import mended
from gossamer.transform.items.readers import ITEM_READERS, Items, as_json, read_items
from gossamer.transform.pdf.statements import pdf_title
from gossamer.transform.statement_hash import statement_hash
from gossamer.transform.text.html import take_text
from gossamer.transform.visible_text import text_hash, visible_text
from gossamer.wording import quoted

if TYPE_CHECKING:
    from gossamer.report.page import RulePage

_LOST: Final = "Characters are lost: some bytes are not {}, and are read as U+FFFD."
_PLAIN: Final = frozenset({Syntax.PAGE, Syntax.OPEN_GRAPH})
_CANONICAL: Final = re.compile(rb"<http://www\.iana\.org/assignments/relation/canonical> <([^>]+)>")
_PART: Final = "The page is too large: its first {:,} bytes were read."
_CUT: Final = Problem("The markup nests or repeats beyond all reason; the rest is left out.")


@dataclass(frozen=True, slots=True)
class PageStatements:
    """What a page states, and what was wrong with it."""

    nquads: bytes
    count: int
    problems: tuple[Problem, ...]
    shares: tuple[Share, ...] = ()
    is_lossy: bool = False


class Leads(NamedTuple):
    """Where a page leads: its links, or nothing but their addresses."""

    links: tuple[Link, ...] = ()
    targets: Targets = NOWHERE
    problems: tuple[Problem, ...] = ()
    is_lossy: bool = False
    points: int = 0  # for all of them


class PageReading:
    """One page and what is wanted of it; attributes are worked out once."""

    def __init__(self, job: PageJob) -> None:
        self.url = job.url
        self._job = job
        self._source = mended(job.url.partition("#")[0])
        self._item_problems: list[Problem] = []

    @Kept
    def detection(self) -> Detection:
        """What the page is taken for."""
        job = self._job
        return detect(self._decoded.body, job.url, job.content_type, is_text=job.is_text)

    @property
    def cause(self) -> Cause | None:
        """Why the body is not all of the page."""
        if self._source is None or self._is_part:
            return None
        return self._decoded.cause

    @property
    def _is_part(self) -> bool:
        """Whether this is the first part of a page that is too large."""
        decoded, job = self._decoded, self._job
        if job.is_part:
            return decoded.cause in (None, Cause.TRUNCATED, Cause.TOO_LARGE)
        return job.takes_part and decoded.over_limit

    @property
    def nquads(self) -> bytes:
        """Every quad once, in a fixed order."""
        return self.statements.nquads

    @property
    def count(self) -> int:
        """The number of quads."""
        return self.statements.count

    @property
    def shares(self) -> tuple[Share, ...]:
        """Which syntax said what."""
        return self.statements.shares

    @property
    def links(self) -> tuple[Link, ...]:
        """Where the page leads."""
        return self._leads.links

    @property
    def targets(self) -> Targets:
        """The addresses of its links, where the job wants no more."""
        return self._leads.targets

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the page, after reading its statements and links."""
        statements, leads = self.statements, self._leads
        asked = self._wanted.problems
        found = dict.fromkeys(
            chain(statements.problems, leads.problems, self._item_problems, asked)
        )
        if statements.is_lossy or leads.is_lossy:
            found[Problem(_LOST.format(self.detection.encoding))] = None
        return tuple(islice(found, MOST_PROBLEMS))

    @Kept
    def directives(self) -> tuple[tuple[str, str], ...]:
        """Directives for robots in meta elements: name and content."""
        if self._source is None:
            return ()
        return tuple(meta_directives(self._document, self.detection))

    def read_items(self) -> Items:
        """The items of the page by kind."""
        return self._items

    @property
    def items(self) -> Items:
        """The items of the page by kind."""
        return self._items

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the rules of reports find."""
        from gossamer.report.rules import check_page  # and all that rules need: on request

        return tuple(check_page(self._rule_page, options=self._job.report))

    @property
    def facts(self) -> tuple[PageFact, ...]:
        """What the page says that is compared with other pages."""
        from gossamer.report.facts import page_facts

        return tuple(page_facts(self._rule_page))

    @Kept
    def _rule_page(self) -> "RulePage":
        from gossamer.report.page import RulePage

        return RulePage(
            self,
            self._source_text,
            self._source_tree,
            self._job.robots_tag,
            lambda: self._visible_text,
        )

    def _source_text(self) -> str:
        return "" if self._source is None else self._document.text

    def _source_tree(self) -> LexborHTMLParser | None:
        if self._source is None or Syntax.PAGE not in self.detection.syntaxes:
            return None
        return self._document.html

    @Kept
    def _items(self) -> Items:
        if self._source is None or not (self._job.find_items or self._job.finds_faults):
            return {}
        only = self._job.options.only
        # Whoever wants one syntax of a page, and no quads, need not have it searched for the others.
        detection = vars(self).get("detection") or self._narrow_detection
        held, kinds = frozenset(detection.syntaxes), wanted_items(only)
        document = (kinds and self._excerpt(kinds, detection)) or self._document
        return read_items(document, held, kinds, self._item_problems)

    def _excerpt(self, kinds: frozenset[str], detection: Detection) -> Document | None:
        """What a long page says in these kinds of items, where they need no tree of all of it."""
        body, job = self._decoded.body, self._job
        is_parsed = "html" in vars(vars(self).get("_document", self))
        if (
            len(body) < SHORTEST
            or not kinds <= FROM_EXCERPT.keys()
            or is_parsed
            or Syntax.PAGE not in detection.syntaxes
            or not any(ITEM_READERS[kind][0] in detection.syntaxes for kind in kinds)
            or not job.json_ld.is_plain
        ):
            return None
        document = self._document
        markup = excerpt(document.utf_8, frozenset().union(*(FROM_EXCERPT[kind] for kind in kinds)))
        return None if markup is None else document.of_markup(markup)

    @Kept
    def _narrow_detection(self) -> Detection:
        job, wanted = self._job, wanted_syntaxes(self._job.options.only)
        if wanted is None:
            return self.detection
        return detect(
            self._decoded.body, job.url, job.content_type, is_text=job.is_text, wanted=wanted
        )

    def extracted(self) -> Extracted:
        """All parts that the job asks for, as a value that can travel."""
        items_json = b""
        if self._job.find_items:
            most_bytes = self._job.options.max_nquads_bytes
            items_json = as_json(self._items, most_bytes, self._item_problems)
        statements = self.statements
        extracted = Extracted(
            url=self.url,
            detection=self.detection,
            nquads=statements.nquads,
            count=statements.count,
            links=self.links,
            problems=self.problems,
            directives=self.directives,
            cause=self.cause,
            targets=self.targets,
            items_json=items_json,
            shares=statements.shares,
            points=self._leads.points,
            findings=self.findings if self._job.finds_faults else (),
            facts=self.facts if self._job.finds_faults else (),
            said_hash=self._said_hash() if self._job.hashes else b"",
            text_hash=self._text_hash() if self._job.hashes else b"",
            wanted=self._wanted.things,
            hints=self._hints(),
            wall=self._wall() if self._job.hashes else None,
            languages=root_languages(self._decoded.body) if self._job.tells_languages else (),
            sketch=self._sketch() if self._job.hashes else b"",
            canonical=self._canonical if self._job.hashes else None,
        )
        if self._job.hidden_links or self._job.forms:
            extracted = replace(extracted, hidden=self._hidden())
        if self._job.text == "none":
            return extracted
        text, flaws = self._take_text()  # last, for it uses the tree up
        return replace(extracted, text=text, problems=(*extracted.problems, *flaws))

    def _sketch(self) -> bytes:
        """What the page is compared with others by."""
        if self._source is None or self.cause is not None:
            return b""
        # An address of its own means the page, with parameters or without, or as it is called properly.
        own = {self._source, self._source.partition("?")[0], self._canonical or self._source}
        said = self._said_hash()
        if len(own) > 1:
            said = statement_hash(self.nquads, self._source, own)
        has_data = not _PLAIN.issuperset(self.detection.syntaxes)
        return sketch_of(self._visible_text or "", said, has_data=has_data).pack()

    @Kept
    def _canonical(self) -> str | None:
        """The one other address that the page names as the right one."""
        named = {found[1].decode() for found in _CANONICAL.finditer(self.nquads)}
        return named.pop() if len(named) == 1 and self._source not in named else None

    def _wall(self) -> str | None:
        """The bot wall whose challenge the page is; pages with many links are not looked through."""
        count = self.targets.vouched.count(b"\n") + len(self.links)
        return wall_by_form(self._decoded.body) if count < MOST_LINKS else None

    @Kept
    def _wanted(self) -> FoundThings:
        """The things that are wanted of the page."""
        job = self._job
        if self._source is None or not (job.want or job.want_words):
            return FoundThings()

        def text() -> str:
            return page_text(self._document, self.detection)

        return finder_of(job.want, job.want_words).find(job.url, self.nquads, text)

    def _hints(self) -> bytes:
        """Where the page's links stand, and the words with them, where something is wanted first."""
        job = self._job
        vouched = self.targets.urls[0]
        if not vouched or not (job.want or job.want_words):
            return b""
        found = hints_of(self._document, self.detection, job.max_links)
        title = page_title(self._document, self.detection)
        said = (found.get(url, ("", "")) for url in vouched)
        return pack_hints(
            LinkHint(path[:MOST_TAGS], words_in(label, title)) for path, label in said
        )

    def _said_hash(self) -> bytes:
        """The mark of our readers, and the hash of what they found."""
        lacking = {problem.wants for problem in self.problems if problem.wants is not None}
        if self.cause is not None:
            lacking.add(str(self.cause))
        mark = readers_mark(self._job.options, lacking)
        return mark + statement_hash(self.nquads, self._source or "")

    def _text_hash(self) -> bytes:
        """The hash of what people see, where the page was parsed as HTML and is all there."""
        text = self._visible_text if self.cause is None else None
        return b"" if text is None else text_hash(text)

    @Kept
    def _visible_text(self) -> str | None:
        tree = vars(vars(self).get("_document", self)).get("html")
        return None if tree is None else visible_text(tree)

    def _hidden(self) -> Targets:
        """Addresses that the page has for its scripts, and those that its forms lead to."""
        if self._source is None or Syntax.PAGE not in self.detection.syntaxes:
            return NOWHERE
        # Few crawls ask for them.
        from gossamer.extract.form_links import form_links
        from gossamer.extract.hidden_links import hidden_links

        document, job = self._document, self._job
        links = hidden_links(document) if job.hidden_links else []
        return Targets.to(links, form_links(document, job.forms) if job.forms else [])

    def _take_text(self) -> tuple[bytes, tuple[Problem, ...]]:
        """The visible text, packed, and what went wrong; the parsed document is used up and let go of.

        Of a page that is not all there nobody keeps it, and of 64 MB the text takes as much memory as the tree.
        """
        if self._source is None or self.cause is not None:
            return b"", ()
        syntaxes, is_full = self.detection.syntaxes, self._job.text == "full"
        try:
            if Syntax.PAGE in syntaxes:
                text = take_text(self._document.html, is_full=is_full)
                return replace(text, is_part=self._is_part).pack(), ()
            if Syntax.PDF in syntaxes and not isinstance(pdf := self._document.pdf, Problem):
                text = pdf.text(pdf_title(pdf), is_full=is_full)
                return replace(text, is_part=self._is_part).pack(), ()
            return b"", ()
        except MemoryError:
            raise
        except Exception as error:  # a defect of ours costs the text alone
            why = f"Our reader failed ({type(error).__name__}: {error})."
            return b"", (Problem(why, TEXT),)
        finally:
            self.release()

    def release(self) -> None:
        """Let go of the parsed document; it is parsed again if another part is asked for."""
        vars(self).pop("_document", None)

    @Kept
    def _decoded(self) -> Decoded:
        job = self._job
        return decode(job.body, job.content_encoding, job.max_decoded_bytes)

    @Kept
    def _document(self) -> Document:
        _let_go_of_others(self)
        job, detection = self._job, vars(self).get("detection") or self._narrow_detection
        return Document(
            self._source or "",
            self._decoded.body,
            media_type=detection.media_type,
            encoding=detection.encoding,
            options=job.options,
            contexts=job.contexts,
            service=job.service,
            json_ld=job.json_ld,
            # Whoever asks for the API's rules about scripts gets the rule for fragments too.
            fragment="" if job.json_ld.extract_all_scripts is None else job.url.partition("#")[2],
        )

    @Kept
    def statements(self) -> PageStatements:
        """The quads of the page, and what was wrong on the way to them."""
        # With them come pyoxigraph and lxml: on request.
        from gossamer.transform.syntaxes import BEYOND, TRANSFORMS

        job = self._job
        if self._source is None:
            nameless = f"{quoted(job.url)} is no address; a page without one can say nothing."
            return PageStatements(b"", 0, (Problem(nameless),))
        detection, document = self.detection, self._document
        assembly = Assembly(self._source, job.options)
        if self._is_part:
            assembly.note(Problem(_PART.format(len(self._decoded.body))))
        elif self._decoded.problem:
            assembly.note(Problem(self._decoded.problem))
        wanted = wanted_syntaxes(job.options.only)
        syntaxes = _to_read(detection, job, wanted)
        if not job.page_statements and wanted is None:
            # Of a page without mark-up nothing is left to read: it is never parsed.
            syntaxes = tuple(each for each in syntaxes if each is not Syntax.PAGE)
        if _names_a_script(job, wanted) and Syntax.JSON_LD not in syntaxes:
            syntaxes = (*syntaxes, Syntax.JSON_LD)  # an error, by the API's rules
        shares = [self._take(assembly, syntax, TRANSFORMS[syntax], document) for syntax in syntaxes]
        if wanted is None or syntaxes == detection.syntaxes:
            complaint = contradiction(detection, job.url, job.content_type)
            if complaint:
                assembly.note(Problem(complaint))
        if wanted is None:
            shares += [self._take(assembly, *each, document) for each in BEYOND.items()]
        if detection.skipped and not assembly.count:
            assembly.note(Problem(detection.skipped))
        if document.is_cut:
            assembly.note(_CUT)
        return PageStatements(
            assembly.nquads,
            assembly.count,
            assembly.problems,
            tuple(share for share in shares if share is not None),
            document.has_lost_characters,
        )

    def _take(
        self, assembly: Assembly, syntax: str, transform: Transform, document: Document
    ) -> Share | None:
        """Add what a transform finds; a defect of ours on a hostile page costs that syntax alone."""
        before = assembly.count
        try:
            assembly.take(transform(document))
        except MemoryError:
            raise  # the pool knows what that means, and says so
        except Exception as error:
            assembly.note(Problem(f"Our reader failed ({type(error).__name__}: {error}).", syntax))
        if not self._job.tells_shares:
            return None
        share = Share(str(syntax), assembly.count - before, assembly.repeats(before))
        return share if share.quads or share.repeats else None

    @Kept
    def _leads(self) -> Leads:
        job = self._job
        if not job.find_links or self._source is None:
            return Leads()
        nquads = self.statements.nquads
        if job.link_query is not None:
            leads = _asked_leads(job.link_query, nquads, job)
            return _advised(leads, job.url, nquads) if job.bare_links else leads
        detection, document = self.detection, self._document
        if job.bare_links:
            targets = Targets.to(*targets_of(document, detection, nquads, job.max_links))
            leads = Leads(targets=targets, is_lossy=document.has_lost_characters)
            return _advised(leads, job.url, nquads)
        links = tuple(links_of(document, detection, nquads, job.max_links))
        return Leads(links, is_lossy=document.has_lost_characters)


def _advised(leads: Leads, page: str, nquads: bytes) -> Leads:
    """What packages say about links that a crawl may follow: which they leave out, and how urgent the rest is."""
    if has_filters():
        vouched, unvouched, problems = filter_links(page, *leads.targets.urls)
        targets = Targets.to(vouched, unvouched)
        leads = leads._replace(targets=targets, problems=(*leads.problems, *problems))
    if has_priorities():
        points, problems = link_points(page, nquads)
        leads = leads._replace(points=points, problems=(*leads.problems, *problems))
    return leads


_latest: Final = local()


def _let_go_of_others(reading: PageReading) -> None:
    """Of all readings of this thread, the one at work alone has a document."""
    before = getattr(_latest, "reading", None)
    other = None if before is None else before()
    if other is not None and other is not reading:
        other.release()
    _latest.reading = ref(reading)


def _names_a_script(job: PageJob, wanted: frozenset[Syntax] | None) -> bool:
    """Whether JSON-LD is asked for by the API's rules, of the script element that a fragment names."""
    if job.json_ld.extract_all_scripts is None or "#" not in job.url:
        return False
    return wanted is None or Syntax.JSON_LD in wanted


def _to_read(
    detection: Detection, job: PageJob, wanted: frozenset[Syntax] | None
) -> tuple[Syntax, ...]:
    """The syntaxes that are wanted of a page.

    Where one notation of RDF alone is wanted, a document of no other name is read as that, strictly:
    Turtle is then no N-Triples, whatever it looks like.
    """
    if wanted is None:
        return detection.syntaxes
    from gossamer.transform.rdf import NOTATIONS  # with the readers of these: on request

    notations = [syntax for syntax in wanted if syntax in NOTATIONS]
    is_other = any(each in NOTATIONS and each not in wanted for each in detection.syntaxes)
    if is_other and len(notations) == 1:
        claimed = claimed_notation(job.url, job.content_type)
        return () if claimed and claimed not in wanted else (notations[0],)
    return tuple(syntax for syntax in detection.syntaxes if syntax in wanted)


def _asked_leads(query: str, nquads: bytes, job: PageJob) -> Leads:
    """The answers of the user's own query."""
    try:
        links: Iterable[Link] = distinct(islice(_query(query).links(nquads), job.max_links))
    except (OSError, RuntimeError, ValueError) as error:
        problem = Problem(f"The query cannot be asked of this page ({error}).", QUERY)
        return Leads(problems=(problem,))
    return Leads(targets=Targets.of(links)) if job.bare_links else Leads(tuple(links))


@lru_cache(maxsize=1)
def _query(text: str) -> LinkQuery:
    return LinkQuery(text)
