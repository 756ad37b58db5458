"""A link filter: versions of pages for printing are not followed."""


def without_print_versions(page: str, links: list[str]) -> list[str]:
    """The links of a page that a crawl may follow."""
    return [link for link in links if not link.endswith("/print")]
