"""Hosts that are equal, endless or broken, crawled in virtual time and for real, and how fair that was."""
