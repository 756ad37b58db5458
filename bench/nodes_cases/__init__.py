"""What `bench/nodes.py` measures on: a database behind a wire that counts, crawls of many nodes, and Scrapy-Redis."""
