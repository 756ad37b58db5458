"""The tables of the frontier, the same in both engines, and the versions that led to them.

A version is a list of statements that lead to it from the one before. Nodes of older programs go on beneath most
new versions; before one that they cannot live with they leave (`BREAKING`, `postgres_upgrade`). Moments are whole
microseconds since 1970 in UTC, so that both engines compare and add them alike.
"""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

# Of a page. What is PENDING is in the order LINE, as the index `pages_pending` has it.
PENDING, HANDED, SETTLED, WAITING, ASIDE, BEYOND = range(6)
PAGE_STATES: Final = ("pending", "handed out", "settled", "waiting", "aside", "beyond")

# Of the pages that people ask about. A query that says it word for word is answered by an index.
TROUBLED: Final = "(ended IN ('failed', 'refused') OR problems > 0)"

# Of the pages that hold content: their last visit brought some, or left what an earlier one brought.
# Asked for again, they take no room of a limit on pages, and bring none that was not counted.
HOLDS_CONTENT: Final = "(coalesce(ended, '') = 'content' OR digest IS NOT NULL)"

# Names of tallies: pages that hold content, and those in somebody's hands that do not, but may yet.
WITH_CONTENT, NEW_IN_HAND = "with content", "new in hand"
REPEATED: Final = "repeated"  # pages that say what another page says
# And the bytes that contexts take: the packed text, the address, and this much for the rest of a row.
CONTEXT_BYTES = "context bytes"
CONTEXT_ROW_BYTES: Final = 200

# Of a host. A resting host with something to fetch becomes ready at `next_at`; so does a held
# one, whose lease has then lapsed and its delay passed.
IDLE, RESTING, READY, HELD, FULL = range(5)

_CLOCK: Final = """
    rested_from bigint NOT NULL DEFAULT 0,
    took bigint NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    crawl_delay bigint,
    crawl_delay_source text,
    pause_until bigint,
    pause_source text,
    in_flight text"""

_FIRST: Final = (
    """CREATE TABLE hosts (
        host TEXT PRIMARY KEY,
        next_token INTEGER NOT NULL,
        round INTEGER NOT NULL,
        rested_from INTEGER NOT NULL,
        took INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        crawl_delay INTEGER,
        crawl_delay_source TEXT,
        pause_until INTEGER,
        pause_source TEXT,
        in_flight TEXT
    ) WITHOUT ROWID""",
    """CREATE TABLE robots (
        origin TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        meaning TEXT NOT NULL,
        cause TEXT NOT NULL,
        answered_at INTEGER NOT NULL,
        ask_at INTEGER NOT NULL,
        body BLOB,
        body_at INTEGER,
        failures INTEGER NOT NULL
    )""",
    "CREATE INDEX robots_of_host ON robots (host)",
)

_HOSTS: Final = f"""CREATE TABLE hosts (
    id {{id}},
    host text NOT NULL UNIQUE,
    site text NOT NULL,
    next_token bigint NOT NULL DEFAULT 1,
    round bigint NOT NULL DEFAULT 0,{_CLOCK},
    stage smallint NOT NULL DEFAULT {IDLE},
    next_at bigint NOT NULL DEFAULT 0,
    best smallint NOT NULL DEFAULT 0,
    queue smallint NOT NULL DEFAULT 0,
    lease_token bigint,
    lease_node text,
    lease_until bigint,
    wanted_by text,
    wanted_until bigint,
    crawls_turn boolean NOT NULL DEFAULT false,
    content bigint NOT NULL DEFAULT 0,
    handed bigint NOT NULL DEFAULT 0
)"""

_ROBOTS: Final = """CREATE TABLE robots (
    origin text PRIMARY KEY,
    host text NOT NULL,
    meaning text NOT NULL,
    cause text NOT NULL,
    answered_at bigint NOT NULL,
    ask_at bigint NOT NULL,
    body {blob},
    body_at bigint,
    failures integer NOT NULL
)"""

