"""What bench/duplicates.py measures with."""
