"""Repeatable chance: numbers that look random and are the same on every machine.

`hash()` differs from process to process and `random` keeps state; a page is made on
request, in any order, so its every choice is a pure function of seed and number.
"""

MASK = (1 << 64) - 1


def mix(seed: int, number: int, salt: int) -> int:
    """A 64-bit number, well spread, that depends on all three (SplitMix64's finisher)."""
    z = (seed * 0x9E3779B97F4A7C15 + number * 0xD1342543DE82EF95 + salt * 0xA0761D6478BD642F) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)