_PAGES_AND_MORE: Final = (
    f"CREATE INDEX hosts_resting ON hosts (next_at) WHERE stage IN ({RESTING}, {HELD})",
    f"CREATE INDEX hosts_ready ON hosts (queue, best DESC, next_at, id) WHERE stage = {READY}",
    f"CREATE INDEX hosts_by_age ON hosts (next_at, id) WHERE stage = {READY}",
    "CREATE INDEX hosts_of_site ON hosts (site)",
    "CREATE INDEX hosts_held ON hosts (lease_token) WHERE lease_token IS NOT NULL",
    "CREATE INDEX hosts_by_stage ON hosts (stage, next_at)",
    """CREATE TABLE pages (
        id {id},
        host_id bigint NOT NULL,
        key bigint NOT NULL,
        url text NOT NULL,
        depth integer NOT NULL,
        priority smallint NOT NULL,
        hops smallint NOT NULL,
        seed boolean NOT NULL,
        state smallint NOT NULL,
        attempts smallint NOT NULL DEFAULT 0,
        claim bigint,
        retry_at bigint,
        ended text,
        status integer,
        why text,
        etag text,
        last_modified text,
        digest {blob},
        media_type text,
        quads integer,
        problems integer,
        archived text,
        settled_at bigint
    )""",
    # Links of a page are mostly of one host: in this order they are neighbours.
    "CREATE UNIQUE INDEX pages_by_key ON pages (host_id, key)",
    f"CREATE INDEX pages_pending ON pages (host_id, priority DESC, depth, id) WHERE state = {PENDING}",
    f"CREATE INDEX pages_waiting ON pages (retry_at) WHERE state = {WAITING}",
    "CREATE INDEX pages_seeds ON pages (id) WHERE seed",
    f"CREATE INDEX pages_troubled ON pages (settled_at) WHERE {TROUBLED}",
    """CREATE TABLE claims (
        token bigint PRIMARY KEY,
        host_id bigint NOT NULL,
        node text NOT NULL,
        until bigint NOT NULL,
        pages {blob} NOT NULL
    )""",
    "CREATE INDEX claims_by_end ON claims (until)",
    """CREATE TABLE outlinks (
        page bigint PRIMARY KEY,
        step smallint NOT NULL,
        packed {blob},
        beyond {blob},
        outside {blob}
    )""",
    """CREATE TABLE sites (
        site text PRIMARY KEY,
        content bigint NOT NULL DEFAULT 0,
        handed bigint NOT NULL DEFAULT 0,
        linking_sites integer NOT NULL DEFAULT 0
    )""",
    "CREATE TABLE site_links (site text NOT NULL, linked_from text NOT NULL, PRIMARY KEY (site, linked_from))",
    """CREATE TABLE refusals (
        key bigint PRIMARY KEY,
        host text NOT NULL,
        url text NOT NULL,
        rule text NOT NULL
    )""",
    "CREATE INDEX refusals_of_host ON refusals (host)",
    """CREATE TABLE contexts (
        url text PRIMARY KEY,
        body {blob},
        cause text NOT NULL,
        asked_at bigint NOT NULL,
        ask_at bigint NOT NULL
    )""",
    """CREATE TABLE expressions (
        kind text NOT NULL,
        expression text NOT NULL,
        added_at bigint NOT NULL,
        PRIMARY KEY (kind, expression)
    )""",
    "CREATE TABLE tallies (node text NOT NULL, name text NOT NULL, n bigint NOT NULL, PRIMARY KEY (node, name))",
    "CREATE TABLE facts (name text PRIMARY KEY, value {blob} NOT NULL)",
)

_FROM_FIRST: Final = (
    "ALTER TABLE hosts RENAME TO hosts_1",
    _HOSTS,
    """INSERT INTO hosts (host, site, next_token, round, rested_from, took, failures, crawl_delay,
        crawl_delay_source, pause_until, pause_source, in_flight)
       SELECT host, site_of(host), next_token, round, rested_from, took, failures, crawl_delay,
        crawl_delay_source, pause_until, pause_source, in_flight FROM hosts_1 ORDER BY host""",
    "DROP TABLE hosts_1",
    *_PAGES_AND_MORE,
)

# Hosts that programs outside may send to, until then at the latest: no lock proves those dead.
_LENT: Final = ("CREATE TABLE lent (host text PRIMARY KEY, until bigint NOT NULL)",)

