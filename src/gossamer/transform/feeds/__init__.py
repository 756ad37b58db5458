"""Statements from RSS, Atom and JSON Feed, in one vocabulary."""

from gossamer.transform.feeds.atom import atom_statements
from gossamer.transform.feeds.json_feed import json_feed_statements
from gossamer.transform.feeds.rss import rss_statements

__all__ = ["atom_statements", "json_feed_statements", "rss_statements"]
