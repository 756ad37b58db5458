"""What was fetched, kept as WARC 1.1 files; `docs/archive.md` is the page for users.

- `exchange`: what goes in and comes out, and where a record is
- `writer`: the way in: batches of exchanges; `compose`: the records of each; `record`: their bytes
- `files`: one file, its writer, and what a writer that died left behind; `folders`: where files go
- `reading`: the way out, by place
- `cdxj`: lines of an index, `surt`: their keys; `index`: indexes beside files, made when one is asked for
- `states`: what pages were at a moment; `wacz`: packages for other programs
- `forget`: files written anew without some pages
"""
