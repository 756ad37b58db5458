"""Work on hostile bytes in processes that can be killed.

`pages.py` is what the rest of Gossamer uses: pages in, what they say out, one at a time or in a
batch. `pool.py` below it hands jobs to workers: a `connection.py` each, to a `process.py` each.
`worker.py` is what runs in there, and `protocol.py` what goes over the socket between them.
"""
