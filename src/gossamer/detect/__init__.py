"""Detects the syntaxes in bytes and headers. Pure."""

from gossamer.detect.opening import root_languages
from gossamer.detect.recognise import claimed_notation, contradiction, detect

__all__ = ["claimed_notation", "contradiction", "detect", "root_languages"]
