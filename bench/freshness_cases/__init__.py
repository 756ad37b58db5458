"""What `bench/freshness.py` simulates."""