# What is asked for again has an order of its own, for where a limit leaves room for nothing else.
_AGAIN: Final = (
    f"""CREATE INDEX pages_again ON pages (host_id, priority DESC, depth, id)
        WHERE state = {PENDING} AND {HOLDS_CONTENT}""",
    f"""INSERT INTO tallies (node, name, n)
        SELECT '', '{WITH_CONTENT}', count(*) FROM pages WHERE {HOLDS_CONTENT}
        HAVING count(*) > 0""",
    f"""INSERT INTO tallies (node, name, n)
        SELECT '', '{NEW_IN_HAND}', count(*) FROM pages WHERE state = {HANDED}
        AND NOT {HOLDS_CONTENT} HAVING count(*) > 0""",
)

# Contexts are packed, within a budget, and the requests that a site's pages cause elsewhere counted
# by day. What older versions kept has no `size`, and is packed when a crawl opens.
_CONTEXTS_IN_BOUNDS: Final = (
    "ALTER TABLE contexts ADD COLUMN size bigint",
    "ALTER TABLE contexts ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0",
    "ALTER TABLE contexts ADD COLUMN used_at bigint NOT NULL DEFAULT 0",
    "CREATE INDEX contexts_by_use ON contexts (used_at, url)",
    f"""UPDATE contexts SET used_at = asked_at,
        kept_bytes = coalesce(length(body), 0) + length(url) + {CONTEXT_ROW_BYTES}""",
    f"""INSERT INTO tallies (node, name, n)
        SELECT '', '{CONTEXT_BYTES}', sum(kept_bytes) FROM contexts HAVING count(*) > 0""",
    "ALTER TABLE sites ADD COLUMN asked_others bigint NOT NULL DEFAULT 0",
    "ALTER TABLE sites ADD COLUMN asked_day bigint NOT NULL DEFAULT 0",
)

# What sites have us keep, in bytes: URLs that wait to be fetched (and never were), what is kept of links
# that are not followed, and URLs of other sites, by day; and how many links did not fit.
_SITE_BUDGETS: Final = (
    *(
        f"ALTER TABLE sites ADD COLUMN {name} bigint NOT NULL DEFAULT 0"
        for name in (
            "waiting_bytes",
            "aside_bytes",
            "elsewhere_bytes",
            "elsewhere_day",
            "left_out",
        )
    ),
    "CREATE INDEX sites_left_out ON sites (left_out) WHERE left_out > 0",
    """INSERT INTO sites (site, waiting_bytes)
        SELECT hosts.site, sum(length(pages.url) + 120) FROM pages
        JOIN hosts ON hosts.id = pages.host_id WHERE pages.ended IS NULL GROUP BY hosts.site
        ON CONFLICT (site) DO UPDATE SET waiting_bytes = excluded.waiting_bytes""",
)

# The bytes of robots.txt files that are kept of a site; those to be asked for anew make room for others.
_ROBOTS_IN_BOUNDS: Final = (
    "ALTER TABLE robots ADD COLUMN site text NOT NULL DEFAULT ''",
    "ALTER TABLE robots ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0",
    "ALTER TABLE sites ADD COLUMN robots_bytes bigint NOT NULL DEFAULT 0",
    """UPDATE robots SET kept_bytes = coalesce(length(body), 0),
        site = coalesce((SELECT hosts.site FROM hosts WHERE hosts.host = robots.host), host)""",
    "CREATE INDEX robots_of_site ON robots (site, ask_at) WHERE kept_bytes > 0",
    """INSERT INTO sites (site, robots_bytes)
        SELECT site, sum(kept_bytes) FROM robots WHERE kept_bytes > 0 GROUP BY site
        ON CONFLICT (site) DO UPDATE SET robots_bytes = excluded.robots_bytes""",
)

# How long hosts have waited is compared within a queue of the budget. With its stage, which is the same for
# all, the index is narrower for SQLite's planner than `hosts_by_stage`, which would look at all queues.
_BY_AGE: Final = (
    "DROP INDEX hosts_by_age",
    f"CREATE INDEX hosts_by_age ON hosts (stage, queue, next_at, id) WHERE stage = {READY}",
)

# What failed goes to the end of its host's line: pages that were tried less often come first. And URLs
# that failed in a row are kept apart, for different ones are evidence about their host.
LINE: Final = "attempts, priority DESC, depth, id"
_END_OF_LINE: Final = (
    "ALTER TABLE hosts ADD COLUMN doubts text",
    "DROP INDEX pages_pending",
    f"CREATE INDEX pages_pending ON pages (host_id, {LINE}) WHERE state = {PENDING}",
    "DROP INDEX pages_again",
    f"""CREATE INDEX pages_again ON pages (host_id, {LINE})
        WHERE state = {PENDING} AND {HOLDS_CONTENT}""",
)

