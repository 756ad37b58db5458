"""Cases of `bench/text.py`."""
