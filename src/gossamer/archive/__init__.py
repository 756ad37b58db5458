"""What was fetched, kept as WARC 1.1 files: `writer.py` is the way in, `docs/archive.md` the page."""
