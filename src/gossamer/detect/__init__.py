"""Bytes and headers to the syntaxes that are in there. Pure: nothing is fetched or kept."""

from gossamer.detect.recognise import detect

__all__ = ["detect"]
