"""A module that holds more than the limit of a page, as large tables would."""

BALLAST = bytearray(200 * 1024 * 1024)


def measure(job: bytes) -> bytes:
    """Needs some memory of its own."""
    return b"%d" % len(bytes(20 * 1024 * 1024) + job)
