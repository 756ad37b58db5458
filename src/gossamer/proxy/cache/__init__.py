"""A shared HTTP cache (RFC 9111): what was fetched for one client is there for the others.

Start with `protocol.py`: what the proxy asks of a cache, and in which order.
"""
