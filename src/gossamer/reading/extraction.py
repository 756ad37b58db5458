"""One page in, everything it says out, in one call. Never fetches.

`gossamer.extract` gives a page whose parts are read as they are asked for, the workers of a crawl take all parts at
once (`extract_page`). A worker adds only the limits on time and memory that no function can put upon itself
(`isolation.py`, `page_pool.py`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypedDict, Unpack

from gossamer.config import Transform as Options
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page import Page
from gossamer.reading.page_reading import PageReading
from gossamer.reading.spellings import NONE, mistake
from gossamer.transform.document import DEFAULTS
from gossamer.transform.jsonld.processing import PLAIN, JsonLdOptions
from gossamer.urls.canonical import OTHER_SCHEMES, scheme_in


class ExtractOptions(TypedDict, total=False):
    """Keyword arguments that `gossamer.extract` and `gossamer.pages` share."""

    syntaxes: Iterable[str] | None
    contexts: Mapping[str, str | bytes]
    keep_graphs: bool | None
    strict: bool | None
    json_ld: JsonLdOptions
    options: Options | None
    links: bool
    items: bool


def extract(
    body: bytes | bytearray | memoryview | str,
    *,
    url: str,
    content_type: str | None = None,
    syntaxes: Iterable[str] | None = None,
    contexts: Mapping[str, str | bytes] = MappingProxyType({}),
    keep_graphs: bool | None = None,
    strict: bool | None = None,
    json_ld: JsonLdOptions = PLAIN,
    options: Options | None = None,
    links: bool = True,
    items: bool = True,
    isolated: bool = False,
) -> Page:
    """Everything that a page says: quads whose source graph is its URL, items, links, problems.

    `body` is bytes as they came, or text that is decoded already: then no charset is believed;
    `syntaxes` takes only these (`{"rdfa", "json-ld"}`); `contexts` are JSON-LD contexts and
    RDFa vocabularies by address, since nothing is ever fetched here; `keep_graphs` leaves
    graphs inside the document under the names it gives them, and its default graph unnamed;
    `strict` reads by the letter of the specifications, with no allowance for common mistakes;
    `json_ld` has the options of the JSON-LD API (base, processing mode, direction, scripts);
    `links=False` and `items=False` leave these out; `isolated` reads in a confined process within
    `transform.time_limit` and `transform.memory_bytes`.
    What is wrong with the page is in `problems`, beside all that is good of it.
    """
    wanted = job_template(
        syntaxes=syntaxes,
        contexts=contexts,
        keep_graphs=keep_graphs,
        strict=strict,
        json_ld=json_ld,
        options=options,
        links=links,
        items=items,
    )
    check_url(url)
    job = replace(
        wanted,
        url=url,
        body=_as_bytes(body),
        content_type=content_type,
        is_text=isinstance(body, str),
    )
    if not isolated:
        return read_page(job)
    from gossamer.reading.isolation import read_isolated  # a thread and an event loop: on request

    return Page(read_isolated(job))


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
    if (why := mistake(chosen.only)) is not None:  # here, and not in a worker
        raise ValueError(f"syntaxes: {why}")
    known = {address: _bytes(document) for address, document in given.get("contexts", {}).items()}
    return PageJob(
        "",
        b"",
        contexts=known,
        options=chosen,
        json_ld=given.get("json_ld", PLAIN),
        find_links=given.get("links", True),
        find_items=given.get("items", True),
        tells_shares=True,
    )


def check_url(url: str) -> None:
    """Raise `ValueError` for what is no address of its own: relative, or without a scheme."""
    scheme = scheme_in(url) or ""
    # One letter is a drive, one with a dot a host, and what has a port behind it too.
    if len(scheme) > 1 and "." not in scheme and not _is_host_with_port(url, scheme):
        return
    host = url.strip().lstrip("/")
    full = f"https://{host}" if "." in host.partition("/")[0] else "https://example.org/page"
    raise ValueError(f"url={url!r} is no address; write it in full, as in {full}")


def read_page(job: PageJob) -> Page:
    """The page of a job, to be read in this process as it is asked for."""
    return Page(PageReading(job))


def extract_page(job: PageJob) -> Extracted:
    """Extract a page as it came over the wire, content codings and all."""
    return PageReading(job).extracted()


def _is_host_with_port(url: str, scheme: str) -> bool:
    after = url.strip()[len(scheme) + 1 :].partition("/")[0]
    return scheme not in OTHER_SCHEMES and after.isdecimal()


def _as_bytes(body: object) -> bytes:
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode(errors="replace")
    if isinstance(body, bytearray | memoryview):
        return bytes(body)
    raise TypeError(
        f"body must be bytes as they came, or str, not {type(body).__name__}; "
        "gossamer.pages reads files"
    )


def _bytes(document: str | bytes) -> bytes:
    return document.encode() if isinstance(document, str) else document
