"""The worlds of `bench/focus.py`, and crawls of them by the real frontier."""
