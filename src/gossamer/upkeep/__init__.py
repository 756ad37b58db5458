"""Changes to everything that a folder holds: `forget` hosts and pages, `rebuild` the graph.

Both need the rules of a crawl, so this package stands above `crawl`.
"""
