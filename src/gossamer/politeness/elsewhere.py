"""Requests that a site has us send to other sites: what is said when it may cause no more. Pure."""


def used_up(site: str, most: int) -> str:
    """Why a request to another site is not sent, without the full stop."""
    return (
        f"{site} has caused the {most:,} requests to other sites that it may in a day "
        "(budget.requests_elsewhere)"
    )
