"""Identifiers in the one spelling that all who mean the same share. Pure.

A number whose check digit is wrong identifies nothing, and neither does one that everybody may use
as he likes.
"""

import re
from typing import Final

from gossamer.index.entities.whereabouts import MAILTO

MOST_CHARACTERS: Final = 2_000  # of an IRI that identifies; what is longer is an accident
_NOT_DIGITS: Final = re.compile(r"[\s\u2010-\u2015-]+")
_ISBN_LABEL: Final = re.compile(r"(?:urn:)?isbn(?:-1[03])?:?\s*", re.IGNORECASE)
_ISBN_10: Final = re.compile(r"\d{9}[\dX]", re.ASCII)
_ISBN_13: Final = re.compile(r"97[89]\d{10}", re.ASCII)
_GTIN: Final = re.compile(r"(?:\d{8}|\d{12,14})", re.ASCII)
_OWN_USE: Final = re.compile(r"0(?:2|4)|2|00000[02]")  # numbers that shops give out themselves
_DOI: Final = re.compile(
    r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|(?:info:)?doi[:/]\s*)?(10\.\d{4,9}/[^\s\"<>]+)",
    re.IGNORECASE | re.ASCII,
)
_ORCID: Final = re.compile(
    r"(?:https?://)?(?:www\.)?orcid\.org/(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?", re.IGNORECASE | re.ASCII
)
_LEI: Final = re.compile(r"[A-Z0-9]{18}\d{2}", re.ASCII)
_EMAIL: Final = re.compile(
    r"(?:mailto:)?([a-z0-9.!#$%&'*+/=^_`{|}~-]{1,64})@([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\?.*)?",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
# Mail to these reaches whoever is on duty.
_ON_DUTY: Final = """
abuse accounts admin administrator all anfrage bookings booking bureau careers contact
contacto contatti customerservice editor editorial enquiries enquiry events feedback hello help
helpdesk hi hostmaster hr info information inquiries jobs kontakt legal mail mailbox marketing
media membership news newsletter noc noreply no-reply office orders order post postmaster
presse press privacy reception redaktion registration reservations root sales security service
shop staff studio subscribe support team tickets verwaltung webmaster welcome www
"""
ROLES: Final = frozenset(_ON_DUTY.split())


def isbn(text: str) -> str | None:
    """`urn:isbn:` and thirteen digits."""
    digits = _NOT_DIGITS.sub("", _ISBN_LABEL.sub("", text[:40], count=1)).upper()
    if _ISBN_10.fullmatch(digits) and digits.strip("0") and _is_isbn_10(digits):
        return f"urn:isbn:{_with_check_digit('978' + digits[:9])}"
    if _ISBN_13.fullmatch(digits) and digits == _with_check_digit(digits[:12]):
        return f"urn:isbn:{digits}"
    return None


def gtin(text: str) -> str | None:
    """The name of a trade item by its GTIN (EAN, UPC) of any length; of a book, its ISBN."""
    digits = _NOT_DIGITS.sub("", text[:40])
    if not _GTIN.fullmatch(digits) or not digits.strip("0"):
        return None
    padded = digits.zfill(14)
    if padded != _with_check_digit(padded[:13]) or _OWN_USE.match(padded, 1):
        return None
    return isbn(padded[1:]) or f"https://id.gs1.org/01/{padded}"


def doi(text: str) -> str | None:
    """`https://doi.org/10.…` in small letters: a DOI is the same in any."""
    found = _DOI.fullmatch(text.strip()) if len(text) <= MOST_CHARACTERS else None
    return f"https://doi.org/{found[1].lower()}" if found else None


def orcid(text: str) -> str | None:
    """`https://orcid.org/` and the sixteen digits of a person who does research."""
    found = _ORCID.fullmatch(text.strip()[:100])
    if not found or not _is_iso_7064(found[1].upper()):
        return None
    return f"https://orcid.org/{found[1].upper()}"


def lei(text: str) -> str | None:
    """`urn:lei:` and the twenty characters of a legal entity."""
    code = text.strip()[:30].upper()
    if not _LEI.fullmatch(code) or int("".join(str(int(each, 36)) for each in code)) % 97 != 1:
        return None
    return f"urn:lei:{code}"


def email(text: str) -> str | None:
    """`mailto:` and the address, in small letters; None for one that belongs to a role."""
    found = _EMAIL.fullmatch(text.strip()) if len(text) <= MOST_CHARACTERS else None
    if not found or found[1].lower() in ROLES:
        return None
    return f"{MAILTO}{found[1]}@{found[2]}".lower()


def _is_isbn_10(digits: str) -> bool:
    values = [10 if each == "X" else int(each) for each in digits]
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0


def _with_check_digit(digits: str) -> str:
    """The digits of an ISBN-13 or GTIN, and the one that has to follow (GS1: weights 3, 1, 3…)."""
    total = sum(int(each) * (1 if place % 2 else 3) for place, each in enumerate(reversed(digits)))
    return f"{digits}{-total % 10}"


def _is_iso_7064(code: str) -> bool:
    """Whether the last character is right (ISO 7064, MOD 11-2)."""
    total = 0
    for each in code[:-1].replace("-", ""):
        total = (total + int(each)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == code[-1]
