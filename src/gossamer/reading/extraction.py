"""One page in, everything it says out: detect, transform, extract, in one call. Never fetches.

`gossamer.extract` and the workers of a crawl are both this function; a worker adds only the
limits on time and memory that no function can put upon itself.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Final

from gossamer.config import Transform as Options
from gossamer.detect import detect
from gossamer.extract import LinkQuery, distinct, links_of, meta_directives, targets_of
from gossamer.fetch.decode import decode
from gossamer.model import Detection, Link, Problem
from gossamer.reading.jobs import NOWHERE, QUERY, Extracted, PageJob, Targets
from gossamer.reading.wanted import NONE, wanted_syntaxes
from gossamer.transform.assemble import Assembly
from gossamer.transform.document import DEFAULTS, Document, Transform
from gossamer.transform.iris import mended
from gossamer.transform.syntaxes import BEYOND, TRANSFORMS
from gossamer.wording import quoted

_CUT: Final = Problem("The markup nests or repeats beyond all reason; the rest is left out.")


def extract(
    body: bytes,
    *,
    url: str,
    content_type: str | None = None,
    syntaxes: Iterable[str] | None = None,
    contexts: Mapping[str, str | bytes] = MappingProxyType({}),
    keep_graphs: bool | None = None,
    strict: bool | None = None,
    options: Options | None = None,
) -> Extracted:
    """Everything that a page says, as quads whose source graph is its URL, without fragment.

    `syntaxes` takes only these (`{"rdfa", "jsonld"}`); `contexts` are JSON-LD contexts and
    RDFa vocabularies by address, since nothing is ever fetched here; `keep_graphs` leaves
    graphs inside the document under the names it gives them, and its default graph unnamed;
    `strict` reads by the letter of the specifications, with no allowance for common mistakes.
    What is wrong with the page is in `problems`, beside all that is good of it.
    """
    if not isinstance(body, bytes):
        raise TypeError(
            "body must be bytes, as they came; encode a str, and say how in content_type"
        )
    # Services of the user's own would be asked over the network; this never does that.
    chosen = replace(options or DEFAULTS, services={})
    if keep_graphs is not None:
        chosen = replace(chosen, keep_graphs=keep_graphs)
    if strict is not None:
        chosen = replace(chosen, strict=strict)
    if syntaxes is not None:
        named = syntaxes.split(",") if isinstance(syntaxes, str) else syntaxes
        chosen = replace(chosen, only=tuple(named) or (NONE,))
    known = {address: _bytes(document) for address, document in contexts.items()}
    return extract_page(PageJob(url, body, content_type, contexts=known, options=chosen))


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
    )
    assembly = Assembly(source, job.options)
    if decoded.problem:
        assembly.note(Problem(decoded.problem))
    wanted = wanted_syntaxes(job.options.only)
    for syntax in detection.syntaxes:
        if wanted is None or syntax in wanted:
            _transform(document, TRANSFORMS[syntax], syntax, assembly)
    if wanted is None:
        for name, transform in BEYOND.items():
            _transform(document, transform, name, assembly)
    if detection.skipped and not assembly.count:
        assembly.note(Problem(detection.skipped))
    if document.is_cut:
        assembly.note(_CUT)
    nquads = assembly.nquads
    links, targets = _leads(document, detection, nquads, job, assembly)
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
