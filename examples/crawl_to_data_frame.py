"""Crawl a site and get its events as a data frame: python crawl_to_data_frame.py example.org Event."""

import sys

import gossamer

seed, kind = sys.argv[1:]

with gossamer.crawl(seed, max_pages=100) as crawl:  # one request a second
    print(f"{len(list(crawl))} pages")
    with gossamer.open(crawl.data) as data:
        frame = data.table(kind).df()

print(frame[["name", "page"]].to_string())
print(frame.describe().to_string())
