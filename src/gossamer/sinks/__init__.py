"""Where settled pages go besides the folder: what `gossamer crawl -o` names.

A sink is handed the pages of each batch before they are settled (`crawl.batches`), a line of JSON each,
as docs/sinks.md has them. What a sink has taken a dead crawl need not hand it again, and what it has not
taken is not settled: a page reaches it at least once.

- `protocol.py`: what a sink is
- `json_lines.py`: lines appended to a file
- `pipe.py`: lines written to whoever reads them
- `plugins.py`: sinks of other packages, each in a process (`process.py`), as is `parquet.py`
- `opening.py`: from the word after `-o` to the sink
"""
