"""A crawl: `loop.Crawl` runs it, `build.open_crawl` builds its parts and takes them down.

The life of a page within one crawl, with the module that knows. One coroutine a page, `loop.Crawl._page`:

    lease a host        loop           `_lease_hosts`: as many hosts at once as `crawl.concurrency`
        │
        ▼
    visit the host      loop           `_visit`: one task a host, `politeness.per_host` requests at once
        │                              after its quantum it makes way for hosts that are ready
        ├─ room?        backlog        back-pressure: room for the answer and its bytes; else it waits
        ├─ admit        page_requests  scope and traps, as they are now (`admission`); else *aside*
        │                              robots.txt: known, or requested; else *refused*
        │                              before an origin's first page: `sitemaps`, `site_files`
        └─ fetch        page_requests  the right to send, the request; if the host rests long, its
        │                              pages go back and the host is given back (`NotNowError`)
        ▼
    read                reader         decode, detect, transform and extract, in a worker process;
        │                              once more when the contexts that it names were fetched
        ▼
    judge               verdicts       `Judge`: what becomes of the page. Pure
        │
        ▼
    keep, in batches    batches        three batches at most, one in each step:
        ├─ archive                     the answer is on disk
        ├─ index        steady_graph   the page's graphs are replaced (`statements` says by what)
        ├─ compare      visits         what pages say otherwise goes into the history (`gossamer.history`)
        ├─ hand out     page_records   to sinks, where there are any (`gossamer.sinks`)
        └─ settle                      outcome, links, clocks: one transaction of the frontier

A page is settled last. Whoever dies before that leaves it claimed; the claim lapses, and the page is
fetched again. Nothing that is settled is missing from archive or graph.

The life of a crawl:

    open_crawl ──▶ running ◀──▶ paused ──▶ finishing ──▶ summed up
                      │                        ▲
                      ├── a limit, `stop`, or nothing left (`run_limits`)
                      └── `drain`: no more hosts, until nothing is in hand

While *finishing* nothing is asked for; requests in flight have a few seconds, answers are read and kept,
hosts and unread pages are given back. What other nodes or people wish comes with heartbeats (`wishes`).

Slow parts make the others wait: room is taken before the request and given back when the page is
settled (`backlog`); no more is read while what was read fills half of the room; the queue before the
batches is bounded. All calls of the frontier run in one thread, one after the other (`frontier/thread.py`).

- hosts: `troubled_hosts` (closed, or slow to be read); leases are `sending/hosts/leased.py`
- files beside pages: `sitemaps`, `site_files`, and contexts (`reader`), by `side_requests`
- while it runs: `reconfigure` (settings), `admission.Scoping` (a wider scope), `plain_seeds`, `progress`
- as others see it: `handle.CrawlHandle`, the crawl and its parts in one value
"""
