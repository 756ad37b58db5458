"""The service: REST, the SPARQL endpoint and monitoring, out of one table of routes.

A request on its way: `listening` (over `http/`) → `guard` lets it in → `web/app.py` finds its route →
`routes` reads parameters and body by their schemas → a handler asks the folder's owner → `answers`.

- `routes`, `schemas`: the shape of a route, and what it checks; `openapi`: the page made of the same table
- `guard`, `browsers`, `tokens`: our names, pages of other sites, the token and sessions
- `errors`: the one shape of every error (RFC 9457)
- one module a group of routes: `search`, `entity`, `sparql`, `vocab`, `crawls`, `controls`, `node_controls`, `configuration`,
  `politeness`, `monitoring`, `nodes`, `node_log`, `trace`, `changes`, `duplicates`, `caches`, `proxy`
- `prometheus`: the text format of metrics; `node_metrics`: those of each node
- `watching`: the crawl as those see it who watch; `history`: its figures for charts, of the last run too; `child_crawl`: a crawl that the service starts
"""
