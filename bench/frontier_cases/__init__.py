"""The web that `bench/frontier.py` crawls, and the nodes that do it on PostgreSQL."""
