"""What is kept of all pages, on a server: the same promises as `GraphStore`, as far as it keeps them.

**Pages are replaced together**, many in one update, which servers make as a whole. Before it, one
query tells which of their graphs there are. A page too large for an update goes graph by graph, by
the Graph Store Protocol: each graph is whole, not all of them at once. Whatever is sent may be sent
again. A page that the server refuses is left as it was; the others of its update are not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

import pyoxigraph as ox

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.graph.names import fetch_graph
from gossamer.index.graph.page_diff import Holding, changed, farewell, replacement
from gossamer.index.graph.pages import (
    Content,
    PageChanged,
    PageGraphs,
    PageRefused,
    RefusedError,
    check_name,
    content_of,
    without_repeats,
)
from gossamer.index.graph.schema_rewrite import PAGES_AT_ONCE as REWRITTEN_AT_ONCE
from gossamer.index.graph.schema_rewrite import rewritten
from gossamer.index.server.address import Endpoints, Server
from gossamer.index.server.finding import (
    PROBE,
    asked,
    found,
    query_request,
    update_request,
)
from gossamer.index.server.http import BUSY, CUT, Http, Request, ServerAnswer
from gossamer.index.server.updates import (
    Sizes,
    Step,
    bounded,
    dropped,
    holdings_query,
    in_pieces,
    in_rdf_1_1,
    other_forms_query,
    present,
    quads_query,
    replaced,
    request,
)
from gossamer.index.words.affected import touched
from gossamer.index.words.journal import Touched
from gossamer.transform.schema_forms import is_of_schema_org

BAD_QUERY: Final = (400, 413, 422)
MOST_ANSWER_BYTES: Final = 1024 * 1024 * 1024
PAGES_AT_ONCE: Final = 200  # in one question
MUCH: Final = 1_000  # statements of a page that is refused, and may be too long for the server


class QueryRefusedError(Exception):
    """The server says that a question of ours is none."""

    def __init__(self, answer: ServerAnswer) -> None:
        super().__init__(answer.message)
        self.answer = answer


class Lookout:
    """Asks a server what it has. For one thread."""

    def __init__(self, server: Server, http: Http, endpoints: Endpoints) -> None:
        self._server = server
        self._http = http
        self._endpoints = endpoints

    def held(self, pages: Sequence[str], refused: list[PageRefused]) -> dict[str, Sizes]:
        """The graphs that there are of pages, with those that are empty; without pages refused."""
        held: dict[str, Sizes] = {}
        for start in range(0, len(pages), PAGES_AT_ONCE):
            self._look_up(pages[start : start + PAGES_AT_ONCE], held, refused)
        return held

    def _look_up(
        self, pages: Sequence[str], held: dict[str, Sizes], refused: list[PageRefused]
    ) -> None:
        names = {fetch_graph(page): page for page in pages}
        try:
            rows = self._rows(holdings_query(pages))
        except QueryRefusedError as error:  # it takes one of the names for none
            if len(pages) == 1:
                refused.append(refusal(pages[0], error.answer))
                return
            middle = len(pages) // 2
            self._look_up(pages[:middle], held, refused)
            self._look_up(pages[middle:], held, refused)
            return
        held.update((page, {}) for page in pages)
        for row in rows:
            fetch, graph, size = row["fetch"], row["graph"], row["size"]
            assert isinstance(fetch, ox.NamedNode)
            if isinstance(graph, ox.NamedNode) and isinstance(size, ox.Literal):
                held[names[fetch.value]][graph] = int(size.value)

    def in_other_forms(self) -> frozenset[str]:
        """The pages whose graphs have a name of schema.org in another than the one form."""
        rows = self._rows(other_forms_query())
        names = {row["graph"] for row in rows}
        pages = (name.value.partition("#")[0] for name in names if isinstance(name, ox.NamedNode))
        return frozenset(page for page in pages if not is_of_schema_org(page))

    def quads(self, graphs: Sequence[ox.NamedNode]) -> dict[ox.NamedNode, list[ox.Quad]]:
        """What is in these graphs."""
        by_graph: dict[ox.NamedNode, list[ox.Quad]] = {}
        for row in self._rows(quads_query(graphs)) if graphs else ():
            graph = row["graph"]
            assert isinstance(graph, ox.NamedNode)
            quad = ox.Quad(row["subject"], row["predicate"], row["object"], graph)
            by_graph.setdefault(graph, []).append(quad)
        return by_graph

    def _rows(self, query: str) -> Iterable[ox.QuerySolution]:
        sending = query_request(self._endpoints, query, timeout=self._server.timeout)
        answer = asked(self._http, self._server, sending, MOST_ANSWER_BYTES)
        if answer.is_good:
            try:
                rows = ox.parse_query_results(answer.body, format=ox.QueryResultsFormat.JSON)
                assert isinstance(rows, ox.QuerySolutions)
                if answer.cut_at is None:
                    return rows
                held = list(rows)
                if len(held) < answer.cut_at:
                    return held
                raise GraphError(CUT.format(self._endpoints.query, answer.cut_at))
            except SyntaxError as error:
                what = f"what cannot be read ({error.msg})"
        elif answer.status in BAD_QUERY:
            raise QueryRefusedError(answer)
        else:
            what = answer.message
        raise GraphAwayError(f"The SPARQL server at {self._server.url} answers {what} to a query.")


def refusal(page: str, answer: ServerAnswer) -> PageRefused:
    """A page that the server does not take."""
    return PageRefused(page, f"The SPARQL server refuses what the page says ({answer.message}).")


NOT_ABOUT_THE_PAGE: Final = (401, 403, 404, 405, *BUSY)  # it took updates when we began
QUADS_AT_ONCE: Final = 100_000


class ServerStore:
    """The graph on a server. For one thread."""

    def __init__(self, server: Server, http: Http, endpoints: Endpoints) -> None:
        self._server = server
        self._http = http
        self._endpoints = endpoints
        self._lookout = Lookout(server, http, endpoints)
        self._to_rewrite: list[str] | None = None  # pages, while `unify_schema` is called
        self._looked_at: tuple[PageGraphs, ...] = ()

    @classmethod
    def open(cls, server: Server, *, writing: bool = True) -> "ServerStore":
        """The graph on this server; raises `GraphError`, or `GraphAwayError` where it is not there now."""
        http = Http(server)
        return cls(server, http, found(http, server, writing=writing))

    def replace(
        self, pages: Sequence[PageGraphs], differences: list[PageChanged] | None = None
    ) -> list[PageRefused]:
        """Have the graph hold this of these pages, in turn; the pages that are left as they were.

        How much of what pages say is new goes into `differences`, where that is wanted.
        """
        refused: list[PageRefused] = []
        for run in without_repeats(pages):
            checked = dict(_checked(run, refused))
            held = self._lookout.held(list(checked), refused)
            checked = {page: content for page, content in checked.items() if page in held}
            if differences is not None:
                checked = dict(self._compared(checked, held, differences))
            large: list[Content] = []
            steps = self._steps(checked, held, large)
            for group in bounded(steps, self._server.max_update_bytes):
                before = len(refused)
                self._make(group, refused)
                large += _too_long(refused, before, checked)
            for content in large:
                self._put(content, held[content.page], refused)
        return refused

    def look(self, pages: Sequence[PageGraphs]) -> Touched:
        """Of whom `replace_looked_at` will have the graph say something else."""
        self._looked_at = tuple(pages)
        found = Touched(frozenset(page.url for page in pages if page.is_news))
        for run in without_repeats(pages):
            checked = dict(_checked(run, []))
            held = self._lookout.held(list(checked), [])
            checked = {page: content for page, content in checked.items() if page in held}
            # Of the others, nothing that they say changes.
            spoken = [page for page, content in checked.items() if _speaks(content)]
            for group in _groups(spoken, held):
                found |= self._touched({page: checked[page] for page in group}, held)
        return found

    def replace_looked_at(self, differences: list[PageChanged] | None = None) -> list[PageRefused]:
        """Replace the pages that were looked at last."""
        pages, self._looked_at = self._looked_at, ()
        return self.replace(pages, differences)

    def _touched(
        self, contents: Mapping[str, Content | None], held: Mapping[str, Sizes]
    ) -> Touched:
        quads = self._lookout.quads([name for page in contents for name in present(held[page])])
        changes = {}
        for page, content in contents.items():
            sizes = present(held[page])
            source = frozenset(quad for name in sizes for quad in quads.get(name, ()))
            known = Holding(frozenset(), source, sizes)
            changes[page] = (
                farewell(page, known) if content is None else replacement(known, content)
            )
        return touched(changes, lambda graph: quads.get(graph, ()))

    def unify_schema(self) -> tuple[list[PageChanged], int]:
        """Rewrite names of schema.org in some pages; how much that changes, and how many pages are left.

        To be called until none is left. Each page is rewritten as a whole or not at all; graphs that are
        no pages of ours stay as they are.
        """
        if self._to_rewrite is None:
            self._to_rewrite = sorted(self._lookout.in_other_forms(), reverse=True)
        pages = [
            self._to_rewrite.pop() for _ in range(min(REWRITTEN_AT_ONCE, len(self._to_rewrite)))
        ]
        refused: list[PageRefused] = []
        held = self._lookout.held(pages, refused)
        found: list[PageChanged] = []
        for page in held:
            content, difference = self._rewritten(page, present(held[page]))
            if content is None or difference is None:
                continue
            before = len(refused)
            step = replaced(content, held[page])
            if step.size > self._server.max_update_bytes:
                self._put(content, held[page], refused)
            else:
                self._make([step], refused)
            if len(refused) == before:
                found.append(difference)
        left = len(self._to_rewrite)
        if not left:
            self._to_rewrite = None
        return found, left

    def _rewritten(self, page: str, sizes: Sizes) -> tuple[Content | None, PageChanged | None]:
        if not sizes:
            return None, None
        fetch = ox.NamedNode(fetch_graph(page))
        quads = self._lookout.quads([fetch, *sizes])
        source = frozenset(quad for name in sizes for quad in quads.get(name, ()))
        content = rewritten(page, source, quads.get(fetch, ()))
        if content is None:
            return None, None
        return content, changed(page, replacement(Holding(frozenset(), source, sizes), content))

    def _steps(
        self, checked: dict[str, Content | None], held: dict[str, Sizes], large: list[Content]
    ) -> Iterator[Step]:
        for page, content in checked.items():
            before = held[page]
            if content is None:
                if before:
                    yield dropped(page, before)
                continue
            step = replaced(content, before)
            if step.size > self._server.max_update_bytes and content.source:
                large.append(content)
            else:
                yield step

    def _make(self, steps: Sequence[Step], refused: list[PageRefused]) -> None:
        """Make one update; where the server refuses it, its halves, until it is one page's fault."""
        answer = self._update(request(steps))
        if answer.is_good:
            return
        if len(steps) > 1:
            middle = len(steps) // 2
            self._make(steps[:middle], refused)
            self._make(steps[middle:], refused)
        else:
            refused.append(refusal(steps[0].page, answer))

    def _put(self, content: Content, held: Sizes, refused: list[PageRefused]) -> None:
        whole = in_pieces(content, held)
        if whole.before.data:
            self._update(request([whole.before]))
        for name, quads in whole.graphs:
            # Whether it takes whole graphs nobody has tried before: if not, that is this page's.
            answer = self._sent(self._put_request(name, quads), BUSY)
            if not answer.is_good:
                refused.append(refusal(content.page, answer))
                return
        self._make([whole.after], refused)

    def _put_request(self, graph: ox.NamedNode, quads: frozenset[ox.Quad]) -> Request:
        mark = "&" if "?" in self._endpoints.store else "?"
        url = f"{self._endpoints.store}{mark}graph={quote(graph.value, safe='')}"
        body = b"".join(f"{quad.triple} .\n".encode() for quad in quads)
        return Request(
            url, body, "application/n-triples", method="PUT", timeout=self._server.timeout
        )

    def _update(self, text: bytes) -> ServerAnswer:
        sending = update_request(self._endpoints, self._server, text)
        return self._sent(sending, NOT_ABOUT_THE_PAGE)

    def _sent(self, sending: Request, away: Sequence[int]) -> ServerAnswer:
        """The answer to what changes something; raises `GraphAwayError` where it is not about that."""
        answer = asked(self._http, self._server, sending)
        if answer.is_good or (answer.status not in away and self._is_refusal(answer)):
            return answer
        raise GraphAwayError(
            f"The SPARQL server does not keep what it is sent: {sending.url} answers {answer.message}."
        )

    def _is_refusal(self, answer: ServerAnswer) -> bool:
        """Whether a bad answer is about what was sent, rather than about the server."""
        if answer.status < 500:
            return True
        # It failed. By what it was sent, if it takes something else.
        probe = update_request(self._endpoints, self._server, PROBE.encode())
        return asked(self._http, self._server, probe).is_good

    def _compared(
        self,
        checked: dict[str, Content | None],
        held: dict[str, Sizes],
        differences: list[PageChanged],
    ) -> Iterator[tuple[str, Content | None]]:
        """The pages, those that say what they said without what they say; and what the others changed."""
        for group in _groups(list(checked), held):
            quads = self._lookout.quads([name for page in group for name in present(held[page])])
            for page in group:
                content, sizes = checked[page], present(held[page])
                source = frozenset(quad for name in sizes for quad in quads.get(name, ()))
                known = Holding(frozenset(), source, sizes)
                change = farewell(page, known) if content is None else replacement(known, content)
                difference = changed(page, change)
                if difference is not None:
                    differences.append(difference)
                yield page, _as_before(content) if difference is None and held[page] else content


