"""The rule `check-digit`: product and book numbers whose last digit does not fit the others."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.wording import quoted

GTINS: Final = {
    "gtin": (8, 12, 13, 14),
    "gtin8": (8,),
    "gtin12": (12,),
    "gtin13": (13,),
    "gtin14": (14,),
}
ISBN: Final = "isbn"
ISSN: Final = "issn"
_ISBN_10: Final = re.compile("[0-9]{9}[0-9Xx]")
_ISSN: Final = re.compile("[0-9]{7}[0-9Xx]")
_GAPS: Final = re.compile(r"[\s-]")


def wrong_check_digits(page: RulePage) -> Iterator[Finding]:
    """GTINs, ISBNs and ISSNs that are too long, too short, or mistyped somewhere."""
    for entity, name, text in page.schema_values((*GTINS, ISBN, ISSN)):
        if text.startswith(("http://", "https://")):  # a GS1 Digital Link
            continue
        why = _mistake(name, _GAPS.sub("", text))
        if why is not None:
            message = f"{name} is {quoted(text)}: {why}."
            fix = "Compare it with the number on the product."
            yield Finding(
                message,
                Severity.ERROR,
                page.line_of(text.strip(), name),
                entity,
                fix,
                see=definition(name),
            )


def _mistake(name: str, digits: str) -> str | None:
    if name == ISBN and len(digits) == 10:
        return _weighted_mistake(digits, _ISBN_10, "10 or 13")
    if name == ISSN:
        return _weighted_mistake(digits, _ISSN, "8")
    lengths = (13,) if name == ISBN else GTINS[name]
    if not (digits.isascii() and digits.isdecimal()) or len(digits) not in lengths:
        wanted = (10, 13) if name == ISBN else lengths
        return f"it has to have {' or '.join(map(str, wanted))} digits"
    # From the right, every other digit counts three times (GS1 General Specifications, section 7.9).
    total = sum(int(digit) * (3 if nth % 2 else 1) for nth, digit in enumerate(digits[::-1]))
    right = (int(digits[-1]) - total) % 10
    return None if total % 10 == 0 else f"its last digit would have to be {right}"


def _weighted_mistake(digits: str, form: re.Pattern[str], lengths: str) -> str | None:
    """What is wrong with a number whose digits weigh less one by one, modulo 11."""
    if not form.fullmatch(digits):
        return f"it has to have {lengths} digits"
    total = sum(
        int(digit) * weight
        for digit, weight in zip(digits[:-1], range(len(digits), 1, -1), strict=True)
    )
    right = "0123456789X"[-total % 11]
    return None if digits[-1].upper() == right else f"its last digit would have to be {right}"
