"""The graph: quads of all pages, on disk, asked in SPARQL while it grows.

- `client`: the graph as all others use it: a process that writes, and processes that read
- `pages`: what a page brings, checked; `page_diff`: what that changes; `store`: the quads on disk, held by
  one `process`; `folder`: the files
- `query`: a query as a value; `reader_pool`: queries and exports from the owner's side, answers on their way
- `reader_process`: the process that answers them, from a frozen copy (`snapshots`); `run_query`: one query;
  `selecting`: what an export has; `results`: how answers are written; `no_rows`: why there may be none
- `messages`: what goes between owner and processes
- `fetch_statements`, `response_fields`: what became of a fetch, in RDF; `names`: the names of a page's graphs
- `blanks`: blank nodes as IRIs; `schema_rewrite`: names of schema.org in one form
"""
