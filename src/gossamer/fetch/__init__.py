"""Requests to the web: I/O that decides nothing."""
