"""How URLs, hosts, expressions, durations and sizes are written in sentences for people."""

from typing import Final

MOST: Final = 60  # a sentence stays a line, whatever a page put into its URLs
_STEPS: Final = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))


def quoted(text: str) -> str:
    """The text in quotation marks, shortened in the middle, with nothing unprintable left in it."""
    # Escapes make a text longer, never shorter: what is cut away need not be escaped.
    shown = text if len(text) <= MOST else f"{text[: MOST // 2]}…{text[-MOST // 2 + 1 :]}"
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in shown) + '"'


def told_seconds(number: float) -> str:
    """A duration as people are told it: 3 ms, 1.2 s, 4 min 5 s, 2 h 3 min, 3 d 4 h."""
    if number < 1:
        return f"{number * 1000:,.0f} ms"
    if number < 60:
        return f"{number:.3g} s"
    whole = round(number)
    large, name, small, smaller = next(step for step in _STEPS if whole >= step[0])
    rest = whole % large // small
    return f"{whole // large:,} {name}" + (f" {rest} {smaller}" if rest else "")


def told_size(count: float) -> str:
    """Bytes, as people say them."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return (
                f"{count:.0f} {unit}" if unit == "bytes" or count >= 100 else f"{count:.1f} {unit}"
            )
        count /= 1000
    return f"{count:,.1f} GB"
