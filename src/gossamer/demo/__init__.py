"""A small web of our own on loopback, with known contents."""
