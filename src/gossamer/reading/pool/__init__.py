"""Work on hostile bytes in processes that can be killed.

`pool.py` hands jobs to workers, a `connection.py` each; `batch.py` does so for code that does not
await. `worker.py` is what runs in there; how a process is started and spoken to is in
`gossamer.processes`. None of these knows what a job is; `gossamer.reading.page_pool` does: it is
the pool as the rest of Gossamer uses it.
"""
