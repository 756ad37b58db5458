"""All configuration: frozen, typed, checked before the first request.

A field here is the one place where a key, its type, its default, its sentence
for people and its command-line flag are written down; `settings/sources.py` reads values
into it, `docs/options.md` and the command line are made from it. A part of
Gossamer receives only its section: `HttpFetcher(config.fetch)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Literal

from gossamer.values import Addresses, Lines, PerDay

KIB = 1024
MIB = 1024 * KIB


def setting(
    default: object,
    doc: str,
    *,
    flag: str | None = None,
    at_least: float | None = None,
    secret: bool = False,
    holds_keys: bool = False,
    local: bool = False,
) -> Any:  # noqa: ANN401 (dataclasses.field is typed so too)
    """Declare one key: its default, its sentence, and the flag that sets it, if any.

    A secret is never shown and never kept with a crawl; of addresses that may hold keys, only the
    server is shown. What is `local` is for whoever sits at the machine: REST cannot change it.
    """
    metadata = {"doc": doc, "flag": flag, "at_least": at_least}
    metadata |= {"secret": secret, "holds_keys": holds_keys, "local": local}
    # A factory, because dataclasses take an (immutable) mapping for a mutable default.
    return field(default_factory=lambda: default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """How we treat the hosts we visit."""

    agent: str = setting(
        "gossamer",
        "Product token of the crawler, matched against the groups of robots.txt.",
        flag="--agent",
    )
    contact: str | None = setting(
        None,
        "E-mail address or web page in the agent string, so that site owners can contact you.",
        flag="--agent-contact",
    )
    delay: timedelta = setting(
        timedelta(seconds=1),
        "Minimum time from the end of a response to the next request to the same host.",
        flag="--delay",
        at_least=0,
    )
    delays: Mapping[str, timedelta] = setting(
        MappingProxyType({}),
        "Delays of single hosts (`example.org`) or patterns (`*.example.org`); the most "
        "specific one wins.",
        at_least=0,
    )
    slowness: float = setting(
        1.0,
        "Wait this many times as long as the last download, or parsing it, took; 0 if "
        "the delay is 0.",
        at_least=0,
    )
    limits_count: Literal["crawl", "node"] = setting(
        "crawl",
        "What per_address, requests_per_second and bytes_per_second count in a crawl of many nodes: all nodes "
        "together, or each by itself.",
    )
    per_host: int = setting(
        1,
        "Requests in flight per host; more than 1 is for your own servers.",
        flag="--per-host",
        at_least=1,
    )
    per_address: int = setting(
        16, "Requests in flight per network address, for all hosts there together.", at_least=1
    )
    requests_per_second: float | None = setting(
        None, "Limit on requests per second of the whole crawl.", at_least=0.001
    )
    bytes_per_second: int | None = setting(
        None, "Limit on received bytes per second of the whole crawl.", at_least=1
    )
    patience: timedelta = setting(
        timedelta(minutes=5),
        "A host that asks for a longer pause than this is parked and reported.",
        flag="--patience",
        at_least=0,
    )
    backoff_first: timedelta = setting(
        timedelta(seconds=10),
        "Wait after the first failure; doubled after each further one.",
        at_least=0,
    )
    backoff_most: timedelta = setting(
        timedelta(hours=1), "Longest wait after failures.", at_least=0
    )
    robots_max_age: timedelta = setting(
        timedelta(hours=24),
        "How long a robots.txt is used before it is fetched again.",
        at_least=0,
    )
    robots_forbidden_closes: bool = setting(
        True, "Treat 401 or 403 for robots.txt as `Disallow: /` (off: as no rules)."
    )
    honour_nofollow: bool = setting(True, 'Do not follow links marked `rel="nofollow"`.')
    tdmrep: bool = setting(
        False,
        "Also fetch `/.well-known/tdmrep.json` of each crawled origin, once a day, and "
        "store what it reserves.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What we use content for, and heed what sites say about that."""

    purposes: tuple[str, ...] = setting(
        ("search",),
        "What the crawl is for: search, ai-input, ai-index, train-ai, text-mining. Pages whose site disallows all of "
        "it are not fetched, or not kept.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """How requests say who sends them (`gossamer identity`)."""

    agent_url: str | None = setting(
        None,
        "Address below which the directory of your public keys is published (`https://bot.example.org`). "
        "Requests are signed if it is set and there is a key.",
        local=True,
    )
    headers: Mapping[str, str] = setting(
        MappingProxyType({}),
        'Header fields for single hosts (`shop.example = "X-Crawler-Key: …"`) or patterns (`*.example`), for '
        "sites that issue keys of their own.",
        secret=True,
        local=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which URLs belong to a crawl."""

    kind: Literal["page", "host", "site", "any"] = setting(
        "host", "How far from the seeds a crawl may go.", flag="--scope"
    )
    include: tuple[str, ...] = setting(
        (),
        "Only seeds and URLs that match one of these expressions (RE2 syntax).",
        flag="--include",
    )
    exclude: tuple[str, ...] = setting(
        (),
        "No URLs that match one of these expressions; takes precedence over include.",
        flag="--exclude",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Urls:
    """Which differences between URLs mean nothing; everything here is off by default."""

    drop_parameters: tuple[str, ...] = setting(
        (),
        "Query parameters to drop from URLs, by name (`ref`) or pattern (`utm_*`).",
    )
    drop_session_parameters: bool = setting(
        False,
        "Drop session identifiers from URLs: `PHPSESSID`, `sid`, `;jsessionid=…` and others.",
    )
    sort_query: bool = setting(
        False, "Sort query parameters by name; those with the same name keep their order."
    )
    learned: Literal["off", "last", "drop"] = setting(
        "last",
        "What to do with URLs whose query parameters change nothing, as pairs of pages of their host have shown: `last` fetches "
        "them after all others, `drop` leaves them out where their page is known, `off` learns nothing.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Traps:
    """Bounds that catch sites which make up URLs without end."""

    max_length: int = setting(2000, "Longest URL, in bytes.", at_least=16)
    max_path_segments: int = setting(30, "Most segments in a path.", at_least=1)
    max_repeats: int = setting(
        3, "Most times that a run of path segments may be repeated.", at_least=1
    )
    max_query_parameters: int = setting(30, "Most parameters in a query.", at_least=0)
    max_same_parameter: int = setting(
        8, "Most times that one parameter may occur in a query.", at_least=1
    )
    calendar_years: int = setting(
        10,
        "A date in a URL more than this many years ahead is taken for an endless calendar.",
        at_least=0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """How requests are made, and what they may cost."""

    connect_timeout: timedelta = setting(timedelta(seconds=10), "Time to connect.", at_least=0.001)
    first_byte_timeout: timedelta = setting(
        timedelta(seconds=30),
        "Time from the request to the first byte of the response.",
        at_least=0.001,
    )
    total_timeout: timedelta = setting(
        timedelta(seconds=60), "Total time for one request.", at_least=0.001
    )
    low_speed_bytes: int = setting(
        100, "A response slower than this many bytes per second is abandoned …", at_least=0
    )
    low_speed_time: timedelta = setting(timedelta(seconds=20), "… after this time.", at_least=1)
    max_header_bytes: int = setting(64 * KIB, "Most bytes of response headers.", at_least=KIB)
    max_body_bytes: int = setting(16 * MIB, "Most bytes of a body as received.", at_least=KIB)
    max_decoded_bytes: int = setting(64 * MIB, "Most bytes of a body once decoded.", at_least=KIB)
    too_large: Literal["fail", "first"] = setting(
        "fail",
        "What becomes of a larger body: the page fails, or its first part is read and marked as such.",
    )
    connect_to: tuple[str, ...] = setting(
        (),
        "`PATTERN=ADDR:PORT`: connect to matching hosts at this address, without "
        "resolving their names.",
        flag="--connect-to",
    )
    name_servers: tuple[str, ...] = setting(
        (), "DNS servers to ask (`ADDRESS` or `ADDRESS:PORT`) instead of the system's."
    )
    allow_net: tuple[str, ...] = setting(
        (), "Private networks (CIDR) that may be contacted.", flag="--allow-net"
    )
    ca: str | None = setting(
        None, "File of certificate authorities to trust instead of the built-in ones.", flag="--ca"
    )
    upstream_proxy: str | None = setting(None, "Proxy through which requests go out.", secret=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """How documents become quads, and what one page may cost."""

    only: tuple[str, ...] = setting((), "Only these syntaxes (`rdfa`, `jsonld`…).", flag="--only")
    strict: bool = setting(
        False,
        "Read pages by the letter of the specifications, with no allowance for common mistakes.",
        flag="--strict",
    )
    expand_vocabularies: bool = setting(
        False, "Add what RDFa vocabularies say about their own terms (`rdfs:subClassOf`…)."
    )
    processor_graph: bool = setting(False, "Keep RDFa's own warnings and errors as statements.")
    implied_links: bool = setting(
        False, "Keep the statements that RDFa makes of stylesheet and icon links."
    )
    links: bool = setting(False, "Keep every link of a page, with its label, as statements.")
    keep_graphs: bool = setting(False, "Keep the names of named graphs in a document.")
    keep_schemes: bool = setting(
        False,
        "Keep the IRIs of schema.org as pages write them, with http or https; else all have http.",
    )
    max_quads: int = setting(200_000, "Most quads of one page.", at_least=1)
    max_nquads_bytes: int = setting(
        64 * MIB, "Most bytes of one page's quads, written as N-Quads.", at_least=KIB
    )
    max_literal_bytes: int = setting(
        256 * KIB, "Longest literal; a longer one is cut.", at_least=16
    )
    max_depth: int = setting(512, "Deepest nesting that is read.", at_least=16)
    time_limit: timedelta = setting(timedelta(seconds=10), "Time for one page.", at_least=0.01)
    memory_bytes: int = setting(1024 * MIB, "Memory for one page.", at_least=64 * MIB)
    drop: tuple[str, ...] = setting(
        (), "Drop statements whose N-Triples line matches one of these expressions (RE2)."
    )
    stylesheets: Mapping[str, str] = setting(
        MappingProxyType({}),
        "XSLT files that turn XML or HTML into RDF/XML, by namespace or name of the root element.",
    )
    grddl: tuple[str, ...] = setting((), "GRDDL transformations that may run, by address.")
    services: Mapping[str, Addresses] = setting(
        MappingProxyType({}),
        "HTTP endpoints that turn a media type into RDF, by media type: one address, or several "
        "that share the work; only their servers are shown.",
        holds_keys=True,
    )
    plugin_reads: tuple[str, ...] = setting(
        (), "Files and folders that plug-ins may read, beside what Python needs."
    )
    plugin_writes: tuple[str, ...] = setting((), "Folders that plug-ins may write to, and read.")
    plugin_programs: tuple[str, ...] = setting((), "Programs that plug-ins may run, by path.")
    plugin_network: bool = setting(
        False,
        "Let plug-ins open connections; a page that takes over a worker could then do so too.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a site may take before it waits for others, and what it may make us do."""

    pages: int = setting(
        100_000, "Pages of a site before its further URLs go to a slower queue.", at_least=1
    )
    pages_per_linking_site: int = setting(
        10_000, "Pages added to that for every other site that links to it.", at_least=0
    )
    waiting_bytes: int = setting(
        512 * MIB,
        "Bytes of pending URLs of a site that its own pages and sitemaps may add.",
        at_least=KIB,
    )
    aside_bytes: int = setting(
        512 * MIB,
        "Bytes stored about links on a site's pages that are not followed.",
        at_least=KIB,
    )
    elsewhere_bytes: int = setting(
        64 * MIB,
        "Bytes of URLs on other sites that a site's pages may add per day.",
        at_least=KIB,
    )
    robots_bytes: int = setting(
        64 * MIB,
        "Bytes of robots.txt files stored per site; a host whose file does not fit is closed.",
        at_least=KIB,
    )
    requests_elsewhere: int = setting(
        100,
        "Requests per day that one site can make us send to others: contexts, sitemaps, "
        "redirects of robots.txt and tdmrep.json.",
        at_least=0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """How much of the web a crawl takes, and how much of this machine."""

    depth: int | None = setting(
        None, "Most links from a seed to a page.", flag="--depth", at_least=0
    )
    max_pages: int | None = setting(
        None,
        "Most pages with content, over all runs in a data folder.",
        flag="--max-pages",
        at_least=1,
    )
    max_time: timedelta | None = setting(
        None, "Longest time of this run.", flag="--max-time", at_least=0
    )
    max_bytes: int | None = setting(None, "Most bytes received in this run.", at_least=1)
    min_free_disk: int = setting(
        256 * MIB, "The crawl ends when the disk has less free space than this.", at_least=0
    )
    max_disk: int | None = setting(
        None,
        "The crawl ends, and can be resumed, when its data folder reaches this size.",
        at_least=MIB,
    )
    context_bytes: int = setting(
        64 * MIB,
        "Most bytes of JSON-LD contexts stored, compressed; the least recently used are evicted.",
        at_least=MIB,
    )
    strategy: Literal["breadth", "depth", "best", "random"] = setting(
        "breadth",
        "Which waiting pages come first: the nearest to a seed, the deepest, the most "
        "promising, or any.",
        flag="--strategy",
    )
    priority: Mapping[str, int] = setting(
        MappingProxyType({}),
        'Points by expression (RE2), as in `{"/news/" = 1000}`: a URL gets those of all '
        "expressions that match it, and comes sooner, or later if they are negative.",
    )
    pages_per_host: int | None = setting(None, "Most pages of one host.", at_least=1)
    pages_per_site: int | None = setting(None, "Most pages of one site.", at_least=1)
    links_per_page: int = setting(
        5_000, "Most links taken from one page, in document order.", at_least=0
    )
    follow_query: Lines | None = setting(
        None,
        "A SPARQL query on each page's graphs that selects the links to follow, instead "
        "of all links on the page.",
        flag="--follow-query",
    )
    hidden_links: bool = setting(
        False,
        "Follow addresses that pages have for their scripts (data attributes, onclick, srcset, JSON), on the same "
        "site and last.",
        flag="--hidden-links",
    )
    forms: int = setting(
        0,
        "Ways to fill each GET form that is made of choices alone, to be followed on the same site and last.",
        flag="--forms",
        at_least=0,
    )
    attempts: int = setting(3, "Attempts at a page before it counts as failed.", at_least=1)
    concurrency: int = setting(
        128, "Most hosts visited at the same time.", flag="--concurrency", at_least=1
    )
    workers: int | None = setting(
        None, "Processes that parse pages (default: one per core).", flag="--workers", at_least=1
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What a crawl wants first, and whether it keeps anything else."""

    want: tuple[str, ...] = setting(
        (),
        "Things that are wanted first: a class with its subclasses (`Product`, `schema:Event`, an IRI) or a SPARQL "
        "query on each page's graphs; `=2` at the end gives a weight.",
        flag="--want",
    )
    words: tuple[str, ...] = setting(
        (),
        "Words in a row; pages that have them are wanted first. `=2` at the end gives a weight.",
        flag="--want-words",
    )
    keep: Literal["all", "wanted"] = setting(
        "all",
        "What goes into graph, search index and archive: all pages, or only those with something wanted.",
        flag="--keep",
    )
    until_yield: float | None = setting(
        None,
        "The crawl ends when a page brings fewer new wanted things than this, by the latest pages.",
        flag="--until-yield",
        at_least=0.000001,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """When pages are looked at again, in a crawl that goes on for ever."""

    keep: bool = setting(
        False,
        "Never end: look at pages again when they are likely to have changed, and follow new links.",
        flag="--keep-fresh",
    )
    revisits: PerDay | None = setting(
        None,
        "With --keep-fresh: most looks at known pages, as 5000/day or 200/hour (default: as many "
        "a day as there are pages).",
        flag="--revisits",
        at_least=1,
    )
    shortest: timedelta = setting(
        timedelta(minutes=10), "Least time between two looks at a page.", at_least=1
    )
    longest: timedelta = setting(
        timedelta(days=60),
        "Each page is looked at again after this time, as far as `freshness.revisits` allows.",
        at_least=1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """Where a crawl keeps what it knows and what is left to do."""

    address: str | None = setting(
        None,
        "A PostgreSQL database (`postgresql://…`) shared by many nodes (default: a file "
        "in the data folder).",
        flag="--frontier",
        secret=True,
    )
    local_graph: bool = setting(
        False, "With --frontier: keep quads in each node's own graph.", flag="--local-graph"
    )
    patience: timedelta = setting(
        timedelta(hours=1),
        "How long a crawl waits for an unreachable frontier server.",
        at_least=0,
    )
    lease: timedelta = setting(
        timedelta(minutes=2),
        "How long a node that is killed or silent keeps its hosts and pages; at least twice the "
        "time that a request may take.",
        at_least=1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Where the graph is, if it is not in the data folder, and what is made of it."""

    words: bool = setting(
        True, "Maintain the search index of the graph in the data folder, for `gossamer search`."
    )
    text: Literal["none", "lead", "full"] = setting(
        "lead",
        "Visible text of pages that is stored and searched: none, the lead (title, headings and the first "
        "4,000 characters of the main part) or all (100,000 characters, and the rest of the page).",
    )
    url: str | None = setting(
        None,
        "A SPARQL 1.1 server that stores the graph, instead of the data folder.",
        flag="--index",
    )
    graph_folder: str | None = setting(
        None,
        "Folder of the graph, if it is not `graph` in the data folder; move it there first.",
        local=True,
    )
    words_folder: str | None = setting(
        None, "Folder of the search index, if it is not `words` in the data folder.", local=True
    )
    query_url: str | None = setting(
        None, "URL for queries, if it cannot be derived from `index.url`."
    )
    update_url: str | None = setting(None, "URL for updates.")
    store_url: str | None = setting(None, "URL of the Graph Store Protocol.")
    user: str | None = setting(None, "User name for the server.")
    password: str | None = setting(None, "Password for the server.", secret=True)
    token: str | None = setting(None, "Bearer token for the server.", secret=True)
    timeout: timedelta = setting(timedelta(minutes=2), "Time limit of one update.", at_least=1)
    patience: timedelta = setting(
        timedelta(days=1), "How long a crawl waits for an unreachable SPARQL server.", at_least=0
    )
    max_update_bytes: int = setting(
        2 * MIB, "Largest update; larger pages are sent graph by graph.", at_least=KIB
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemaps:
    """What we take from sitemaps."""

    use: bool = setting(True, "Read the sitemaps of the sites we crawl.")
    max_bytes: int = setting(50 * MIB, "Most bytes of one sitemap, decompressed.", at_least=KIB)
    max_entries: int = setting(50_000, "Most entries of one sitemap.", at_least=1)
    max_files: int = setting(1_000, "Most sitemaps of one site.", at_least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """What is kept of what was fetched, as WARC files."""

    keep: Literal["all", "data", "none"] = setting(
        "all",
        "Requests and responses to store in the archive: all, those of pages with data, or none "
        "(`--no-archive`). true and false mean all and none.",
        flag="--no-archive",
    )
    max_file_bytes: int = setting(
        256 * MIB, "Size at which an archive file is closed and the next one started.", at_least=KIB
    )
    folders: tuple[str, ...] = setting(
        (),
        "Folders for new archive files, each on a disk of its own; a file goes where the most room is "
        "(default: `archive` in the data folder).",
        local=True,
    )

    def __post_init__(self) -> None:
        """Read True and False, which were its values before there was a choice."""
        given: object = self.keep
        if isinstance(given, bool):
            object.__setattr__(self, "keep", "all" if given else "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptHistory:
    """What is kept of how pages changed."""

    keep: timedelta = setting(
        timedelta(days=90),
        "Time that changes are kept; 0 keeps none, and no state to compare with.",
        at_least=0,
    )
    max_bytes: int = setting(
        1024 * MIB, "Most bytes of changes; the oldest go first.", at_least=MIB
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReport:
    """What is checked of pages while they are crawled."""

    keep: bool = setting(
        False,
        "Check the structured data of pages as they are read, for `gossamer report` and /report.",
        flag="--report",
    )
    profiles: tuple[str, ...] = setting(
        (),
        "Profiles to check pages by (`rich-results`, `dcat-ap`…), beside the rules for all.",
        flag="--profile",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedChanges:
    """Whom to tell what has changed."""

    webhook: str | None = setting(
        None,
        "URL to which a crawl posts what has changed as JSON, in order; only its server is shown.",
        holds_keys=True,
        local=True,
    )
    secret: str | None = setting(
        None,
        "Key with which the posts are signed (HMAC-SHA256, with a time stamp).",
        secret=True,
        local=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What is written down about the work."""

    level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "Lowest level that is logged."
    )
    rotate_bytes: int = setting(
        64 * MIB, "Size at which a log file is closed and the next one started.", at_least=KIB
    )
    keep_files: int = setting(20, "Number of closed log files to keep.", at_least=1)
    client_queries: bool = setting(
        False,
        "Log the query (the part after `?`) of URLs that clients request by proxy or lease.",
    )

    share: bool = setting(
        True,
        "With --frontier: also send the log to the database, for `gossamer log` on any node.",
    )
    share_level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "Lowest level that is sent there."
    )
    share_queries: bool = setting(
        False, "Leave the query (the part after `?`) in URLs that are sent there."
    )
    share_age: timedelta = setting(
        timedelta(days=7), "How long the database keeps the log of all nodes.", at_least=60
    )
    share_bytes: int = setting(
        512 * MIB,
        "Most bytes of the log of all nodes in the database; the oldest lines go first.",
        at_least=MIB,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Whom to tell when a node is in trouble."""

    webhook: str | None = setting(
        None,
        "URL to which alarms about nodes are posted as JSON; only its server is shown.",
        holds_keys=True,
        local=True,
    )
    secret: str | None = setting(
        None,
        "Key with which the posts are signed (HMAC-SHA256, with a time stamp).",
        secret=True,
        local=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """The polite forward proxy."""

    address: str = setting(
        "127.0.0.1:8718",
        "Listening address; one other than loopback needs users or networks.",
    )
    max_wait: timedelta = setting(
        timedelta(seconds=50),
        "Longest time that a request waits for its host; a client's own time-out should be longer.",
        at_least=0,
    )
    max_time: timedelta = setting(
        timedelta(minutes=5), "Longest time that a request may take once it is sent.", at_least=1
    )
    users: tuple[str, ...] = setting(
        (),
        "Users of the proxy, as `gossamer proxy --hash NAME` prints them; if set, "
        "everyone must log in.",
        secret=True,
    )
    networks: tuple[str, ...] = setting(
        (), "Networks (CIDR) that may use the proxy, besides this machine."
    )
    sequential: tuple[str, ...] = setting(
        (),
        "Clients (users, addresses, or `*`) that get responses in the order of their requests.",
    )
    max_hold: timedelta = setting(
        timedelta(seconds=30),
        "Longest time that a response is held back for that order.",
        at_least=0,
    )
    client_timeout: timedelta = setting(
        timedelta(seconds=30),
        "Longest time a client may take to send a request, or the next part of a body.",
        at_least=0.1,
    )
    idle_timeout: timedelta = setting(
        timedelta(seconds=90), "How long a connection without requests is kept.", at_least=1
    )
    max_connections: int = setting(
        2000,
        "Most client connections at a time; at most three quarters from one address.",
        at_least=1,
    )
    buffer_bytes: int = setting(
        MIB,
        "How much of a response is buffered for a slow client, so that its host is free "
        "for others.",
        at_least=64 * KIB,
    )
    names: tuple[str, ...] = setting(
        (), "Host names of the proxy's own page and PAC file, besides localhost and IP addresses."
    )
    spool_bytes: int = setting(
        1024 * MIB,
        "Most bytes on disk for responses that slow clients have not read yet, one client's at most "
        "a quarter; 0 for none.",
        at_least=0,
    )
    drain_time: timedelta = setting(
        timedelta(seconds=8),
        "How long responses under way may take when the proxy ends; those who wait get a 503.",
        at_least=0,
    )
    connect_ports: tuple[str, ...] = setting(
        ("443",), "Ports to which CONNECT may lead; `*` for all."
    )
    allow_hosts: tuple[str, ...] = setting(
        (),
        "Hosts (`example.org`, `*.example.org`) that clients may ask for; without any, all hosts.",
    )
    deny_hosts: tuple[str, ...] = setting(
        (), "Hosts that clients may not ask for, even if `allow_hosts` lists them."
    )
    robots_exempt: tuple[str, ...] = setting(
        (),
        "Hosts whose robots.txt the proxy neither fetches nor heeds, because you may use them, "
        "such as a package index; delays still apply.",
    )
    tunnel_time: timedelta = setting(
        timedelta(minutes=5), "Longest time of a tunnel, during which its host is busy.", at_least=1
    )
    tunnel_idle: timedelta = setting(
        timedelta(seconds=15), "A tunnel without traffic for this time is closed.", at_least=1
    )
    tunnel_bytes: int = setting(
        256 * MIB, "Most bytes that one tunnel carries, in both directions together.", at_least=KIB
    )
    intercept: bool = setting(
        False,
        "Intercept HTTPS with the local authority of `gossamer ca`, so that all rules "
        "apply there too.",
        flag="--intercept",
    )
    no_intercept: tuple[str, ...] = setting(
        (), "Hosts whose HTTPS is never intercepted; they get tunnels."
    )
    cache_size: int = setting(
        1024 * MIB, "Most bytes of the cache on disk; 0 for no cache.", at_least=0
    )
    cache_max_entry: int = setting(
        64 * MIB,
        "Most bytes of one response in the cache; larger ones are not stored.",
        at_least=KIB,
    )
    cache_shared: str | None = setting(
        None,
        "Redis or Valkey server on which proxies share pages (`redis://:password@host:6379/0`); needs "
        "`gossamer[redis]`.",
        secret=True,
        local=True,
    )
    keep_anyway: tuple[str, ...] = setting(
        (),
        "Hosts (`example.org`, `*.example.org`) whose pages are stored for a day even if "
        "marked uncacheable.",
    )
    authority: str | None = setting(
        None, "Folder of the local certificate authority (default: `ca` in the data folder)."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Web pages, REST and SPARQL endpoint."""

    address: str = setting(
        "127.0.0.1:8717", "Listening address; one other than loopback needs a token."
    )
    token: str | None = setting(
        None,
        "Token that allows changes (`Authorization: Bearer …`); without one, nothing can "
        "be changed. At least 16 characters; `new` creates one.",
        flag="--token",
        secret=True,
    )
    hosts: tuple[str, ...] = setting(
        (), "Host names of the service, besides localhost and IP addresses."
    )
    origins: tuple[str, ...] = setting(
        (),
        "Other web sites (`https://example.org`, or `*`) whose scripts may call the "
        "service (CORS).",
    )
    trusted_proxies: tuple[str, ...] = setting(
        (),
        "Addresses and networks of reverse proxies whose `X-Forwarded-For` and "
        "`X-Forwarded-Proto` are trusted.",
    )
    query_time: timedelta = setting(
        timedelta(seconds=60), "Time limit of a SPARQL query.", at_least=0.1
    )
    query_rows: int = setting(
        100_000, "Most rows or triples in the result of a SPARQL query.", at_least=1
    )
    max_body_bytes: int = setting(8 * MIB, "Most bytes of a request body.", at_least=KIB)
    max_connections: int = setting(
        512, "Most connections at a time; at most three quarters from one address.", at_least=1
    )
    pictures: bool = setting(
        False,
        "Show pictures of entities in pages; browsers then contact the sites of the pictures.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be configured, a section each."""

    politeness: Politeness = Politeness()
    consent: Consent = Consent()
    identity: Identity = Identity()
    scope: Scope = Scope()
    urls: Urls = Urls()
    traps: Traps = Traps()
    fetch: Fetch = Fetch()
    transform: Transform = Transform()
    budget: Budget = Budget()
    crawl: Crawl = Crawl()
    focus: Focus = Focus()
    freshness: Freshness = Freshness()
    frontier: Frontier = Frontier()
    index: Index = Index()
    sitemaps: Sitemaps = Sitemaps()
    archive: Archive = Archive()
    history: KeptHistory = KeptHistory()
    report: KeptReport = KeptReport()
    changes: PostedChanges = PostedChanges()
    log: Log = Log()
    alerts: Alerts = Alerts()
    proxy: Proxy = Proxy()
    service: Service = Service()
