"""Detects the syntaxes in bytes and headers. Pure."""

from gossamer.detect.recognise import claimed_notation, contradiction, detect

__all__ = ["claimed_notation", "contradiction", "detect"]
