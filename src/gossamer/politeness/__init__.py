"""What we may ask of a host, and when. Pure: bytes and times come in as arguments."""
