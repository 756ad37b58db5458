"""Crawl a site again and print what changed on it: python nightly_changes.py shop.example Product.

For every night, as a line of cron:  30 2 * * *  cd ~/watch && python nightly_changes.py shop.example Product

The first night has nothing to compare with. From the second on, unchanged pages cost one conditional request each.
"""

import sys
from datetime import UTC, datetime

import gossamer

seed, kind = sys.argv[1:]
began = datetime.now(UTC).isoformat()

with gossamer.crawl(seed, data="nightly-data", again=True) as crawl:
    pages = len(list(crawl))

with gossamer.open("nightly-data") as data:
    changes = data.changes(since=began, type=kind)

print(f"{pages} pages, {len(changes.records)} changed entities")
for change in changes:
    print(
        change["kind"], change["label"], change["property"], change["before"], "→", change["after"]
    )
