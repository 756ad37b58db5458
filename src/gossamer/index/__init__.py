"""Quads to a graph that can be asked while it grows.

`pages.py` is what comes in, checked; `store.py` keeps it; `asking.py` answers questions. Both run in
processes of their own (`process.py`, `reading.py`), which `client.py` speaks to: everything else of
Gossamer uses that. `fetch_statements.py` says in RDF what became of a fetch.
"""
