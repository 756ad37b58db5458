"""One page in, everything it says out: detect, transform, extract, in one call. Never fetches.

`gossamer.extract` and the workers of a crawl are both `extract_page`; a worker adds only the
limits on time and memory that no function can put upon itself (`isolation.py`, `page_pool.py`).
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Final, TypedDict, Unpack

from gossamer.config import Transform as Options
from gossamer.detect import claimed_notation, contradiction, detect
from gossamer.extract import LinkQuery, distinct, links_of, meta_directives, targets_of
from gossamer.fetch.decode import decode
from gossamer.model import Detection, Link, Problem, Syntax
from gossamer.reading.jobs import NOWHERE, QUERY, Extracted, PageJob, Targets
from gossamer.reading.wanted import NONE, wanted_syntaxes
from gossamer.transform.assemble import Assembly
from gossamer.transform.document import DEFAULTS, Document, Transform
from gossamer.transform.iris import mended
from gossamer.transform.jsonld.processing import PLAIN, JsonLdOptions
from gossamer.transform.rdf import NOTATIONS
from gossamer.transform.syntaxes import BEYOND, TRANSFORMS
from gossamer.wording import quoted

_LOST: Final = "Characters are lost: some bytes are not {}, and are read as U+FFFD."
_CUT: Final = Problem("The markup nests or repeats beyond all reason; the rest is left out.")


class ExtractOptions(TypedDict, total=False):
    """Keyword arguments that `gossamer.extract` and `gossamer.pages` share."""

    syntaxes: Iterable[str] | None
    contexts: Mapping[str, str | bytes]
    keep_graphs: bool | None
    strict: bool | None
    json_ld: JsonLdOptions
    options: Options | None


def extract(
    body: bytes,
    *,
    url: str,
    content_type: str | None = None,
    syntaxes: Iterable[str] | None = None,
    contexts: Mapping[str, str | bytes] = MappingProxyType({}),
    keep_graphs: bool | None = None,
    strict: bool | None = None,
    json_ld: JsonLdOptions = PLAIN,
    options: Options | None = None,
    isolated: bool = False,
) -> Extracted:
    """Everything that a page says, as quads whose source graph is its URL, without fragment.

    `syntaxes` takes only these (`{"rdfa", "jsonld"}`); `contexts` are JSON-LD contexts and
    RDFa vocabularies by address, since nothing is ever fetched here; `keep_graphs` leaves
    graphs inside the document under the names it gives them, and its default graph unnamed;
    `strict` reads by the letter of the specifications, with no allowance for common mistakes;
    `json_ld` has the options of the JSON-LD API (base, processing mode, direction, scripts);
    `isolated` reads in a confined process within `transform.time_limit` and `transform.memory_bytes`.
    What is wrong with the page is in `problems`, beside all that is good of it.
    """
    if not isinstance(body, bytes):
        raise TypeError(
            "body must be bytes, as they came; encode a str, and say how in content_type"
        )
    wanted = job_template(
        syntaxes=syntaxes,
        contexts=contexts,
        keep_graphs=keep_graphs,
        strict=strict,
        json_ld=json_ld,
        options=options,
    )
    job = replace(wanted, url=url, body=body, content_type=content_type)
    if not isolated:
        return extract_page(job)
    from gossamer.reading.isolation import read_isolated  # a thread and an event loop: on request

    return read_isolated(job)


def job_template(**given: Unpack[ExtractOptions]) -> PageJob:
    """Options of the Python functions as a job that lacks nothing but its page."""
    # Services of the user's own would be asked over the network; this never does that.
    chosen = replace(given.get("options") or DEFAULTS, services={})
    if (keep_graphs := given.get("keep_graphs")) is not None:
        chosen = replace(chosen, keep_graphs=keep_graphs)
    if (strict := given.get("strict")) is not None:
        chosen = replace(chosen, strict=strict)
    if (syntaxes := given.get("syntaxes")) is not None:
        named = syntaxes.split(",") if isinstance(syntaxes, str) else syntaxes
        chosen = replace(chosen, only=tuple(named) or (NONE,))
    wanted_syntaxes(chosen.only)  # a word that is no syntax is told here, not by a worker
    known = {address: _bytes(document) for address, document in given.get("contexts", {}).items()}
    return PageJob("", b"", contexts=known, options=chosen, json_ld=given.get("json_ld", PLAIN))


def extract_page(job: PageJob) -> Extracted:
    """Extract a page as it came over the wire, content codings and all."""
    decoded = decode(job.body, job.content_encoding, job.max_decoded_bytes)
    detection = detect(decoded.body, job.url, job.content_type)
    source = mended(job.url.partition("#")[0])
    if source is None:
        nameless = Problem(f"{quoted(job.url)} is no address; a page without one can say nothing.")
        return Extracted(job.url, detection, b"", 0, problems=(nameless,))
    document = Document(
        source,
        decoded.body,
        media_type=detection.media_type,
        encoding=detection.encoding,
        options=job.options,
        contexts=job.contexts,
        service=job.service,
        json_ld=job.json_ld,
        # Whoever asks for the API's rules about scripts gets the rule for fragments too.
        fragment="" if job.json_ld.extract_all_scripts is None else job.url.partition("#")[2],
    )
    assembly = Assembly(source, job.options)
    if decoded.problem:
        assembly.note(Problem(decoded.problem))
    wanted = wanted_syntaxes(job.options.only)
    syntaxes = _to_read(detection, job, wanted)
    for syntax in syntaxes:
        _transform(document, TRANSFORMS[syntax], syntax, assembly)
    if syntaxes == detection.syntaxes:
        complaint = contradiction(detection, job.url, job.content_type)
        if complaint:
            assembly.note(Problem(complaint))
    if wanted is None:
        for name, transform in BEYOND.items():
            _transform(document, transform, name, assembly)
    if detection.skipped and not assembly.count:
        assembly.note(Problem(detection.skipped))
    if document.is_cut:
        assembly.note(_CUT)
    nquads = assembly.nquads
    links, targets = _leads(document, detection, nquads, job, assembly)
    if document.has_lost_characters:
        assembly.note(Problem(_LOST.format(document.encoding)))
    return Extracted(
        url=job.url,
        detection=detection,
        nquads=nquads,
        count=assembly.count,
        links=links,
        problems=assembly.problems,
        directives=tuple(meta_directives(document, detection)),
        cause=decoded.cause,
        targets=targets,
    )


def _to_read(
    detection: Detection, job: PageJob, wanted: frozenset[Syntax] | None
) -> tuple[Syntax, ...]:
    """The syntaxes that are wanted of a page.

    Where one notation of RDF alone is wanted, a document of no other name is read as that, strictly:
    Turtle is then no N-Triples, whatever it looks like.
    """
    if wanted is None:
        return detection.syntaxes
    notations = [syntax for syntax in wanted if syntax in NOTATIONS]
    is_other = any(each in NOTATIONS and each not in wanted for each in detection.syntaxes)
    if is_other and len(notations) == 1:
        claimed = claimed_notation(job.url, job.content_type)
        return () if claimed and claimed not in wanted else (notations[0],)
    return tuple(syntax for syntax in detection.syntaxes if syntax in wanted)


def _leads(
    document: Document, detection: Detection, nquads: bytes, job: PageJob, assembly: Assembly
) -> tuple[tuple[Link, ...], Targets]:
    """Where the page leads: its links, or nothing but their addresses."""
    if not job.find_links:
        return (), NOWHERE
    if job.link_query is not None:
        links = _answers(job.link_query, nquads, job.max_links, assembly)
        return ((), Targets.of(links)) if job.bare_links else (links, NOWHERE)
    if job.bare_links:
        return (), Targets.to(*targets_of(document, detection, nquads, job.max_links))
    return tuple(links_of(document, detection, nquads, job.max_links)), NOWHERE


def _answers(query: str, nquads: bytes, limit: int | None, assembly: Assembly) -> tuple[Link, ...]:
    try:
        return tuple(distinct(islice(_asked(query).links(nquads), limit)))
    except (OSError, RuntimeError, ValueError) as error:
        assembly.note(Problem(f"The query cannot be asked of this page ({error}).", QUERY))
        return ()


@lru_cache(maxsize=1)
def _asked(text: str) -> LinkQuery:
    return LinkQuery(text)


def _transform(document: Document, transform: Transform, syntax: str, assembly: Assembly) -> None:
    """Add what a transform finds; a defect of ours on a hostile page costs that syntax alone."""
    try:
        assembly.take(transform(document))
    except MemoryError:
        raise  # the pool knows what that means, and says so
    except Exception as error:
        assembly.note(Problem(f"Our reader failed ({type(error).__name__}: {error}).", syntax))


def _bytes(document: str | bytes) -> bytes:
    return document.encode() if isinstance(document, str) else document


# The folder of the extract phase and the function that the package promises have one name; whoever
# says `gossamer.extract` means the function, whichever was imported first.
vars(sys.modules["gossamer"])["extract"] = extract
