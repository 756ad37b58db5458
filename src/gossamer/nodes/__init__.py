"""The nodes of a crawl: what they tell of themselves, and what they are told.

    a node, every few seconds                          the crawl's database
        report ── beat ─────────────────────────────▶  nodes         one row a node, its last report
               ◀── wish, the database's moment ──────                what it is asked to do
        figures ────────────────────────────────────▶  node_figures  a point for charts, now and then
        lines of its log, in batches ───────────────▶  node_log      bounded by age and size

    whoever looks (a crawl, a service)
        reports and the moment ── rules ────────────▶  node_alarms   one begin and one end each
        what is not told yet, claimed by one teller ◀─

A crawl's heartbeat is `CrawlHandle.heartbeat` (`crawl/heartbeat.py` builds it); `crawl/wishes.py` is the
`heartbeat.BeatListener` that carries out wishes. A listener hears each `BeatAnswer` on the event loop and must not wait.

All moments in these tables are by the database's clock.

- `store`: the rows of nodes and their figures
- `report`: what a node tells of itself, as a value and as JSON
- `heartbeat`: joins, beats and leaves; whoever carries out wishes is a `BeatListener` of it
- `steering`: what nodes are told (pause, go on, drain, stop), and how far they are
- `sampling`: the machine (`machine`), the disks and our processes, since the sample before
- `rules`: what is wrong with which node, pure; `alarms`: its begin and its end, once for all who look
- `seen`: all nodes as one sees them now, for people and programs
- `errands`: a thread with a connection of its own, for what nobody waits for: the watch over alarms, `alarm_posts`, which
  posts them, and `log_sharing`, which sends the log
- the log of all nodes: `log_tail` follows the files, `log_store` has the lines in the database, `log_reading` reads either
- `joining`: what a machine asks the database before it becomes a node, and what may be in its way
- `invitations`: users of the database for machines that are to join
"""
