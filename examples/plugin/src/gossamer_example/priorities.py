"""A priority: what pages about products lead to is fetched first."""


def products_first(page: str, nquads: bytes) -> int:
    """Points for the links of a page, given its address and what it says."""
    return 300 if b"<http://schema.org/Product>" in nquads else 0
