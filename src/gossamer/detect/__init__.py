"""Detects the syntaxes in bytes and headers. Pure."""

from gossamer.detect.recognise import detect

__all__ = ["detect"]
