"""Plug-ins for Gossamer: what each does is in its module; pyproject.toml makes them known."""
