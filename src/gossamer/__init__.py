"""Gossamer: a polite spider for the structured web."""

__version__ = "0.1.0"
