"""Bytes to statements; one file a syntax, one table of them (`table.py`).

Pure, but for what the user asked for by name: plug-ins and services of their own.
"""