# What nodes tell of themselves, and what they are told: a row a node, with its last report; a few figures
# for charts; their logs, as far as they are kept here; and alarms, with who is passing them on.
_NODES: Final = (
    """CREATE TABLE nodes (
        node text PRIMARY KEY,
        joined_at bigint NOT NULL,
        started_at bigint NOT NULL,
        heard_at bigint NOT NULL,
        left_at bigint,
        version text NOT NULL,
        node_state text NOT NULL,
        wish text,
        wished_at bigint,
        report {blob} NOT NULL
    )""",
    """CREATE TABLE node_figures (
        node text NOT NULL,
        at bigint NOT NULL,
        figures {blob} NOT NULL,
        PRIMARY KEY (node, at)
    )""",
    # `at` is by the database's clock; the node's was `ahead` of that, or so much more or less as `within`.
    """CREATE TABLE node_log (
        id {id},
        node text NOT NULL,
        at bigint NOT NULL,
        ahead bigint NOT NULL,
        within bigint NOT NULL,
        level text NOT NULL,
        event text NOT NULL,
        host text,
        line text NOT NULL
    )""",
    "CREATE INDEX node_log_by_time ON node_log (at)",
    """CREATE TABLE node_alarms (
        id {id},
        node text NOT NULL,
        kind text NOT NULL,
        subject text NOT NULL,
        message text NOT NULL,
        began_at bigint NOT NULL,
        ended_at bigint,
        told smallint NOT NULL DEFAULT 0,
        teller text,
        teller_until bigint
    )""",
    "CREATE UNIQUE INDEX node_alarms_open ON node_alarms (node, kind, subject) WHERE ended_at IS NULL",
)

# What a page said when it was last read, as hashes: of its statements, and of its visible text.
_HASHES: Final = (
    "ALTER TABLE pages ADD COLUMN said {blob}",
    "ALTER TABLE pages ADD COLUMN shown {blob}",
)

# Of whom a graph on a server says something else since when, for whoever makes words of it. A row without
# `seq` may not be in the graph yet; the others are in the order in which they came to be in it.
_GRAPH_JOURNAL: Final = (
    """CREATE TABLE graph_journal (
        id {id},
        node text NOT NULL,
        noted_at bigint NOT NULL,
        seq bigint,
        kept_bytes bigint NOT NULL,
        changes {blob} NOT NULL
    )""",
    "CREATE UNIQUE INDEX graph_journal_in_order ON graph_journal (seq) WHERE seq IS NOT NULL",
    "CREATE INDEX graph_journal_open ON graph_journal (noted_at) WHERE seq IS NULL",
    """CREATE TABLE graph_journal_ends (
        mark text PRIMARY KEY,
        seq bigint NOT NULL,
        trimmed bigint NOT NULL
    )""",
    """CREATE TABLE graph_followers (
        follower text PRIMARY KEY,
        node text NOT NULL,
        seq bigint NOT NULL,
        heard_at bigint NOT NULL
    )""",
)

# A few rows that change all the time: dead versions of them are swept up before they are many,
# and there is room for the next version beside the last.
_OFTEN_CHANGED: Final = tuple(
    f"""ALTER TABLE {table} SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0)"""
    for table in ("hosts", "claims", "sites", "tallies")
)

# The oldest program that can live with these tables, by the newest version that it knows.
_OLDEST_PROGRAM: Final = ("ALTER TABLE version ADD COLUMN oldest integer NOT NULL DEFAULT 0",)

# Limits of the whole crawl: up to when each rate is paid for, and what nodes need or have of a limit, for a while.
_COMMON_LIMITS: Final = (
    "CREATE TABLE limit_lines (name text PRIMARY KEY, paid_until bigint NOT NULL)",
    """CREATE TABLE limit_parts (
        node text NOT NULL,
        name text NOT NULL,
        need bigint NOT NULL,
        share bigint NOT NULL,
        until bigint NOT NULL,
        PRIMARY KEY (node, name)
    )""",
)

