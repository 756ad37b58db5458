"""Ports that no request goes to: other protocols than HTTP listen there. Pure.

A page can name any port, and a request has lines of the page's choice in it: a mail server or a chat
takes some of them for commands of its own.
"""

from typing import Final

from gossamer.model import Refusal

# The Fetch standard's "bad ports" (§ 2.9): what browsers do not connect to either.
_BAD: Final = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179),
        *(389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587),
        *(601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061),
        *(6000, 6566, *range(6665, 6670), 6679, 6697, 10080),
    }
)


def refused_port(host: str, port: int) -> Refusal | None:
    """Why nothing is sent to this port, or None where that may be."""
    if port not in _BAD:
        return None
    return Refusal(
        "port",
        f"Port {port} of {host} is for another protocol than HTTP, and nothing is sent there. "
        f"--connect-to '{host}=ADDR:PORT' says where a server of yours is.",
    )
