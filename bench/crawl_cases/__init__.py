"""The web that crawlers are measured on, and how they are run."""