# When a page is to be looked at next, where pages are kept fresh, and what its visits have shown of how often
# it changes. Looks of groups of pages (a host's, or those of one form of URL) are summed up beside.
_LOOKS: Final = (
    "ALTER TABLE pages ADD COLUMN look_at bigint",
    "ALTER TABLE pages ADD COLUMN looked {blob}",
    f"CREATE INDEX pages_due ON pages (look_at) WHERE state = {SETTLED} AND look_at IS NOT NULL",
    """CREATE TABLE look_groups (
        key bigint PRIMARY KEY,
        host_id bigint NOT NULL,
        sums {blob} NOT NULL
    )""",
    "CREATE INDEX look_groups_of_host ON look_groups (host_id)",
)

# Where something is wanted first: the arm of a waiting page (host, form of URL, where the link stands), and hashes of
# the words with its link; what visits of each arm brought, and which arms they led to; the same of single words; and
# wanted entities by hash, each with the page that had it first. Sums are in thousandths, time in milliseconds.
_WANTED: Final = (
    "ALTER TABLE pages ADD COLUMN arm bigint",
    "ALTER TABLE pages ADD COLUMN clues {blob}",
    f"""CREATE INDEX pages_by_arm ON pages (host_id, arm, {LINE})
        WHERE state = {PENDING} AND arm IS NOT NULL""",
    """CREATE TABLE arms (
        host_id bigint NOT NULL,
        arm bigint NOT NULL,
        parent bigint,
        template text NOT NULL,
        tags text NOT NULL,
        listed_on text NOT NULL,
        visits bigint NOT NULL DEFAULT 0,
        gained bigint NOT NULL DEFAULT 0,
        spent bigint NOT NULL DEFAULT 0,
        found bigint NOT NULL DEFAULT 0,
        promised bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (host_id, arm)
    )""",
    """CREATE TABLE arm_leads (
        host_id bigint NOT NULL,
        arm bigint NOT NULL,
        to_arm bigint NOT NULL,
        found bigint NOT NULL,
        PRIMARY KEY (host_id, arm, to_arm)
    )""",
    """CREATE TABLE clue_sums (
        clue integer PRIMARY KEY,
        visits bigint NOT NULL,
        gained bigint NOT NULL
    )""",
    "CREATE TABLE wanted_entities (entity bigint PRIMARY KEY, page bigint NOT NULL)",
    "CREATE INDEX wanted_entities_of_page ON wanted_entities (page)",
)

# What pages are compared by, and which are the same thing: of each page its sketch, the key of the URL that it names as
# canonical, whether a sitemap lists it, and its group; slots by hash, each with a page that has it (`alike.py`); and what
# pairs of pages have shown of parameters of URLs, by host.
_DUPLICATES: Final = (
    "ALTER TABLE pages ADD COLUMN sketch {blob}",
    "ALTER TABLE pages ADD COLUMN canonical bigint",
    "ALTER TABLE pages ADD COLUMN listed boolean",
    "ALTER TABLE pages ADD COLUMN duplicates bigint",
    "CREATE INDEX pages_of_group ON pages (duplicates) WHERE duplicates IS NOT NULL",
    "CREATE TABLE alike (key {id}, page bigint NOT NULL)",
    """CREATE TABLE duplicate_groups (
        id {id},
        members bigint NOT NULL,
        paths_marked {blob} NOT NULL,
        sites_marked {blob} NOT NULL
    )""",
    """CREATE TABLE learned_parameters (
        host_id bigint NOT NULL,
        name text NOT NULL,
        standing smallint NOT NULL,
        agreed {blob} NOT NULL,
        one bigint NOT NULL,
        other bigint NOT NULL,
        PRIMARY KEY (host_id, name)
    )""",
    "ALTER TABLE sites ADD COLUMN repeated bigint NOT NULL DEFAULT 0",
)

# The visible text of pages, packed, by the names that they have in the graph.
_PAGE_TEXTS: Final = (
    "CREATE TABLE page_texts (id {id}, key bigint NOT NULL, url text NOT NULL, body {blob} NOT NULL)",
    "CREATE UNIQUE INDEX page_texts_by_key ON page_texts (key)",
)

# The keys of URLs that only links in scripts and forms have led to, until it is counted what they are.
_HIDDEN_LINKS: Final = (
    "CREATE TABLE hidden_links (key bigint PRIMARY KEY, way smallint NOT NULL)",
)

