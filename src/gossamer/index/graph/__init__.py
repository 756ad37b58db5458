"""The graph: quads of all pages, on disk, asked in SPARQL while it grows.

- `pages`: what a page brings, checked; `page_diff`: what that changes; `store`: the quads on disk
- `process`: the process that holds the store; `client`: how all others speak to it
- `query`: a query as a value; `readers`: queries and exports from the owner's side, answers on their way
- `reading`: the process that answers them from a snapshot (`snapshots`); `asking`: one query; `results`: how answers are written
- `messages`: what goes between owner and processes
- `fetch_statements`: what became of a fetch, in RDF; `names`: the names of a page's graphs
"""
