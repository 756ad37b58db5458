"""The frontier: which pages to fetch next, from which hosts, and what became of each page.

One set of tables (`schema`), one SQL over SQLite and PostgreSQL (`store`, `sqlite`, `postgres`), one
class that everybody uses (`frontier.SqlFrontier`; the values it takes and returns are in `protocol`).
Each method is one transaction (`work.Work`); long changes are many short ones (`walks`).

A page is in one of six states (`schema.PAGE_STATES`):

              add, settle (links)
                      │           deeper than the limit
                      ▼      ────────────────────────────────▶
      ┌──────────▶ pending                                     beyond
      │               │      ◀────────────────────────────────
      │               │           nearer now, or a higher limit
      │               │ lease, more: claimed with the lease's token
      │               ▼
      │◀────────── handed out ──────────────┬──────────────────┐
      │  released  settle │          settle │           settle │
      │  unused, or the   │         (retry) │          (aside) │
      │  claim lapsed     ▼                 ▼                  ▼
      │◀─────────────  settled           waiting             aside
      │   refetch, reopen                   │                  │
      │◀────────────────────────────────────┘                  │
      │   at retry_at                                          │
      └────────────────────────────────────────────────────────┘
          the scope is wider now

Pending pages of a host are in the order `schema.LINE`: what was tried less often comes first, so a page
that failed is at the end of its host's line.

*Settled* has an outcome (`protocol.Ended`): content, redirected, failed, refused or skipped. *Aside* is
out of scope as it is now. Every arrow back to pending leads to *beyond* where a page is too deep.

A host is in one of five stages (`schema.IDLE` and the numbers after it):

            a page is pending           next_at has passed            lease
      idle ───────────────────▶ resting ───────────────────▶ ready ─────────────▶ held
       ▲                        ▲  ▲  ▲                      │ │ │                 │
       │                        │  │  └── not yet after all ─┘ │ │                 │
       │  nothing is pending    │  │                           │ │ no room within  │
       ├────────────────────────┼──┼───────────────────────────┘ │ the limits      │
       │                        │  └── other limits ── full ◀────┘                 │
       │                        │                                                  │
       └────────────────────────┴──────────────────────────────────────────────────┘
          nothing is pending          release, with the clock as it stands now

A *lease* is the right to send to a host until a deadline; while it lasts, the host is *held*, its clock
is in the holder's memory, and `next_at` lies behind the deadline and the host's delay. So a holder that
dies leaves nothing to clean up: `wake` makes the host ready when both have passed. `reserve` leases a
host out of turn, from any stage, for a request that is not for a page of the crawl. A *claim* is the right to settle the pages that
came with a lease. It outlives the lease as long as it is renewed: a host need not wait until its pages
are read. What a stale token settles is refused and changes nothing.

People see the stage as `protocol.HostStage`: a resting host is *waiting*, or *parked* where it asks for
more patience than we have.

- in: `adding` (what is new, what is nearer now, what is not followed), `outlinks` (where pages lead,
  within their site's budget), `sites` (sums per site)
- out: `leasing` (hosts), `claims` (their pages, within limits); back: `releasing`, `settling`
- asked by people: `overview`, `endings` (how a crawl ends)
- beside pages: `texts` (for search), `robots`, `contexts`, `facts` (with scope expressions), `hosts` (clocks without a lease)
- on the event loop: `thread` runs all of it in one thread
"""
