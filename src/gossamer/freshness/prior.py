"""Prior: what is known of a page's rate of change before the page itself has shown any."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_PACKED = struct.Struct("<Bff")
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Prior:
    """A log-normal distribution of rates, in changes a day: mean and deviation of the logarithm."""

    mean: float
    spread: float

    def pack(self) -> bytes:
        """The prior in nine bytes."""
        return _PACKED.pack(_VERSION, self.mean, self.spread)

    @classmethod
    def unpack(cls, packed: bytes | None) -> Prior:
        """The prior that was packed; that of the web, if there is none or another version."""
        if packed is None or len(packed) != _PACKED.size or packed[0] != _VERSION:
            return OF_THE_WEB
        return cls(*_PACKED.unpack(packed)[1:])


# Half of all pages change within 40 days, and two thirds of them between a week and a year: what studies
# of the web have found, between news and archives. It counts until our own pages have shown better.
OF_THE_WEB = Prior(mean=-3.7, spread=1.8)