def _too_long(
    refused: list[PageRefused], before: int, contents: Mapping[str, Content | None]
) -> list[Content]:
    """Take pages that say much from those refused: they are tried again, graph by graph.

    Some servers read no update beyond some thousand lines, however short.
    """
    found = []
    for each in refused[before:]:
        content = contents[each.url]
        if content is not None and content.source and len(content.source) >= MUCH:
            found.append(content)
            refused.remove(each)
    return found


def _speaks(content: Content | None) -> bool:
    """Whether a page brings something to say, or is to go."""
    return content is None or content.source is not None


def _checked(
    pages: Sequence[PageGraphs], refused: list[PageRefused]
) -> Iterator[tuple[str, Content | None]]:
    """What pages bring, None of those to be dropped."""
    for page in pages:
        try:
            check_name(page.url)
            yield page.url, None if page.drop else _content(page)
        except RefusedError as error:
            refused.append(PageRefused(page.url, str(error)))


def _content(page: PageGraphs) -> Content:
    content, text = content_of(page), page.nquads or b""
    has_directions = b'"@' in text and (b"--ltr" in text or b"--rtl" in text)
    return in_rdf_1_1(content) if has_directions or b"<<(" in text else content


def _groups(pages: Sequence[str], held: dict[str, Sizes]) -> Iterator[list[str]]:
    """Pages, as many at once as can be held in memory with all they say."""
    group: list[str] = []
    size = 0
    for page in pages:
        quads = sum(held[page].values())
        if group and (size + quads > QUADS_AT_ONCE or len(group) == PAGES_AT_ONCE):
            yield group
            group, size = [], 0
        group.append(page)
        size += quads
    if group:
        yield group


def _as_before(content: Content | None) -> Content | None:
    return content and Content(content.page, None, content.fetch)
