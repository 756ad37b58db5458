"""Bytes to statements; one file a syntax, one table of them. Pure."""
