"""Gossamer: a polite spider for the structured web."""

from importlib.metadata import version

__version__ = version("gossamer")