SQLITE_VERSIONS: Final[tuple[tuple[str, ...], ...]] = (
    _FIRST,
    _FROM_FIRST,
    _LENT,
    _AGAIN,
    _CONTEXTS_IN_BOUNDS,
    _SITE_BUDGETS,
    _ROBOTS_IN_BOUNDS,
    _BY_AGE,
    _END_OF_LINE,
    _NODES,
    (),  # one process has the file, and none of another version beside it
    _HASHES,
    _GRAPH_JOURNAL,
    _COMMON_LIMITS,
    _LOOKS,
    _WANTED,
    _DUPLICATES,
    _PAGE_TEXTS,
    _HIDDEN_LINKS,
)
POSTGRES_VERSIONS: Final[tuple[tuple[str, ...], ...]] = (
    (),  # the first version was never on a server
    (
        _HOSTS,
        _ROBOTS,
        "CREATE INDEX robots_of_host ON robots (host)",
        *_PAGES_AND_MORE,
        "CREATE SEQUENCE tokens",
        *_OFTEN_CHANGED,
    ),
    _LENT,
    _AGAIN,
    _CONTEXTS_IN_BOUNDS,
    _SITE_BUDGETS,
    _ROBOTS_IN_BOUNDS,
    _BY_AGE,
    _END_OF_LINE,
    _NODES,
    _OLDEST_PROGRAM,
    _HASHES,
    _GRAPH_JOURNAL,
    _COMMON_LIMITS,
    _LOOKS,
    _WANTED,
    _DUPLICATES,
    _PAGE_TEXTS,
    _HIDDEN_LINKS,
)

# Versions that nodes of an older program cannot live with, because these would leave columns and counts as
# they were, or read rows by another meaning. Whoever adds a version says here if it is one.
BREAKING: Final = frozenset(
    {
        2,  # other tables
        3,  # hosts that are lent would be asked beside their borrowers
        4,  # pages with content would not be counted
        5,  # contexts would not be counted, nor requests that sites cause elsewhere
        6,  # what sites have us keep would not be counted
        7,  # nor the bytes of robots.txt files
        13,  # what they put into a graph on a server would not be in its journal
        18,  # texts would not follow their pages, nor be forgotten with them
    }
)


@dataclass(frozen=True, slots=True)
class TableVersions:
    """The versions of the tables that a program knows, and those that older programs cannot live with."""

    statements: tuple[tuple[str, ...], ...]
    breaking: frozenset[int]

    @property
    def newest(self) -> int:
        """The version that the program brings the tables to."""
        return len(self.statements)

    def oldest_for(self, version: int) -> int:
        """The oldest program that can live with tables of a version, by the newest version that it knows."""
        return max((each for each in self.breaking if each <= version), default=0)

    def until(self, version: int) -> "TableVersions":
        """The versions as a program knows them that is as old as this one."""
        return replace(self, statements=self.statements[:version])


POSTGRES: Final = TableVersions(POSTGRES_VERSIONS, BREAKING)

TYPES: Final = MappingProxyType(
    {
        name: kind
        for kind, names in {
            "bigint": "id host_id key claim retry_at settled_at token until page next_at lease_token "
            "lease_until wanted_until content handed rested_from took crawl_delay pause_until "
            "next_token round answered_at ask_at asked_at added_at body_at n size kept_bytes used_at "
            "asked_others asked_day waiting_bytes aside_bytes elsewhere_bytes elsewhere_day "
            "left_out robots_bytes joined_at started_at heard_at left_at wished_at at ahead within "
            "began_at ended_at teller_until noted_at seq trimmed paid_until need share look_at "
            "arm to_arm parent visits gained spent found promised entity "
            "canonical duplicates members one other repeated",
            "integer": "depth status quads problems failures linking_sites clue",
            "smallint": "way priority hops state attempts stage best queue step told standing",
            "boolean": "seed crawls_turn listed",
            "text": "host site url ended why etag last_modified media_type archived node lease_node "
            "wanted_by crawl_delay_source pause_source in_flight linked_from name kind expression "
            "cause origin meaning rule doubts version node_state wish level event line subject "
            "message teller follower mark template tags listed_on",
            "bytea": "digest pages packed beyond outside body value report figures said shown changes "
            "looked sums clues sketch paths_marked sites_marked agreed",
        }.items()
        for name in names.split()
    }
)
"""What is in a column, by its name: one name means one thing in all tables."""
