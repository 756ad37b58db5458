"""How URLs, hosts and expressions are quoted in sentences for people."""

from typing import Final

MOST: Final = 60  # a sentence stays a line, whatever a page put into its URLs


def quoted(text: str) -> str:
    """The text in quotation marks, shortened in the middle, with nothing unprintable left in it."""
    # Escapes make a text longer, never shorter: what is cut away need not be escaped.
    shown = text if len(text) <= MOST else f"{text[: MOST // 2]}…{text[-MOST // 2 + 1 :]}"
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in shown) + '"'
