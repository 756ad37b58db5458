"""Requests to the web: a thin client (`http.py`), and the rules it follows, which are pure."""
