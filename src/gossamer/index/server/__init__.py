"""The graph on a SPARQL 1.1 server of the user's own, instead of in the data folder.

`address.py` says where it is; `client.py` is what the rest of Gossamer uses, with the same methods as
the graph of a folder. Behind it, one process writes (`process.py`, `store.py`) and others read
(`reading.py`), each over HTTP of its own. Nothing that a page says chooses where a request goes.

Of whom a change speaks, `journal.py` writes to the crawl's database; `followed.py` copies that for the
words of one machine, which read the graph itself through `remote_store.py`.
"""
