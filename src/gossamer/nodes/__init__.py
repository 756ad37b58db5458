"""The nodes of a crawl: what they tell of themselves, and what they are told.

    a node, every few seconds                          the crawl's database
        report ── beat ─────────────────────────────▶  nodes         one row a node, its last report
               ◀── wish, the database's moment ──────                what it is asked to do
        figures ────────────────────────────────────▶  node_figures  a point for charts, now and then
        lines of its log, in batches ───────────────▶  node_log      bounded by age and size

    whoever looks (a crawl, a service)
        reports and the moment ── rules ────────────▶  node_alarms   one begin and one end each
        what is not told yet, claimed by one teller ◀─

All moments in these tables are by the database's clock.

- `store`: the rows of nodes and their figures
- `report`: what a node tells of itself, as a value and as JSON
"""
