"""Transforms bytes to statements: a folder or module per specification, one table (`syntaxes.py`).

Pure, but for what the user asked for by name: plug-ins and services of their own.
"""
